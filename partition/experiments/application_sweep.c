#include "application_sweep.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/harness/exit.h"

#include "device_list.h"

static size_t take(size_t *index, size_t count)
{
    size_t place = *index % count;
    *index /= count;
    return place;
}

size_t application_sweep_count(const struct application_sweep *sweep)
{
    return sweep->devices.count * sweep->splits.count * sweep->htods.count *
           sweep->resolutions.count * sweep->accesses.count * sweep->options.count;
}

static const char *take_word(const struct option_words *words, size_t *index)
{
    return words->values[take(index, words->count)];
}

static const char *take_choice(const struct option_choices *choices, size_t *index)
{
    return choices->names[choices->values[take(index, choices->count)]];
}

struct application_mode application_sweep_mode(const struct application_sweep *sweep, size_t index)
{
    struct application_mode mode;
    mode.devices = (int)sweep->devices.values[take(&index, sweep->devices.count)];
    mode.split = take_word(&sweep->splits, &index);
    mode.htod = take_choice(&sweep->htods, &index);
    mode.resolution = take_choice(&sweep->resolutions, &index);
    mode.access = take_choice(&sweep->accesses, &index);
    mode.options = take_word(&sweep->options, &index);
    return mode;
}

void application_sweep_open(struct run *run, struct application_sweep *sweep)
{
    sweep->devices = device_list_read(run, "partitioned", sweep->device_list);
    for (size_t i = 0; i < application_sweep_count(sweep); i++) {
        struct application_mode mode = application_sweep_mode(sweep, i);
        struct partition_settings settings = application_mode_settings(&mode);
        check_status(partition_configure(&settings));
    }
}
