/* The strategies: process work stealing and thread work stealing (Fanfarillo 2016, 7.3.2.3 and
 * 7.3.2.4). The thesis leaves open how much is stolen, how
 * equal images are told apart and when it ends: one task at a time; from the lower image; when no
 * image has a task left that nobody has taken. */
#include <math.h>
#include <omp.h>
#include <time.h>

#include "common/clock.h"

#include "stealing_internal.h"
#include "stealing_task.h"

/* ---- words of parts ---- */

static int32_t word_get(const struct stealing *stealing, int image, size_t offset)
{
    int32_t value;
    check_caf(caf_atomic_ref(stealing->parts, image, offset, &value));
    return value;
}

static void word_set(const struct stealing *stealing, size_t offset, int32_t value)
{
    check_caf(caf_atomic_define(stealing->parts, stealing->image, offset, value));
}

static int32_t word_change(const struct stealing *stealing, int image, size_t offset,
                           enum caf_operation operation, int32_t value)
{
    int32_t old;
    check_caf(caf_atomic_operation(stealing->parts, image, offset, operation, value, &old));
    return old;
}

/* ---- tasks ---- */

/* The next task of an image's part, or -1. */
static int take(const struct stealing *stealing, int image)
{
    int task = word_change(stealing, image, offsetof(struct part, next), CAF_ADD, 1);
    return task < stealing->problem.tasks ? task : -1;
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
static void tell_time(const struct stealing *stealing, double time_s)
{
    int32_t before = word_get(stealing, stealing->image, offsetof(struct part, task_ns));
    double now = fmin(1e9 * time_s, INT32_MAX);
    double smoothed = before ? (before + now) / 2 : now;
    word_set(stealing, offsetof(struct part, task_ns), (int32_t)fmax(smoothed, 1));
}

static void compute_own_part(struct stealing *stealing)
{
    int task;
    while ((task = take(stealing, stealing->image)) >= 0) {
        omp_set_num_threads(word_get(stealing, stealing->image, offsetof(struct part, threads)));
        double start_s = clock_now_s();
        stealing->own_results[task] =
            compute(stealing, stealing->image, stealing->own_data + (size_t)task * stealing->count);
        tell_time(stealing, clock_now_s() - start_s);
    }
}

/* ---- whom to help ---- */

/* The image whose tasks that nobody has taken yet will last longest, the first of several, or 0.
 * A first task that is not finished has lasted since the start at least. */
static int slowest(const struct stealing *stealing, bool near_only, double start_s)
{
    double longest = 0, elapsed_ns = 1e9 * (clock_now_s() - start_s);
    int slowest = 0;
    for (int image = 1; image <= stealing->images; image++) {
        if (near_only && !caf_is_near(image))
            continue;
        int left = stealing->problem.tasks - word_get(stealing, image, offsetof(struct part, next));
        int32_t task_ns = word_get(stealing, image, offsetof(struct part, task_ns));
        double remaining = left * (task_ns ? task_ns : elapsed_ns);
        if (left > 0 && remaining > longest) {
            longest = remaining;
            slowest = image;
        }
    }
    return slowest;
}

static void steal_tasks(struct stealing *stealing, double start_s)
{
    int victim;
    while ((victim = slowest(stealing, false, start_s))) {
        int task = take(stealing, victim);
        if (task < 0)
            continue;
        size_t bytes = stealing->problem.bytes;
        check_caf(
            caf_get(stealing->stolen_data, stealing->data, victim, (size_t)task * bytes, bytes));
        struct result result = compute(stealing, victim, stealing->stolen_data);
        check_caf(caf_put(stealing->results, victim, (size_t)task * sizeof result, &result,
                          sizeof result));
    }
}

/* Threads given to an image that has handed on its own a moment before would be lost: then its word
 * was 0, and they are taken back, with what others gave it in between. */
static void hand_threads(struct stealing *stealing, double start_s)
{
    const size_t offset = offsetof(struct part, threads);
    int threads = word_change(stealing, stealing->image, offset, CAF_AND, 0);
    int slow;
    while (threads && (slow = slowest(stealing, true, start_s))) {
        if (word_change(stealing, slow, offset, CAF_ADD, threads)) {
            stealing->threads_handed += threads;
            return;
        }
        threads = word_change(stealing, slow, offset, CAF_AND, 0);
    }
}

/* Asleep, because who waits must not take the core from who computes, in whatever strategy. The
 * program's time limit ends a wait for an image that never comes. */
static void wait_for_all(const struct stealing *stealing)
{
    const size_t offset = offsetof(struct part, finished);
    for (int image = 1; image <= stealing->images; image++)
        word_change(stealing, image, offset, CAF_ADD, 1);
    while (word_get(stealing, stealing->image, offset) < stealing->images)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    check_caf(caf_sync_all());
}

void stealing_run(struct stealing *stealing, enum stealing_strategy strategy)
{
    double start_s = clock_now_s();
    compute_own_part(stealing);
    if (strategy == STEALING_PROCESS)
        steal_tasks(stealing, start_s);
    if (strategy == STEALING_THREAD)
        hand_threads(stealing, start_s);
    wait_for_all(stealing);
}
