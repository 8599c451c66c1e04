/* coarrays_fetch_add: what an atomic fetch-and-add on image 1 costs, by the number of images that
 * do it and by what image 1 does meanwhile (Fanfarillo 2016, 7.4.2.3 and 7.4.9.2; S94, S96). */
#include <stdlib.h>
#include <time.h>
#include <mpi.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "coarrays/hetero/tasks_counter.h"
#include "coarrays/hetero/tasks_progress.h"
#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/random.h"

enum { CAF_WAY, MPI_WAY, WAYS };
static const struct variant variants[] = {
    [CAF_WAY] = {"caf", "caf_atomic_operation: the processor's atomics on one node, else MPI's"},
    [MPI_WAY] = {"mpi", "MPI_Fetch_and_op and MPI_Win_flush on an MPI window, on one node, too"},
    {0},
};

static const char *contender_list, *progress_list = "idle,manual,thread", *request_list = "1,2,4,8";
static double slice_s = 20e-6;
static const struct program_option options[] = {
    {"contenders", OPTION_TEXT, &contender_list, "LIST",
     "images that add at the same time, from image 2 on; left out: 1 to all others", 0, 0},
    {"progress", OPTION_TEXT, &progress_list, "LIST",
     "what image 1 does: idle (waits inside MPI), manual (computes, and calls MPI_Iprobe after "
     "each slice), thread (computes while a thread calls MPI_Iprobe)",
     0, 0},
    {"per-request", OPTION_TEXT, &request_list, "LIST", "what a request adds: tasks it takes", 0,
     0},
    {"slice", OPTION_REAL, &slice_s, "SECONDS", "computation of image 1 between two probes", 1e-6,
     1},
    {0},
};

static const struct column columns[] = {
    {"contenders", COLUMN_PARAMETER, "images that add at the same time"},
    {"progress", COLUMN_PARAMETER, "what image 1 does: idle, manual or thread"},
    {"per_request", COLUMN_PARAMETER, "what a request adds: tasks that it takes"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"operations", COLUMN_METRIC, "requests of all images in a sample"},
    {0},
};

struct task {
    int variant, contenders, per_request;
    enum tasks_progress progress;
    struct tasks_counter counter;
    struct tasks_counter ended; /* samples that contenders have ended: image 1 computes so long */
    int times;                  /* requests of each contender in a sample */
    int samples;
    /* How many numbers this image has got, and the sum of what random_bits makes of each: it tells,
     * all but surely, whether they are the right ones, and costs a nanosecond. */
    uint64_t requests, fingerprint;
};

static bool is_contender(const struct task *task)
{
    return ranks.rank >= 1 && ranks.rank <= task->contenders;
}

/* ---- samples ---- */

static double contend(struct task *task)
{
    double start_s = clock_now_s();
    for (int i = 0; i < task->times; i++)
        task->fingerprint += random_bits(0, tasks_counter_add(&task->counter, task->per_request));
    double time_s = (clock_now_s() - start_s) / task->times;
    task->requests += (uint64_t)task->times;
    if (task->progress != TASKS_IDLE)
        tasks_counter_add(&task->ended, 1);
    return time_s;
}

static void serve(struct task *task)
{
    tasks_progress_compute(task->progress, slice_s, task->ended.memory,
                           task->samples * task->contenders);
    tasks_progress_stop(task->progress);
}

/* Images that take no part sleep: where there are more images than cores, they would take time from
 * those that do. */
