#include "tuner_batch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "random.h"
#include "statistics.h"
#include "status.h"

enum { THREADS_MOST = 256 };

/* What one search found and took. */
struct outcome {
    double best, model_s, time_s;
};

struct work {
    const struct tuner_batch *batch;
    struct outcome *outcomes;
    _Atomic size_t next;
};

static struct outcome search_once(const struct tuner_batch *batch, size_t index)
{
    size_t iterations = (size_t)batch->iterations;
    struct tuner_search_options options = {.space = batch->space,
                                           .oracle = batch->oracle,
                                           .seed = random_bits(batch->seed, index),
                                           .trials_most = batch->samples,
                                           .model = batch->model,
                                           .samples =
                                               (batch->samples + iterations - 1) / iterations,
                                           .cut_ratio = batch->cut_ratio,
                                           .iterations = batch->iterations,
                                           .matrix = batch->matrix};
    double start_s = clock_now_s();
    struct tuner_search *search = tuner_search_open(&options);

    tuner_search_run(search, batch->strategy);
    const struct tuner_progress *progress = tuner_search_progress(search);
    struct outcome outcome = {.best = progress->found ? batch->best_s / progress->best_trial.time_s
                                                      : 0.0,
                              .model_s = progress->model_s,
                              .time_s = clock_now_s() - start_s};
    tuner_search_close(search);
    return outcome;
}

static void *work_on(void *context)
{
    struct work *work = context;

    for (size_t i; (i = work->next++) < work->batch->searches;)
        work->outcomes[i] = search_once(work->batch, i);
    return NULL;
}

static void run_threads(struct work *work)
{
    pthread_t threads[THREADS_MOST];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = cores < 1 ? 1 : cores > THREADS_MOST ? THREADS_MOST : (size_t)cores;
    size_t started = 0;

    while (started + 1 < count && pthread_create(&threads[started], NULL, work_on, work) == 0)
        started++;
    work_on(work);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

void tuner_batch_run(const struct tuner_batch *batch, struct tuner_batch_result *result)
{
    struct work work = {.batch = batch,
                        .outcomes = allocate_or_fail(batch->searches, sizeof *work.outcomes)};
    double share = 1.0 / (double)batch->searches;

    run_threads(&work);
    result->best_mean = result->model_s = result->time_s = 0.0;
    for (size_t i = 0; i < batch->searches; i++) {
        result->best[i] = work.outcomes[i].best;
        result->best_mean += share * work.outcomes[i].best;
        result->model_s += share * work.outcomes[i].model_s;
        result->time_s += share * work.outcomes[i].time_s;
    }
    statistics_sort(result->best, batch->searches);
    free(work.outcomes);
}
