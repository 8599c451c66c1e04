#include "stealing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
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
static enum dm_status expect(struct stealing *stealing)
{
    const struct stealing_problem *problem = &stealing->problem;
    int64_t steps = stealing_steps(problem, stealing->image, stealing->images);
    stealing->expected = malloc((size_t)problem->tasks * sizeof *stealing->expected);
    if (!stealing->expected)
        return error_no_memory((size_t)problem->tasks * sizeof *stealing->expected);
    for (int task = 0; task < problem->tasks; task++) {
        random_fill_bytes(stealing->stolen_data, problem->bytes, data_seed(stealing, task));
        stealing->expected[task] = stealing_sum(stealing->stolen_data, stealing->count, 0, steps);
    }
    return DM_OK;
}

static enum dm_status obtain(struct stealing *stealing)
{
    const struct stealing_problem *problem = &stealing->problem;
    size_t tasks = (size_t)problem->tasks;
    void *part;
    TRY(caf_allocate(&stealing->parts, sizeof(struct part), CAF_DATA, &part));
    TRY(caf_allocate(&stealing->data, tasks * problem->bytes, CAF_DATA,
                     (void **)&stealing->own_data));
    TRY(caf_allocate(&stealing->results, tasks * sizeof(struct result), CAF_DATA,
                     (void **)&stealing->own_results));
    stealing->stolen_data = malloc(problem->bytes);
    if (!stealing->stolen_data)
        return error_no_memory(problem->bytes);
    for (int task = 0; task < problem->tasks; task++)
        random_fill_bytes(stealing->own_data + (size_t)task * stealing->count, problem->bytes,
                          data_seed(stealing, task));
    return problem->check ? expect(stealing) : DM_OK;
}

enum dm_status stealing_create(struct stealing **stealing, const struct stealing_problem *problem)
{
    struct stealing *created = malloc(sizeof *created);
    if (!created)
        return error_no_memory(sizeof *created);
    *created = (struct stealing){.problem = *problem,
                                 .image = caf_this_image(),
                                 .images = caf_num_images(),
                                 .count = problem->bytes / sizeof(uint64_t)};
    enum dm_status status = obtain(created);
    if (status == DM_OK)
        *stealing = created;
    else
        stealing_free(created);
    return status;
}

void stealing_free(struct stealing *stealing)
{
    if (!stealing)
        return;
    struct caf_coarray *coarrays[] = {stealing->results, stealing->data, stealing->parts};
    for (int i = 0; i < 3; i++)
        if (coarrays[i])
            caf_free(coarrays[i]);
    free(stealing->stolen_data);
    free(stealing->expected);
    free(stealing);
}

enum dm_status stealing_reset(struct stealing *stealing, int threads)
{
    const struct part start = {.threads = threads};
    TRY(caf_sync_all());
    memcpy(caf_memory(stealing->parts), &start, sizeof start);
    memset(stealing->own_results, 0, (size_t)stealing->problem.tasks * sizeof(struct result));
    stealing->tasks_done = stealing->steps_done = stealing->threads_handed = 0;
    stealing->threads_max = 0;
    return caf_sync_all();
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

enum dm_status stealing_check(const struct stealing *stealing, struct stealing_outcome *outcome)
{
    enum { STOLEN, STEPS, TASKS, WRONG, SUMS };
    int64_t sum[SUMS] = {[STOLEN] = count_stolen(stealing) + stealing->threads_handed,
                         [STEPS] = stealing->steps_done,
                         [TASKS] = stealing->tasks_done,
                         [WRONG] = count_wrong(stealing)};
    int64_t largest[] = {stealing->steps_done, stealing->threads_max};
    TRY(caf_sum(sum, SUMS, CAF_INT64, 0));
    TRY(caf_max(largest, 2, CAF_INT64, 0));
    int64_t twice_or_never = sum[TASKS] - (int64_t)stealing->problem.tasks * stealing->images;
    double mean = (double)sum[STEPS] / stealing->images;
    *outcome = (struct stealing_outcome){
        .stolen = sum[STOLEN],
        .lambda = 100 * ((double)largest[0] / mean - 1),
        .threads_max = (int)largest[1],
        .errors = sum[WRONG] + labs(twice_or_never),
    };
    return DM_OK;
}