static void wait_for_all(bool asleep)
{
    MPI_Request request;
    int done = 0;
    check_mpi(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    while (asleep && !done) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
    check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static double sample(void *context)
{
    struct task *task = context;
    double time_s = 0;
    task->samples++;
    if (ranks.rank == 0)
        tasks_progress_start(task->progress);
    ranks.barrier();
    if (ranks.rank == 0)
        serve(task);
    else if (is_contender(task))
        time_s = contend(task);
    wait_for_all(ranks.rank > task->contenders);
    return time_s;
}

/* ---- one configuration ---- */

static void open_task(struct task *task)
{
    task->counter = tasks_counter_open(task->variant == CAF_WAY);
    task->ended = tasks_counter_open(true);
    batch_calibrate(sample, task, &task->times);
}

static void close_task(struct task *task)
{
    tasks_counter_close(&task->ended);
    tasks_counter_close(&task->counter);
}

/* All requests together must have got 0, k, 2 k, ..., modulo 2^32, each once, and the counter must
 * stand at the next one. Each image makes a part of the fingerprint that is expected. */
static long errors(const struct task *task)
{
    uint64_t requests = (uint64_t)images_sum((long)task->requests);
    uint64_t step = (uint64_t)task->per_request;
    uint64_t missing = -task->fingerprint;
    for (uint64_t i = (uint64_t)ranks.rank; i < requests; i += (uint64_t)ranks.count)
        missing += random_bits(0, (uint32_t)(i * step));
    bool wrong_counter = tasks_counter_add(&task->counter, 0) != (uint32_t)(requests * step);
    return (images_sum((long)missing) != 0) + (images_sum(wrong_counter) != 0);
}

static void record(struct run *run, const struct task *task, const struct subject *subject)
{
    long wrong = run->settings.check ? errors(task) : 0;
    int nodes = images_nodes();
    struct value values[] = {integer(task->contenders), text(tasks_progress_names[task->progress]),
                             integer(task->per_request), integer(nodes),
                             integer((int64_t)task->times * task->contenders)};
    for (size_t k = 0; k < subject->count; k++)
        record_values(run, subject->variant, (int)k, values, subject->times_s[k], wrong);
}

static void measure_contenders(struct run *run, unsigned progresses, int contenders,
                               int per_request)
{
    struct task tasks[WAYS * TASKS_PROGRESSES];
    struct subject subjects[WAYS * TASKS_PROGRESSES];
    size_t count = 0;
    for (int i = 0; i < WAYS * TASKS_PROGRESSES; i++) {
        int way = i % WAYS, progress = i / WAYS;
        if (!program_wants(run, variants[way].name) || !(progresses >> progress & 1))
            continue;
        tasks[count] = (struct task){.variant = way,
                                     .contenders = contenders,
                                     .per_request = per_request,
                                     .progress = (enum tasks_progress)progress};
        open_task(&tasks[count]);
        subjects[count] = (struct subject){
            .variant = variants[way].name, .sample = sample, .context = &tasks[count]};
        count++;
    }
    program_note(run, "%d contenders, %d per request", contenders, per_request);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i]);
        close_task(&tasks[i]);
    }
    measure_free(subjects, count);
}

/* ---- all configurations ---- */

static unsigned choose_progress(struct run *run)
{
    unsigned chosen = lists_choose("progress", progress_list, tasks_progress_names);
    if (!(chosen >> TASKS_THREAD & 1) || tasks_threads_may_call_mpi())
        return chosen;
    for (int way = 0; way < WAYS; way++)
        if (program_wants(run, variants[way].name))
            record_waived(run, variants[way].name,
                          "progress thread: this MPI has no MPI_THREAD_MULTIPLE");
    return chosen & ~(1u << TASKS_THREAD);
}

static struct numbers choose_contenders(void)
{
    if (contender_list)
        return lists_numbers("contenders", contender_list, 1, ranks.count - 1);
    size_t count = (size_t)ranks.count - 1;
    struct numbers all = {allocate_or_fail(count, sizeof(int64_t)), count};
    for (size_t i = 0; i < count; i++)
        all.values[i] = (int64_t)i + 1;
    return all;
}

static void run_all(struct run *run)
{
    if (ranks.count < 2)
        images_refuse("coarrays_fetch_add needs 2 or more images: start it with mpirun -np 2");
    struct numbers contenders = choose_contenders();
    struct numbers requests = lists_numbers("per-request", request_list, 1, 1000000);
    unsigned progresses = choose_progress(run);
    caf_start(NULL, NULL);
    for (size_t k = 0; k < requests.count; k++)
        for (size_t c = 0; c < contenders.count; c++)
            measure_contenders(run, progresses, (int)contenders.values[c], (int)requests.values[k]);
    caf_end();
    free(contenders.values);
    free(requests.values);
}

const struct program program = {
    .name = "coarrays_fetch_add",
    .summary = "atomic fetch-and-add on image 1, by contenders and by what image 1 does",
    .details =
        "Start it with mpirun -np IMAGES. time_s is of one request, of the slowest image; a sample\n"
        "is so many requests of each contender that it takes 0.5 ms or more. Images that neither\n"
        "add nor are image 1 sleep. The counter and the numbers that were handed out are checked.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
