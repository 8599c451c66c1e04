/* What a search knows: its trials, its limits and its random numbers. */
#include <math.h>
#include <stdlib.h>

#include <datamotion/tuner.h>

#include "common/error.h"
#include "common/random.h"

#include "allocate.h"
#include "search_internal.h"

/* A configuration of which the trial is known. */
struct known {
    struct tuner_trial trial;
    uint32_t configuration;
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

const char *tuner_outcome_name(enum tuner_outcome outcome)
{
    static const char *const names[TUNER_OUTCOMES] = {"ok", "invalid", "failed", "hanging"};
    return (unsigned)outcome < TUNER_OUTCOMES ? names[outcome] : "unknown";
}

size_t tuner_search_samples(double pick_ratio, size_t size)
{
    double samples = round(pick_ratio * (double)size);
    if (!(samples >= 1.0))
        return 1;
    return samples < (double)size ? (size_t)samples : size;
}

enum dm_status tuner_search_open(struct tuner_search **search,
                                 const struct tuner_search_options *options)
{
    struct tuner_search *opened = allocate(1, sizeof *opened);
    size_t size = tuner_space_size(options->space);

    *search = NULL;
    if (!opened)
        return DM_NO_MEMORY;
    opened->options = *options;
    if (options->trials_max == 0 || options->trials_max > size)
        opened->options.trials_max = size;
    opened->place = allocate(size, sizeof *opened->place);
    if (!opened->place) {
        tuner_search_close(opened);
        return DM_NO_MEMORY;
    }
    *search = opened;
    return DM_OK;
}

void tuner_search_close(struct tuner_search *search)
{
    if (!search)
        return;
    free(search->known);
    free(search->place);
    free(search);
}

/* Makes room for one more. Doubling from little: most searches try a small share of a space. */
static enum dm_status make_room(struct tuner_search *search)
{
    if (search->known_count < search->known_room)
        return DM_OK;
    size_t room = search->known_room ? 2 * search->known_room : 64;
    struct known *known = realloc(search->known, room * sizeof *known);
    if (!known)
        return error_no_memory(room * sizeof *known);
    search->known = known;
    search->known_room = room;
    return DM_OK;
}

/* There must be room. */
static struct known *add_known(struct tuner_search *search, size_t configuration)
{
    struct known *added = &search->known[search->known_count++];
    search->place[configuration] = (uint32_t)search->known_count;
    added->configuration = (uint32_t)configuration;
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
    if ((unsigned)trial.outcome >= TUNER_OUTCOMES ||
        (trial.outcome == TUNER_OK && !(isfinite(trial.time_s) && trial.time_s >= 0.0)))
        trial.outcome = TUNER_FAILED;
    if (trial.outcome != TUNER_OK)
        trial.time_s = NAN;
    if (!(trial.cost_s >= 0.0))
        trial.cost_s = 0.0;
    return trial;
}

enum dm_status tuner_objective_measure(struct tuner_objective objective, size_t configuration,
                                       struct tuner_trial *trial)
{
    *trial = (struct tuner_trial){.outcome = TUNER_OK};
    TRY(objective.measure(objective.context, configuration, trial));
    *trial = consistent(*trial);
    return DM_OK;
}

enum dm_status tuner_search_run(struct tuner_search *search, const struct tuner_strategy *strategy)
{
    return strategy->run(search);
}

void tuner_search_stop(struct tuner_search *search)
{
    search->stopped = true;
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
    return search->stopped || search->progress.trials >= options->trials_max ||
           (options->cost_max_s > 0.0 && search->progress.cost_s >= options->cost_max_s);
}

static void count_trial(struct tuner_search *search, size_t configuration,
                        const struct tuner_trial *trial)
{
    struct tuner_progress *progress = &search->progress;

    progress->trials++;
    progress->count[trial->outcome]++;
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

enum dm_status tuner_search_recall(struct tuner_search *search, size_t configuration,
                                   const struct tuner_trial *trial)
{
    if (find_known(search, configuration))
        return DM_OK;
    TRY(make_room(search));
    struct known *known = add_known(search, configuration);
    known->trial = consistent(*trial);
    search->progress.known++;
    count_trial(search, configuration, &known->trial);
    return DM_OK;
}

static enum dm_status try_new(struct tuner_search *search, size_t configuration,
                              struct tuner_trial *trial)
{
    const struct tuner_search_options *options = &search->options;

    TRY(tuner_objective_measure(options->objective, configuration, trial));
    TRY(make_room(search));
    add_known(search, configuration)->trial = *trial;
    count_trial(search, configuration, trial);
    search->progress.cost_s += trial->cost_s;
    return options->after_trial
               ? options->after_trial(search, configuration, trial, options->context)
               : DM_OK;
}

enum dm_status tuner_search_try(struct tuner_search *search, size_t configuration, double *time_s)
{
    struct tuner_trial trial;

    *time_s = INFINITY;
    if (!tuner_search_tried(search, configuration, &trial)) {
        if (tuner_search_over(search))
            return DM_OK;
        TRY(try_new(search, configuration, &trial));
    }
    *time_s = comparable_s(&trial);
    return DM_OK;
}

bool tuner_search_tried(const struct tuner_search *search, size_t configuration,
                        struct tuner_trial *trial)
{
    const struct known *known = find_known(search, configuration);
    if (!known)
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

size_t search_known(const struct tuner_search *search, size_t place)
{
    return search->known[place].configuration;
}

void search_add_model_time(struct tuner_search *search, double seconds)
{
    search->progress.model_s += seconds;
}

enum dm_status search_expect(struct tuner_search *search, const size_t *configurations,
                             size_t count)
{
    const struct tuner_search_options *options = &search->options;

    return options->expect ? options->expect(search, configurations, count, options->context)
                           : DM_OK;
}

enum dm_status search_end_iteration(struct tuner_search *search, size_t remaining_before,
                                    size_t sampled, size_t pruned, const uint32_t *remaining)
{
    struct tuner_progress *progress = &search->progress;
    const struct tuner_search_options *options = &search->options;
    enum dm_status status = DM_OK;

    progress->iteration++;
    progress->remaining_before = remaining_before;
    progress->sampled = sampled;
    progress->pruned = pruned;
    progress->remaining = remaining;
    if (options->after_iteration)
        status = options->after_iteration(search, options->context);
    progress->remaining = NULL;
    return status;
}
