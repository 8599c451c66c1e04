/* common_overhead: what a GPU costs by itself: a launch, a CUDA thread, a barrier, a copy. On the
 * software GPU this is the price of standing in for a GPU; on a real one it is the floor under
 * every other measurement. */
#include <math.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/workloads/overhead.h"

enum { LAUNCH, THREAD, BARRIER, MEMCPY, PINNED, PAGEABLE };
enum { THREADS_PER_BLOCK = 256, BARRIERS = 16 };

static const struct variant variants[] = {
    [LAUNCH] = {"launch", "one block of one thread, launched and waited for; per launch"},
    [THREAD] = {"thread", "blocks of 256 threads that add 1 to their element; per thread"},
    [BARRIER] = {"barrier", "the same after 16 block-wide barriers; per thread and barrier"},
    [MEMCPY] = {"memcpy", "the C library's memcpy between two host buffers; per byte"},
    [PINNED] = {"pinned", "synchronous copy from page-locked memory to the device; per byte"},
    [PAGEABLE] = {"pageable", "synchronous copy from malloc'ed memory to the device; per byte"},
    [PAGEABLE + 1] = {0},
};

struct row {
    size_t count;
    double item_ns, bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, count, "launches, threads, threads x barriers, or bytes per sample"),
    METRIC(struct row, item_ns, "time_s / count, in ns: per launch, thread, barrier or byte"),
    METRIC(struct row, bandwidth_gbs, "bytes / time_s, of the copies only"),
    {0},
};

/* ---- kernels: each raises every counter by 1 ---- */

struct counting {
    int variant;
    unsigned threads, barriers;
    unsigned samples; /* so far */
    unsigned *counters;
};

static bool open_counting(struct run *run, void *task)
{
    (void)run;
    struct counting *counting = task;
    counting->counters = scope_zeros(MEMORY_DEVICE, counting->threads * sizeof *counting->counters);
    return true;
}

static void count_once(void *task)
{
    struct counting *c = task;
    unsigned per_block = c->threads < THREADS_PER_BLOCK ? c->threads : THREADS_PER_BLOCK;
    unsigned blocks = c->threads / per_block;
    if (c->barriers)
        check_cuda(overhead_count_after_barriers(c->counters, blocks, per_block, c->barriers, 0));
    else
        check_cuda(overhead_count_threads(c->counters, blocks, per_block, 0));
    check_cuda(cudaDeviceSynchronize());
    c->samples++;
}

static void fill_counting(const void *task, double time_s, void *row)
{
    const struct counting *counting = task;
    size_t count = (size_t)counting->threads * (counting->barriers ? counting->barriers : 1);
    *(struct row *)row = (struct row){count, 1e9 * time_s / (double)count, NAN};
}

static long count_wrong_counters(struct run *run, void *task)
{
    (void)run;
    const struct counting *counting = task;
    size_t bytes = counting->threads * sizeof *counting->counters;
    unsigned *counters = memory_allocate(MEMORY_PAGEABLE, bytes);
    check_cuda(cudaMemcpy(counters, counting->counters, bytes, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (unsigned i = 0; i < counting->threads; i++)
        wrong += counters[i] != counting->samples;
    memory_release(MEMORY_PAGEABLE, counters);
    return wrong;
}

static const struct comparison counting_comparison = {.task_bytes = TASK(struct counting),
                                                      .row_bytes = sizeof(struct row),
                                                      .open = open_counting,
                                                      .operation = count_once,
                                                      .row = fill_counting,
                                                      .verify = count_wrong_counters};

/* ---- copies ---- */

struct copy {
    int variant;
    size_t bytes;
    void *source, *target;
};

static bool open_copy(struct run *run, void *task)
{
    struct copy *copy = task;
    copy->source = scope_random(copy->variant == PINNED ? MEMORY_PINNED : MEMORY_PAGEABLE,
                                copy->bytes, run->settings.seed);
    copy->target =
        scope_zeros(copy->variant == MEMCPY ? MEMORY_PAGEABLE : MEMORY_DEVICE, copy->bytes);
    return true;
}

static void copy_once(void *task)
{
    const struct copy *copy = task;
    if (copy->variant == MEMCPY)
        memcpy(copy->target, copy->source, copy->bytes);
    else
        check_cuda(cudaMemcpy(copy->target, copy->source, copy->bytes, cudaMemcpyHostToDevice));
}

static void fill_copy(const void *task, double time_s, void *row)
{
    const struct copy *copy = task;
    *(struct row *)row = (struct row){copy->bytes, 1e9 * time_s / (double)copy->bytes,
                                      1e-9 * (double)copy->bytes / time_s};
}

static long count_wrong_copy(struct run *run, void *task)
{
    const struct copy *copy = task;
    return count_wrong_bytes(copy->target, copy->bytes, run->settings.seed);
}

static const struct comparison copy_comparison = {.task_bytes = TASK(struct copy),
                                                  .row_bytes = sizeof(struct row),
                                                  .open = open_copy,
                                                  .operation = copy_once,
                                                  .row = fill_copy,
                                                  .verify = count_wrong_copy};

static void run_all(struct run *run)
{
    struct counting kernels[] = {
        {.variant = LAUNCH, .threads = 1},
        {.variant = THREAD, .threads = 1u << 20},
        {.variant = BARRIER, .threads = 1u << 16, .barriers = BARRIERS},
    };
    struct copy copies[3];
    size_t count = 0;
    for (int i = 0; i < 3; i++)
        if (program_wants_variant(run, kernels[i].variant))
            compare_tasks(run, &counting_comparison, &kernels[i], 1);
    for (int variant = MEMCPY; variant <= PAGEABLE; variant++)
        if (program_wants_variant(run, variant))
            copies[count++] = (struct copy){.variant = variant, .bytes = run->settings.size};
    compare_tasks(run, &copy_comparison, copies, count);
}

const struct program program = {
    .name = "common_overhead",
    .summary = "what a GPU costs by itself: a launch, a CUDA thread, a barrier, a copy",
    .details =
        "Times are taken with the host's clock from the call to the end of the work. -s is the size\n"
        "of the copies in bytes.",
    .variants = variants,
    .columns = columns,
    .default_size = 16 << 20,
    .uses_gpu = true,
    .run = run_all,
};
