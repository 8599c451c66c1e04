/* tuner_search.c: what a search knows: its trials, its limits and its random numbers. */
#include "tuner_search.h"

#include "random.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A configuration of which the trial is known. */
struct known {
    struct tuner_trial trial;
    bool tried; /* else recalled and not chosen so far */
};

struct tuner_search {
    struct tuner_search_options options;
    struct tuner_progress progress;
    uint64_t drawn;  /* random numbers so far */
    bool stopped;    /* by the caller */
    uint32_t *place; /* by configuration: 1 + its place in known, 0: it is not there */
    struct known *known;
    size_t known_count, known_room;
};

size_t tuner_search_samples(double pick_ratio, size_t size)
{
    double samples = round(pick_ratio * (double)size);
    if (!(samples >= 1.0))
        return 1;
    return samples < (double)size ? (size_t)samples : size;
}

struct tuner_search *tuner_search_open(const struct tuner_search_options *options)
{
    struct tuner_search *search = allocate_or_fail(1, sizeof *search);
    size_t size = tuner_space_size(options->space);

    *search = (struct tuner_search){.options = *options};
    search->options.trials_most =
        options->trials_most && options->trials_most < size ? options->trials_most : size;
    search->place = allocate_or_fail(size, sizeof *search->place);
    memset(search->place, 0, size * sizeof *search->place);
    return search;
}

void tuner_search_close(struct tuner_search *search)
{
    free(search->known);
    free(search->place);
    free(search);
}

/* Doubling from little: most searches try a small share of a space. */
static struct known *add_known(struct tuner_search *search, size_t configuration)
{
    if (search->known_count == search->known_room) {
        size_t room = search->known_room ? 2 * search->known_room : 64;
        struct known *known = allocate_or_fail(room, sizeof *known);
        if (search->known_count)
            memcpy(known, search->known, search->known_count * sizeof *known);
        free(search->known);
        search->known = known;
        search->known_room = room;
    }
    struct known *added = &search->known[search->known_count++];
    search->place[configuration] = (uint32_t)search->known_count;
    return added;
}

static struct known *find_known(const struct tuner_search *search, size_t configuration)
{
    uint32_t place = search->place[configuration];
    return place ? &search->known[place - 1] : NULL;
}

/* A success has a time that can be compared, all else has none. */
static struct tuner_trial consistent(struct tuner_trial trial)
{
    if (trial.outcome == TUNER_OK && !(isfinite(trial.time_s) && trial.time_s >= 0.0))
        trial.outcome = TUNER_FAILED;
    if (trial.outcome != TUNER_OK)
        trial.time_s = NAN;
    if (!(trial.cost_s >= 0.0))
        trial.cost_s = 0.0;
    return trial;
}

void tuner_search_recall(struct tuner_search *search, size_t configuration,
                         const struct tuner_trial *trial)
{
    struct known *known = find_known(search, configuration);
    if (!known)
        known = add_known(search, configuration);
    *known = (struct known){.trial = consistent(*trial)};
}

void tuner_search_run(struct tuner_search *search, const struct tuner_strategy *strategy)
{
    strategy->run(search);
}

const struct tuner_progress *tuner_search_progress(const struct tuner_search *search)
{
    return &search->progress;
}

const struct tuner_search_options *tuner_search_options(const struct tuner_search *search)
{
    return &search->options;
}

bool tuner_search_over(const struct tuner_search *search)
{
    const struct tuner_search_options *options = &search->options;
    return search->stopped || search->progress.trials >= options->trials_most ||
           (options->cost_most_s > 0.0 && search->progress.cost_s >= options->cost_most_s);
}

static void count_trial(struct tuner_search *search, size_t configuration,
                        const struct tuner_trial *trial)
{
    struct tuner_progress *progress = &search->progress;

    progress->trials++;
    progress->count[trial->outcome]++;
    progress->cost_s += trial->cost_s;
    if (trial->outcome == TUNER_OK &&
        (!progress->found || trial->time_s < progress->best_trial.time_s)) {
        progress->found = true;
        progress->best = configuration;
        progress->best_trial = *trial;
    }
}

static double comparable_s(const struct tuner_trial *trial)
{
    return trial->outcome == TUNER_OK ? trial->time_s : INFINITY;
}

double tuner_search_try(struct tuner_search *search, size_t configuration)
{
    const struct tuner_search_options *options = &search->options;
    struct known *known = find_known(search, configuration);

    if (known && known->tried)
        return comparable_s(&known->trial);
    if (tuner_search_over(search))
        return INFINITY;
    if (known) {
        search->progress.known++;
    } else {
        struct tuner_trial trial = options->oracle.measure(options->oracle.context, configuration);
        known = add_known(search, configuration);
        known->trial = consistent(trial);
    }
    known->tried = true;
    struct tuner_trial trial = known->trial; /* the callback may recall, and so move them */
    count_trial(search, configuration, &trial);
    if (options->after_trial &&
        !options->after_trial(search, configuration, &trial, options->context))
        search->stopped = true;
    return comparable_s(&trial);
}

bool tuner_search_tried(const struct tuner_search *search, size_t configuration,
                        struct tuner_trial *trial)
{
    const struct known *known = find_known(search, configuration);
    if (!known || !known->tried)
        return false;
    if (trial)
        *trial = known->trial;
    return true;
}

uint64_t tuner_search_random(struct tuner_search *search, uint64_t bound)
{
    return random_below(search->options.seed, search->drawn++, bound);
}

double tuner_search_uniform(struct tuner_search *search)
{
    return random_uniform(search->options.seed, search->drawn++);
}

void tuner_search_add_model_time(struct tuner_search *search, double seconds)
{
    search->progress.model_s += seconds;
}

void tuner_search_end_iteration(struct tuner_search *search, size_t remaining_before,
                                size_t sampled, size_t pruned, const uint32_t *remaining)
{
    struct tuner_progress *progress = &search->progress;

    progress->iteration++;
    progress->remaining_before = remaining_before;
    progress->sampled = sampled;
    progress->pruned = pruned;
    progress->remaining = remaining;
    if (search->options.after_iteration)
        search->options.after_iteration(search, search->options.context);
    progress->remaining = NULL;
}
