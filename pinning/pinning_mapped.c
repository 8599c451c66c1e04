/* pinning_mapped: a kernel that reads host memory through the bus, beside one that reads the GPU's
 * own, and whether the GPU has the host's address for it. */
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

#include "mapped_copy.h"

static const struct variant variants[] = {
    {"device", "the kernel reads the GPU's memory"},
    {"mapped", "cudaHostAlloc, mapped: it reads the host's"},
    {"pinned", "cudaMallocHost: the same"},
    {"registered", "malloc, then cudaHostRegister: the same"},
    {0},
};
/* By variant: the kind of the memory that is read. */
static const enum memory_kind kinds[] = {MEMORY_DEVICE, MEMORY_MAPPED, MEMORY_PINNED,
                                         MEMORY_REGISTERED};

struct row {
    size_t size_bytes;
    int64_t same_address;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, size_bytes, "bytes that the kernel reads, as doubles"),
    METRIC(struct row, same_address,
           "1 if cudaHostGetDevicePointer returns the host's address, 0 if another; not of device"),
    METRIC(struct row, bandwidth_gbs, "size_bytes / time_s in 10^9 byte/s"),
    {0},
};

struct reading {
    int variant;
    size_t bytes;
    double *source, *target; /* the target is on the GPU */
    double *seen;            /* the GPU's address of the source */
};

static bool on_host(const struct reading *reading)
{
    return kinds[reading->variant] != MEMORY_DEVICE;
}

static bool open_reading(struct run *run, void *task)
{
    struct reading *reading = task;
    reading->source = scope_random(kinds[reading->variant], reading->bytes, run->settings.seed);
    reading->target = scope_zeros(MEMORY_DEVICE, reading->bytes);
    reading->seen = reading->source;
    if (on_host(reading))
        check_cuda(cudaHostGetDevicePointer((void **)&reading->seen, reading->source, 0));
    return true;
}

static void read_all(void *task)
{
    const struct reading *reading = task;
    check_cuda(mapped_copy(reading->target, reading->seen, reading->bytes / sizeof(double), 0));
    check_cuda(cudaStreamSynchronize(0));
}

static long count_wrong(struct run *run, void *task)
{
    const struct reading *reading = task;
    return count_wrong_bytes(reading->target, reading->bytes, run->settings.seed);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct reading *reading = task;
    *(struct row *)row =
        (struct row){reading->bytes, on_host(reading) ? reading->seen == reading->source : NO_VALUE,
                     1e-9 * (double)reading->bytes / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct reading),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_reading,
                                             .operation = read_all,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void run_all(struct run *run)
{
    for (size_t i = 0; i < run->settings.size_count; i++) {
        size_t bytes = run->settings.sizes[i];
        if (bytes % sizeof(double))
            fail("--sizes: %zu bytes are not a whole number of doubles", bytes);
        compare_variants(run, &comparison, &(struct reading){.bytes = bytes});
    }
}

static const size_t default_sizes[] = {64 << 10, 1 << 20, 16 << 20, 64 << 20, 0};

const struct program program = {
    .name = "pinning_mapped",
    .summary = "a kernel that reads host memory beside one that reads the GPU's own",
    .details = "The kernel copies doubles to the GPU's memory; time_s runs from its launch to its\n"
               "end, on the host's clock.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .run = run_all,
};
