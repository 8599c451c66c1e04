#include "transfer_task.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/exit.h"

#include "images.h"

/* ---- who works with whom; ranks count from 0 ---- */

static bool is_active(const struct transfer_task *task, int rank)
{
    return task->partners == SINGLE ? rank == 0 : rank < ranks.count / 2;
}

/* Whose memory an active rank reads and writes. */
static int partner_of(const struct transfer_task *task, int rank)
{
    if (task->local)
        return rank;
    return task->partners == SINGLE ? ranks.count - 1 : rank + ranks.count / 2;
}

/* The active rank that works with this rank's memory; -1: none. */
static int user_of(const struct transfer_task *task, int rank)
{
    for (int user = 0; user < ranks.count; user++)
        if (is_active(task, user) && partner_of(task, user) == rank)
            return user;
    return -1;
}

/* ---- one sample ---- */

double transfer_sample(void *context)
{
    const struct transfer_task *task = context;
    const struct transfer_kernels *kernels = task->kernels;
    int image = partner_of(task, ranks.rank) + 1;
    int64_t elements = (int64_t)task->pattern.elements, stride = (int64_t)task->pattern.stride;
    double *local = task->local_memory + PATTERN_GUARD;
    double time_s = 0;
    if (is_active(task, ranks.rank)) {
        double start_s = clock_now_s();
        if (task->operation == PUT)
            kernels->put(image, PATTERN_GUARD, elements, stride, task->times, local);
        else
            kernels->get(image, PATTERN_GUARD, elements, stride, task->times, local);
        time_s = (clock_now_s() - start_s) / task->times;
    }
    kernels->wait();
    return time_s;
}

/* ---- before and after ---- */

static uint64_t seed_of(const struct transfer_task *task, int rank)
{
    return task->seed + (uint64_t)rank;
}

void transfer_task_open(struct transfer_task *task)
{
    size_t length = pattern_length(task->pattern);
    task->memory = task->kernels->open((int64_t)length, (int64_t)task->pattern.elements,
                                       (int64_t)task->pattern.stride);
    size_t bytes = pattern_length(task->packed) * sizeof(double);
    task->local_memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    check_errno(task->local_memory != NULL);
    if (task->operation == PUT) {
        pattern_clear(task->memory, task->pattern);
        pattern_fill(task->local_memory, task->packed, seed_of(task, ranks.rank));
    } else {
        pattern_fill(task->memory, task->pattern, seed_of(task, ranks.rank));
        pattern_clear(task->local_memory, task->packed);
    }
    task->kernels->wait();
}

static long count_wrong(const struct transfer_task *task)
{
    if (task->operation == PUT) {
        int user = user_of(task, ranks.rank);
        return user < 0 ? pattern_wrong_empty(task->memory, task->pattern)
                        : pattern_wrong(task->memory, task->pattern, seed_of(task, user));
    }
    if (!is_active(task, ranks.rank))
        return pattern_wrong_empty(task->local_memory, task->packed);
    return pattern_wrong(task->local_memory, task->packed,
                         seed_of(task, partner_of(task, ranks.rank)));
}

long transfer_errors(const struct transfer_task *task)
{
    return images_sum(count_wrong(task));
}

void transfer_task_close(void *context)
{
    struct transfer_task *task = context;
    task->kernels->close();
    free(task->local_memory);
}
