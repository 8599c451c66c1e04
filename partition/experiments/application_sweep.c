#include "application_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

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

/* Powers of two below `there`, and `there`. */
static struct option_numbers all_devices(long there)
{
    struct option_numbers numbers = {.values = allocate_or_fail(64, sizeof(long))};
    for (long devices = 1; devices < there; devices *= 2)
        numbers.values[numbers.count++] = devices;
    numbers.values[numbers.count++] = there;
    return numbers;
}

static struct option_numbers one_number(long number)
{
    struct option_numbers numbers = {.values = allocate_or_fail(1, sizeof(long)), .count = 1};
    numbers.values[0] = number;
    return numbers;
}

struct option_numbers application_read_devices(struct run *run, const char *variant,
                                               const char *list)
{
    int there = 0;
    check_cuda(cudaGetDeviceCount(&there));
    if (there > PARTITION_MAX_DEVICES)
        there = PARTITION_MAX_DEVICES;
    if (strcmp(list, "all") == 0)
        return all_devices(there);
    if (strcmp(list, "most") == 0)
        return one_number(there);
    struct option_numbers numbers = option_read_numbers("devices", list, 1, PARTITION_MAX_DEVICES);
    size_t kept = 0;
    for (size_t i = 0; i < numbers.count; i++) {
        char missing[64];
        snprintf(missing, sizeof missing, "%ld devices are wanted, %d are there", numbers.values[i],
                 there);
        if (numbers.values[i] <= there)
            numbers.values[kept++] = numbers.values[i];
        else
            record_waived(run, variant, missing);
    }
    numbers.count = kept;
    return numbers;
}

void application_sweep_open(struct run *run, struct application_sweep *sweep)
{
    sweep->devices = application_read_devices(run, "partitioned", sweep->device_list);
    for (size_t i = 0; i < application_sweep_count(sweep); i++) {
        struct application_mode mode = application_sweep_mode(sweep, i);
        struct partition_settings settings = application_mode_settings(&mode);
        check_status(partition_configure(&settings));
    }
}

void application_start(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifdef SOFTGPU
    setenv("SOFTGPU_DEVICES", "16", 0);
#endif
}
