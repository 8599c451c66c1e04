#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <datamotion/tuner.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/random.h"
#include "common/statistics.h"

#include "allocate.h"

enum { THREADS_MAX = 256 };

/* What one search found and took. */
struct outcome {
    double best, model_s, time_s;
    double best_s;  /* of the batch */
    double *course; /* what was found after each trial; NULL: not wanted */
};

struct work {
    const struct tuner_batch *batch;
    struct outcome *outcomes;
    _Atomic size_t next;
    /* The first error, with its sentence: messages belong to the thread that failed. */
    pthread_mutex_t mutex;
    enum dm_status status;
    char message[1024];
};

static double found_of(const struct tuner_progress *progress, double best_s)
{
    return progress->found ? best_s / progress->best_trial.time_s : 0.0;
}

static enum dm_status follow(struct tuner_search *search, size_t configuration,
                             const struct tuner_trial *trial, void *context)
{
    const struct tuner_progress *progress = tuner_search_progress(search);
    const struct outcome *outcome = context;

    (void)configuration;
    (void)trial;
    outcome->course[progress->trials - 1] = found_of(progress, outcome->best_s);
    return DM_OK;
}

static enum dm_status search_once(const struct tuner_batch *batch, size_t index,
                                  struct outcome *outcome)
{
    size_t iterations = (size_t)batch->iterations;
    struct tuner_search_options options = {.space = batch->space,
                                           .objective = batch->objective,
                                           .seed = random_bits(batch->seed, index),
                                           .trials_max = batch->samples,
                                           .model = batch->model,
                                           .samples =
                                               (batch->samples + iterations - 1) / iterations,
                                           .cut_ratio = batch->cut_ratio,
                                           .iterations = batch->iterations,
                                           .matrix = batch->matrix,
                                           .prior = batch->prior,
                                           .after_trial = outcome->course ? follow : NULL,
                                           .context = outcome};
    double start_s = clock_now_s();
    struct tuner_search *search;

    TRY(tuner_search_open(&search, &options));
    enum dm_status status = tuner_search_run(search, batch->strategy);
    const struct tuner_progress *progress = tuner_search_progress(search);
    outcome->best = found_of(progress, batch->best_s);
    for (size_t i = progress->trials; outcome->course && i < batch->samples; i++)
        outcome->course[i] = outcome->best;
    outcome->model_s = progress->model_s;
    outcome->time_s = clock_now_s() - start_s;
    tuner_search_close(search);
    return status;
}

/* Keeps the error, unless there is one already, and leaves nothing to do for the others. */
static void end_work(struct work *work, enum dm_status status)
{
    pthread_mutex_lock(&work->mutex);
    if (work->status == DM_OK) {
        work->status = status;
        snprintf(work->message, sizeof work->message, "%s", dm_message());
    }
    pthread_mutex_unlock(&work->mutex);
    work->next = work->batch->searches;
}

static void *work_on(void *context)
{
    struct work *work = context;

    for (size_t i; (i = work->next++) < work->batch->searches;) {
        enum dm_status status = search_once(work->batch, i, &work->outcomes[i]);
        if (status != DM_OK)
            end_work(work, status);
    }
    return NULL;
}

static void run_threads(struct work *work)
{
    pthread_t threads[THREADS_MAX];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (size_t)cores;
    size_t started = 0;

    while (started + 1 < count && pthread_create(&threads[started], NULL, work_on, work) == 0)
        started++;
    work_on(work);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

static void summarise(const struct work *work, struct tuner_batch_result *result)
{
    size_t searches = work->batch->searches;
    double share = 1.0 / (double)searches;

    result->best_mean = result->model_s = result->time_s = 0.0;
    for (size_t i = 0; i < searches; i++) {
        result->best[i] = work->outcomes[i].best;
        result->best_mean += share * work->outcomes[i].best;
        result->model_s += share * work->outcomes[i].model_s;
        result->time_s += share * work->outcomes[i].time_s;
    }
    statistics_sort(result->best, searches);
}

enum dm_status tuner_batch_run(const struct tuner_batch *batch, struct tuner_batch_result *result)
{
    struct work work = {.batch = batch, .mutex = PTHREAD_MUTEX_INITIALIZER};

    if (batch->searches < 1 || batch->samples < 1 || batch->iterations < 1)
        return dm_fail(DM_INVALID,
                       "a batch of %zu searches with %zu samples in %ld iterations: all of them "
                       "must be at least 1",
                       batch->searches, batch->samples, batch->iterations);
    work.outcomes = allocate(batch->searches, sizeof *work.outcomes);
    if (!work.outcomes)
        return DM_NO_MEMORY;
    for (size_t i = 0; i < batch->searches; i++) {
        work.outcomes[i].best_s = batch->best_s;
        work.outcomes[i].course = result->course ? result->course + i * batch->samples : NULL;
    }
    run_threads(&work);
    if (work.status == DM_OK)
        summarise(&work, result);
    free(work.outcomes);
    return work.status == DM_OK ? DM_OK : dm_fail(work.status, "%s", work.message);
}
