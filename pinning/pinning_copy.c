/* pinning_copy: one block between host and GPU, by the kind of the host memory. */
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

#include "mapped_copy.h"

enum { BUFFERS_MIN = 2, BUFFERS_MAX = 8 };
/* Buffers take turns over at least this much memory where their number allows it. */
static const size_t rotate_bytes = (size_t)64 << 20;

static const struct variant variants[] = {
    {"pageable", "malloc: the driver stages the copy through page-locked memory"},
    {"pinned", "cudaMallocHost: the copy engine reads and writes the block itself"},
    {"registered", "malloc, then cudaHostRegister"},
    {"mapped", "cudaHostAlloc, mapped: a kernel reads and writes the block itself"},
    {0},
};
/* By variant: the kind of host memory. */
static const enum memory_kind kinds[] = {MEMORY_PAGEABLE, MEMORY_PINNED, MEMORY_REGISTERED,
                                         MEMORY_MAPPED};

struct row {
    const char *direction;
    size_t block_elements, size_bytes;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, direction, "h2d: host to GPU; d2h: GPU to host"),
    PARAMETER(struct row, block_elements, "size of the block in doubles"),
    METRIC(struct row, size_bytes, "size of the block in bytes"),
    METRIC(struct row, bandwidth_gbs, "size_bytes / time_s in 10^9 byte/s"),
    {0},
};

enum direction { TO_GPU, TO_HOST };
static const char *const direction_names[] = {"h2d", "d2h", NULL};
static struct option_choices directions = {
    .noun = "direction", .names = direction_names, .list = "h2d,d2h"};
static const struct program_option options[] = {
    {"directions", OPTION_CHOICES, &directions, "LIST", "h2d, d2h or both, separated by a comma", 0,
     0},
    {0},
};

struct copy {
    int variant;
    enum direction direction;
    size_t elements, bytes, buffers, turn;
    double *host[BUFFERS_MAX], *gpu[BUFFERS_MAX];
    double *mapped[BUFFERS_MAX]; /* the GPU's address of host[i], of variant mapped */
};

/* Random data at the source, zeros at the target. */
static bool open_copy(struct run *run, void *task)
{
    struct copy *copy = task;
    const enum memory_kind kind = kinds[copy->variant];
    const bool to_gpu = copy->direction == TO_GPU;
    size_t wanted = rotate_bytes / copy->bytes;
    copy->buffers = wanted > BUFFERS_MAX   ? BUFFERS_MAX
                    : wanted < BUFFERS_MIN ? BUFFERS_MIN
                                           : wanted;
    for (size_t i = 0; i < copy->buffers; i++) {
        uint64_t seed = run->settings.seed + i;
        copy->host[i] =
            to_gpu ? scope_random(kind, copy->bytes, seed) : scope_zeros(kind, copy->bytes);
        copy->gpu[i] = to_gpu ? scope_zeros(MEMORY_DEVICE, copy->bytes)
                              : scope_random(MEMORY_DEVICE, copy->bytes, seed);
        if (kind == MEMORY_MAPPED)
            check_cuda(cudaHostGetDevicePointer((void **)&copy->mapped[i], copy->host[i], 0));
    }
    return true;
}

static void copy_next(void *task)
{
    struct copy *copy = task;
    const bool to_gpu = copy->direction == TO_GPU;
    size_t i = copy->turn++ % copy->buffers;
    double *host = copy->mapped[i] ? copy->mapped[i] : copy->host[i];
    double *to = to_gpu ? copy->gpu[i] : host, *from = to_gpu ? host : copy->gpu[i];
    if (copy->mapped[i])
        check_cuda(mapped_copy(to, from, copy->elements, 0));
    else
        check_cuda(cudaMemcpy(to, from, copy->bytes,
                              to_gpu ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost));
    check_cuda(cudaStreamSynchronize(0));
}

/* Wrong bytes at the targets, to all of which something has been copied. */
static long count_wrong(struct run *run, void *task)
{
    struct copy *copy = task;
    long wrong = 0;
    while (copy->turn < copy->buffers)
        copy_next(copy);
    for (size_t i = 0; i < copy->buffers; i++)
        wrong += count_wrong_bytes(copy->direction == TO_GPU ? copy->gpu[i] : copy->host[i],
                                   copy->bytes, run->settings.seed + i);
    return wrong;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct copy *copy = task;
    *(struct row *)row = (struct row){direction_names[copy->direction], copy->elements, copy->bytes,
                                      1e-9 * (double)copy->bytes / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct copy),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_copy,
                                             .operation = copy_next,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void run_all(struct run *run)
{
    for (size_t d = 0; d < directions.count; d++)
        for (size_t i = 0; i < run->settings.size_count; i++) {
            size_t elements = run->settings.sizes[i];
            compare_variants(run, &comparison,
                             &(struct copy){.direction = (enum direction)directions.values[d],
                                            .elements = elements,
                                            .bytes = elements * sizeof(double)});
        }
}

/* The sizes of table 6-5: segments of 15 to 60 numbers, squared and to the fourth power. */
static const size_t default_sizes[] = {
    225,    400,    625,    900,     1225,    1600,    2025,    2500,    3025,     3600, 50625,
    160000, 390625, 810000, 1500625, 2560000, 4100625, 6250000, 9150625, 12960000, 0};

const struct program program = {
    .name = "pinning_copy",
    .summary = "copies a block of doubles between host and GPU",
    .details = "time_s runs from the call of cudaMemcpy (mapped: the launch of the kernel) until\n"
               "the block has arrived, on the host's clock, so it includes the latency of the\n"
               "call. Several buffers take turns.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .run = run_all,
};
