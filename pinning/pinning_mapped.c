/* pinning_mapped: a kernel that reads host memory through the bus, beside one that reads the GPU's
 * own, and whether the GPU has the host's address for it. */
#include "clock.h"
#include "mapped_copy.h"
#include "memory.h"
#include "program.h"
#include "random.h"

#include <stdlib.h>

enum { KINDS = 4 };

static const struct variant variants[] = {
    {"device", "the kernel reads the GPU's memory"},
    {"mapped", "cudaHostAlloc, mapped: it reads the host's"},
    {"pinned", "cudaMallocHost: the same"},
    {"registered", "malloc, then cudaHostRegister: the same"},
    {0},
};
/* By variant: the kind of the memory that is read. */
static const enum memory_kind kinds[KINDS] = {MEMORY_DEVICE, MEMORY_MAPPED, MEMORY_PINNED,
                                              MEMORY_REGISTERED};

static const struct column columns[] = {
    {"size_bytes", COLUMN_PARAMETER, "bytes that the kernel reads, as doubles"},
    {"same_address", COLUMN_METRIC,
     "1 if cudaHostGetDevicePointer returns the host's address, 0 if another; not of device"},
    {"bandwidth_gbs", COLUMN_METRIC, "size_bytes / time_s in 10^9 byte/s"},
    {0},
};

/* One variant at one size. */
struct reading {
    int variant;
    size_t elements;
    double *source, *target; /* the target is on the GPU */
    double *seen;            /* the GPU's address of the source */
};

static size_t bytes_of(const struct reading *reading)
{
    return reading->elements * sizeof(double);
}

static bool on_host(const struct reading *reading)
{
    return kinds[reading->variant] != MEMORY_DEVICE;
}

static void open_reading(struct reading *reading, const double *data)
{
    size_t bytes = bytes_of(reading);
    reading->source = memory_allocate(kinds[reading->variant], bytes);
    reading->target = memory_allocate(MEMORY_DEVICE, bytes);
    memory_copy(reading->source, data, bytes);
    check_cuda(cudaMemset(reading->target, 0, bytes));
    reading->seen = reading->source;
    if (on_host(reading))
        check_cuda(cudaHostGetDevicePointer((void **)&reading->seen, reading->source, 0));
}

static void close_reading(struct reading *reading)
{
    memory_release(kinds[reading->variant], reading->source);
    memory_release(MEMORY_DEVICE, reading->target);
}

static double sample(void *context)
{
    struct reading *reading = context;
    double start_s = clock_now_s();
    check_cuda(mapped_copy(reading->target, reading->seen, reading->elements, 0));
    check_cuda(cudaStreamSynchronize(0));
    return clock_now_s() - start_s;
}

static long count_wrong(const struct run *run, const struct reading *reading)
{
    double *back = memory_allocate(MEMORY_PAGEABLE, bytes_of(reading));
    memory_copy(back, reading->target, bytes_of(reading));
    size_t wrong = random_count_wrong_bytes(back, bytes_of(reading), run->settings.seed);
    memory_release(MEMORY_PAGEABLE, back);
    return (long)wrong;
}

static void record(struct run *run, const struct subject *subject, long wrong)
{
    const struct reading *reading = subject->context;
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {integer((int64_t)bytes_of(reading)),
                                 on_host(reading) ? integer(reading->seen == reading->source)
                                                  : none(),
                                 real(1e-9 * (double)bytes_of(reading) / time_s)};
        record_row(run, subject->variant, (int)i, values, time_s, wrong);
    }
}

static void measure_size(struct run *run, size_t bytes)
{
    struct reading readings[KINDS];
    struct subject subjects[KINDS];
    size_t count = 0;
    if (bytes % sizeof(double))
        fail("--sizes: %zu bytes are no whole number of doubles", bytes);
    double *data = memory_allocate(MEMORY_PAGEABLE, bytes);
    random_fill_bytes(data, bytes, run->settings.seed);
    for (int variant = 0; variant < KINDS; variant++) {
        if (!program_wants(run, variants[variant].name))
            continue;
        readings[count] = (struct reading){.variant = variant, .elements = bytes / sizeof(double)};
        open_reading(&readings[count], data);
        subjects[count] = (struct subject){
            .variant = variants[variant].name, .sample = sample, .context = &readings[count]};
        count++;
    }
    memory_release(MEMORY_PAGEABLE, data);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &subjects[i], run->settings.check ? count_wrong(run, &readings[i]) : 0);
        close_reading(&readings[i]);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, run->settings.sizes[i]);
}

static const size_t default_sizes[] = {64 << 10, 1 << 20, 16 << 20, 64 << 20, 0};

static const struct program program = {
    .name = "pinning_mapped",
    .summary = "a kernel that reads host memory beside one that reads the GPU's own",
    .details = "The kernel copies doubles to the GPU's memory; time_s runs from its launch to its\n"
               "end, on the host's clock.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .default_begin = 64 << 10,
    .default_end = 64 << 20,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
