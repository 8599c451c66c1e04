#include "stealing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "stealing_internal.h"
#include "stealing_task.h"

int64_t stealing_steps(const struct stealing_problem *problem, int image, int images)
{
    if (images == 1)
        return problem->operations;
    double relative = 1 + (problem->skew - 1) * (image - 1) / (images - 1);
    return llround((double)problem->operations * relative / ((1 + problem->skew) / 2));
}

/* Seed of the data of one of this image's tasks. */
static uint64_t data_seed(const struct stealing *stealing, int task)
{
    int64_t index = (int64_t)stealing->image * stealing->problem.tasks + task;
    return random_bits(stealing->problem.seed, (uint64_t)index);
}

/* Without OpenMP's cuts, coarrays or other images; from data made anew. */
static uint64_t *expect(const struct stealing *stealing)
{
    const struct stealing_problem *problem = &stealing->problem;
    int64_t steps = stealing_steps(problem, stealing->image, stealing->images);
    uint64_t *expected = allocate_or_fail((size_t)problem->tasks, sizeof *expected);
    uint64_t *data = allocate_or_fail(problem->bytes, 1);
    for (int task = 0; task < problem->tasks; task++) {
        random_fill_bytes(data, problem->bytes, data_seed(stealing, task));
        expected[task] = stealing_sum(data, stealing->count, 0, steps);
    }
    free(data);
    return expected;
}

struct stealing *stealing_create(const struct stealing_problem *problem)
{
    struct stealing *stealing = allocate_or_fail(1, sizeof *stealing);
    size_t tasks = (size_t)problem->tasks;
    void *part;
    *stealing = (struct stealing){.problem = *problem,
                                  .image = caf_this_image(),
                                  .images = caf_num_images(),
                                  .count = problem->bytes / sizeof(uint64_t)};
    check_caf(caf_allocate(&stealing->parts, sizeof(struct part), CAF_DATA, &part));
    check_caf(caf_allocate(&stealing->data, tasks * problem->bytes, CAF_DATA,
                           (void **)&stealing->own_data));
    check_caf(caf_allocate(&stealing->results, tasks * sizeof(struct result), CAF_DATA,
                           (void **)&stealing->own_results));
    stealing->stolen_data = allocate_or_fail(problem->bytes, 1);
    for (int task = 0; task < problem->tasks; task++)
        random_fill_bytes(stealing->own_data + (size_t)task * stealing->count, problem->bytes,
                          data_seed(stealing, task));
    if (problem->check)
        stealing->expected = expect(stealing);
    return stealing;
}

void stealing_free(struct stealing *stealing)
{
    check_caf(caf_free(stealing->results));
    check_caf(caf_free(stealing->data));
    check_caf(caf_free(stealing->parts));
    free(stealing->stolen_data);
    free(stealing->expected);
    free(stealing);
}

void stealing_reset(struct stealing *stealing, int threads)
{
    const struct part start = {.threads = threads};
    check_caf(caf_sync_all());
    memcpy(caf_memory(stealing->parts), &start, sizeof start);
    memset(stealing->own_results, 0, (size_t)stealing->problem.tasks * sizeof(struct result));
    stealing->tasks_done = stealing->steps_done = stealing->threads_handed = 0;
    stealing->threads_max = 0;
    check_caf(caf_sync_all());
}

/* Of this image's part. */
static long count_wrong(const struct stealing *stealing)
{
    long wrong = 0;
    for (int task = 0; stealing->expected && task < stealing->problem.tasks; task++)
        wrong += stealing->own_results[task].sum != stealing->expected[task];
    return wrong;
}

/* Of this image's part: done by another one. */
static int64_t count_stolen(const struct stealing *stealing)
{
    int64_t stolen = 0;
    for (int task = 0; task < stealing->problem.tasks; task++) {
        int64_t by = stealing->own_results[task].image;
        stolen += by != 0 && by != stealing->image;
    }
    return stolen;
}

struct stealing_outcome stealing_check(const struct stealing *stealing)
{
    int64_t stolen = images_sum(count_stolen(stealing) + stealing->threads_handed);
    int64_t all_steps = images_sum(stealing->steps_done);
    int64_t twice_or_never =
        images_sum(stealing->tasks_done) - (int64_t)stealing->problem.tasks * stealing->images;
    double mean = (double)all_steps / stealing->images;
    return (struct stealing_outcome){
        .stolen = stolen,
        .lambda = 100 * (ranks.max((double)stealing->steps_done) / mean - 1),
        .threads_max = (int)ranks.max(stealing->threads_max),
        .errors = images_sum(count_wrong(stealing)) + labs(twice_or_never),
    };
}
