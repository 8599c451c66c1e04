/* The strategies: process work stealing and thread work stealing (Fanfarillo 2016, 7.3.2.3 and
 * 7.3.2.4). The thesis leaves open how much is stolen, which of several equally slow images is
 * helped, and when it ends: here one task at a time; the one with the lowest number; when every
 * task has been taken. */
#include <math.h>
#include <omp.h>
#include <time.h>

#include "common/clock.h"
#include "common/error.h"

#include "stealing_internal.h"
#include "stealing_task.h"

/* ---- words of parts ---- */

static enum dm_status word_get(const struct stealing *stealing, int image, size_t offset,
                               int32_t *value)
{
    return caf_atomic_ref(stealing->parts, image, offset, value);
}

static enum dm_status word_set(const struct stealing *stealing, size_t offset, int32_t value)
{
    return caf_atomic_define(stealing->parts, stealing->image, offset, value);
}

static enum dm_status word_change(const struct stealing *stealing, int image, size_t offset,
                                  enum caf_operation operation, int32_t value, int32_t *old)
{
    return caf_atomic_operation(stealing->parts, image, offset, operation, value, old);
}

/* ---- tasks ---- */

/* The next task of an image's part, or -1. */
static enum dm_status take(const struct stealing *stealing, int image, int *task)
{
    int32_t next;
    TRY(word_change(stealing, image, offsetof(struct part, next), CAF_ADD, 1, &next));
    *task = next < stealing->problem.tasks ? next : -1;
    return DM_OK;
}

static struct result compute(struct stealing *stealing, int owner, const uint64_t *data)
{
    int64_t steps = stealing_steps(&stealing->problem, owner, stealing->images);
    int threads;
    struct result result = {stealing_compute(data, stealing->count, steps, &threads),
                            stealing->image};
    stealing->tasks_done++;
    stealing->steps_done += steps;
    if (threads > stealing->threads_max)
        stealing->threads_max = threads;
    return result;
}

/* The mean of the last time and those before follows a change of the number of threads. */
static enum dm_status tell_time(const struct stealing *stealing, double time_s)
{
    const size_t offset = offsetof(struct part, task_ns);
    int32_t before;
    TRY(word_get(stealing, stealing->image, offset, &before));
    double now = fmin(1e9 * time_s, INT32_MAX);
    double smoothed = before ? (before + now) / 2 : now;
    return word_set(stealing, offset, (int32_t)fmax(smoothed, 1));
}

static enum dm_status compute_own_part(struct stealing *stealing)
{
    int task;
    for (;;) {
        int32_t threads;
        TRY(take(stealing, stealing->image, &task));
        if (task < 0)
            return DM_OK;
        TRY(word_get(stealing, stealing->image, offsetof(struct part, threads), &threads));
        omp_set_num_threads(threads);
        double start_s = clock_now_s();
        stealing->own_results[task] =
            compute(stealing, stealing->image, stealing->own_data + (size_t)task * stealing->count);
        TRY(tell_time(stealing, clock_now_s() - start_s));
    }
}

/* ---- whom to help ---- */

/* *found is the image whose tasks that nobody has taken yet will last longest, the first of
 * several, or 0. A first task that is not finished has lasted since the start at least. */
static enum dm_status find_slowest(const struct stealing *stealing, bool near_only, double start_s,
                                   int *found)
{
    double longest = 0, elapsed_ns = 1e9 * (clock_now_s() - start_s);
    *found = 0;
    for (int image = 1; image <= stealing->images; image++) {
        int32_t next, task_ns;
        if (near_only && !caf_is_near(image))
            continue;
        TRY(word_get(stealing, image, offsetof(struct part, next), &next));
        TRY(word_get(stealing, image, offsetof(struct part, task_ns), &task_ns));
        int left = stealing->problem.tasks - next;
        double remaining = left * (task_ns ? task_ns : elapsed_ns);
        if (left > 0 && remaining > longest) {
            longest = remaining;
            *found = image;
        }
    }
    return DM_OK;
}

static enum dm_status steal_tasks(struct stealing *stealing, double start_s)
{
    const size_t bytes = stealing->problem.bytes;
    int victim, task;
    for (;;) {
        TRY(find_slowest(stealing, false, start_s, &victim));
        if (victim == 0)
            return DM_OK;
        TRY(take(stealing, victim, &task));
        if (task < 0)
            continue;
        TRY(caf_get(stealing->stolen_data, stealing->data, victim, (size_t)task * bytes, bytes));
        struct result result = compute(stealing, victim, stealing->stolen_data);
        TRY(caf_put(stealing->results, victim, (size_t)task * sizeof result, &result,
                    sizeof result));
    }
}

/* Threads given to an image that has handed on its own a moment before would be lost: then its word
 * was 0, and they are taken back, with what others gave it in between. */
static enum dm_status hand_threads(struct stealing *stealing, double start_s)
{
    const size_t offset = offsetof(struct part, threads);
    int32_t threads, before;
    int slow;
    TRY(word_change(stealing, stealing->image, offset, CAF_AND, 0, &threads));
    while (threads) {
        TRY(find_slowest(stealing, true, start_s, &slow));
        if (slow == 0)
            return DM_OK;
        TRY(word_change(stealing, slow, offset, CAF_ADD, threads, &before));
        if (before) {
            stealing->threads_handed += threads;
            return DM_OK;
        }
        TRY(word_change(stealing, slow, offset, CAF_AND, 0, &threads));
    }
    return DM_OK;
}

/* Asleep, because an image that waits must not take the core from one that computes, in whatever
 * strategy. The program's time limit ends a wait for an image that never comes. */
static enum dm_status wait_for_all(const struct stealing *stealing)
{
    const size_t offset = offsetof(struct part, finished);
    int32_t finished = 0;
    for (int image = 1; image <= stealing->images; image++)
        TRY(word_change(stealing, image, offset, CAF_ADD, 1, NULL));
    for (;;) {
        TRY(word_get(stealing, stealing->image, offset, &finished));
        if (finished >= stealing->images)
            return caf_sync_all();
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
}

enum dm_status stealing_run(struct stealing *stealing, enum stealing_strategy strategy)
{
    double start_s = clock_now_s();
    TRY(compute_own_part(stealing));
    if (strategy == STEALING_PROCESS)
        TRY(steal_tasks(stealing, start_s));
    if (strategy == STEALING_THREAD)
        TRY(hand_threads(stealing, start_s));
    return wait_for_all(stealing);
}
