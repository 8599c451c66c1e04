/* common_overhead: what a GPU costs by itself: a launch, a CUDA thread, a barrier, a copy. On the
 * software GPU this is the price of standing in for a GPU; on a real one it is the floor under
 * every other measurement. */
#include "clock.h"
#include "memory.h"
#include "program.h"
#include "random.h"
#include "workloads/overhead.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS_PER_BLOCK = 256, BARRIERS = 16 };

static const struct variant variants[] = {
    {"launch", "one block of one thread, launched and waited for; per launch"},
    {"thread", "blocks of 256 threads that add 1 to their element; per thread"},
    {"barrier", "the same after 16 block-wide barriers; per thread and barrier"},
    {"memcpy", "the C library's memcpy between two host buffers; per byte"},
    {"pinned", "synchronous copy from page-locked memory to the device; per byte"},
    {"pageable", "synchronous copy from malloc'ed memory to the device; per byte"},
    {0},
};

static const struct column columns[] = {
    {"count", COLUMN_PARAMETER, "launches, threads, threads x barriers, or bytes per sample"},
    {"item_ns", COLUMN_METRIC, "time_s / count, in ns: per launch, thread, barrier or byte"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes / time_s, of the copies only"},
    {0},
};

struct work {
    unsigned *device; /* counters, or the target of copies */
    unsigned threads;
    unsigned barriers;
    unsigned samples; /* so far: each adds 1 to every counter */
    void *source;     /* host buffer of the copies */
    void *target;     /* host buffer of memcpy */
    size_t bytes;
};

static double sample_kernel(void *context)
{
    struct work *work = context;
    unsigned per_block = work->threads < THREADS_PER_BLOCK ? work->threads : THREADS_PER_BLOCK;
    unsigned blocks = work->threads / per_block;
    double start_s = clock_now_s();
    if (work->barriers)
        check_cuda(
            overhead_count_after_barriers(work->device, blocks, per_block, work->barriers, 0));
    else
        check_cuda(overhead_count_threads(work->device, blocks, per_block, 0));
    check_cuda(cudaDeviceSynchronize());
    work->samples++;
    return clock_now_s() - start_s;
}

static double sample_memcpy(void *context)
{
    struct work *work = context;
    double start_s = clock_now_s();
    memcpy(work->target, work->source, work->bytes);
    return clock_now_s() - start_s;
}

static double sample_copy(void *context)
{
    struct work *work = context;
    double start_s = clock_now_s();
    check_cuda(cudaMemcpy(work->device, work->source, work->bytes, cudaMemcpyHostToDevice));
    return clock_now_s() - start_s;
}

static void record_all(struct run *run, const struct subject *subject, double count, bool copies,
                       long errors)
{
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {integer((int64_t)count), real(1e9 * time_s / count),
                                 copies ? real(1e-9 * count / time_s) : none()};
        record_row(run, subject->variant, (int)i, values, time_s, errors);
    }
}

/* Every counter must have been raised once per sample. */
static long count_wrong_counters(const struct work *work)
{
    unsigned *counters = memory_allocate(MEMORY_PAGEABLE, work->threads * sizeof *counters);
    check_cuda(cudaMemcpy(counters, work->device, work->threads * sizeof *counters,
                          cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (unsigned i = 0; i < work->threads; i++)
        wrong += counters[i] != work->samples;
    memory_release(MEMORY_PAGEABLE, counters);
    return wrong;
}

static void run_kernel(struct run *run, const char *variant, unsigned threads, unsigned barriers)
{
    if (!program_wants(run, variant))
        return;
    struct work work = {.threads = threads, .barriers = barriers};
    work.device = memory_allocate(MEMORY_DEVICE, threads * sizeof *work.device);
    check_cuda(cudaMemset(work.device, 0, threads * sizeof *work.device));
    struct subject subject = {.variant = variant, .sample = sample_kernel, .context = &work};
    measure(run, &subject, 1);
    long errors = run->settings.check ? count_wrong_counters(&work) : 0;
    record_all(run, &subject, (double)threads * (barriers ? barriers : 1), false, errors);
    measure_free(&subject, 1);
    memory_release(MEMORY_DEVICE, work.device);
}

static void run_copies(struct run *run)
{
    static const struct {
        const char *name;
        enum memory_kind source;
        double (*sample)(void *);
    } copies[] = {{"memcpy", MEMORY_PAGEABLE, sample_memcpy},
                  {"pinned", MEMORY_PINNED, sample_copy},
                  {"pageable", MEMORY_PAGEABLE, sample_copy}};
    struct subject subjects[3];
    struct work works[3];
    size_t bytes = run->settings.size, count = 0;
    unsigned *device = memory_allocate(MEMORY_DEVICE, bytes);
    void *target = memory_allocate(MEMORY_PAGEABLE, bytes);
    memset(target, 0, bytes);
    for (size_t i = 0; i < 3; i++) {
        works[i] = (struct work){.device = device, .target = target, .bytes = bytes};
        works[i].source = memory_allocate(copies[i].source, bytes);
        random_fill_bytes(works[i].source, bytes, run->settings.seed + i);
        if (program_wants(run, copies[i].name))
            subjects[count++] = (struct subject){
                .variant = copies[i].name, .sample = copies[i].sample, .context = &works[i]};
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        const struct work *work = subjects[i].context;
        subjects[i].sample(subjects[i].context);
        if (subjects[i].sample == sample_copy)
            check_cuda(cudaMemcpy(target, device, bytes, cudaMemcpyDeviceToHost));
        long errors = run->settings.check && memcmp(target, work->source, bytes) != 0;
        record_all(run, &subjects[i], (double)bytes, true, errors);
    }
    measure_free(subjects, count);
    for (size_t i = 0; i < 3; i++)
        memory_release(copies[i].source, works[i].source);
    memory_release(MEMORY_PAGEABLE, target);
    memory_release(MEMORY_DEVICE, device);
}

static void run_all(struct run *run)
{
    run_kernel(run, "launch", 1, 0);
    run_kernel(run, "thread", 1u << 20, 0);
    run_kernel(run, "barrier", 1u << 16, BARRIERS);
    run_copies(run);
}

static const struct program program = {
    .name = "common_overhead",
    .summary = "what a GPU costs by itself: a launch, a CUDA thread, a barrier, a copy",
    .details = "Times are taken with the host's clock from the call to the end of the work. -s is "
               "the size\n"
               "of the copies in bytes.",
    .variants = variants,
    .columns = columns,
    .default_size = 16 << 20,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
