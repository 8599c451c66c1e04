/* pinning_alloc: what it costs to allocate a block of host memory and to release it. */
#include <string.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/memory.h"

enum { BLOCKS_MAX = 32 };
static const size_t held_bytes_max = (size_t)128 << 20; /* of the blocks of one sample */

static const struct variant variants[] = {
    {"pageable", "malloc and free"},
    {"pinned", "cudaMallocHost and cudaFreeHost"},
    {"hostalloc", "cudaHostAlloc with default flags and cudaFreeHost"},
    {"registered", "malloc and cudaHostRegister; cudaHostUnregister and free"},
    {"device", "GPU memory: cudaMalloc and cudaFree"},
    {0},
};

static cudaError_t hostalloc_allocate(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

static const struct memory_operations hostalloc = {
    "hostalloc", 'A', "cudaHostAlloc", true, hostalloc_allocate, cudaFreeHost};

/* By variant. */
static const struct memory_operations *const kinds[] = {
    &memory_operations[MEMORY_PAGEABLE], &memory_operations[MEMORY_PINNED], &hostalloc,
    &memory_operations[MEMORY_REGISTERED], &memory_operations[MEMORY_DEVICE]};

struct row {
    const char *operation;
    size_t block_elements, size_bytes;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "allocate or free"),
    PARAMETER(struct row, block_elements, "size of the block in doubles"),
    METRIC(struct row, size_bytes, "size of the block in bytes"),
    {0},
};

/* The blocks of one variant in one configuration. */
struct holder {
    int variant;
    bool frees; /* the release is timed, else the allocation */
    size_t elements, bytes, count;
    void *blocks[BLOCKS_MAX];
    bool held;
};

static void allocate_all(struct holder *holder)
{
    const struct memory_operations *kind = kinds[holder->variant];
    for (size_t i = 0; i < holder->count; i++) {
        cudaError_t error = kind->allocate(&holder->blocks[i], holder->bytes);
        if (error == cudaErrorMemoryAllocation)
            fail("%zu blocks of %zu bytes of %s memory are not available: choose smaller sizes",
                 holder->count, holder->bytes, kind->name);
        check_cuda(error);
    }
    holder->held = true;
}

static void free_all(struct holder *holder)
{
    for (size_t i = 0; i < holder->count; i++)
        check_cuda(kinds[holder->variant]->release(holder->blocks[i]));
    holder->held = false;
}

static bool open_holder(struct run *run, void *task)
{
    (void)run;
    struct holder *holder = task;
    size_t fit = held_bytes_max / holder->bytes;
    holder->count = fit > BLOCKS_MAX ? BLOCKS_MAX : fit > 1 ? fit : 1;
    return true;
}

/* Holds blocks if their release is timed, and none if their allocation is. */
static void prepare(void *task)
{
    struct holder *holder = task;
    if (holder->frees && !holder->held)
        allocate_all(holder);
    else if (!holder->frees && holder->held)
        free_all(holder);
}

static double sample(void *task)
{
    struct holder *holder = task;
    double start_s = clock_now_s();
    (holder->frees ? free_all : allocate_all)(holder);
    return (clock_now_s() - start_s) / (double)holder->count;
}

static bool holds(const struct holder *holder, size_t block, size_t at, unsigned char value)
{
    unsigned char found;
    check_cuda(cudaMemcpy(&found, (char *)holder->blocks[block] + at, 1, cudaMemcpyDefault));
    return found == value;
}

/* Number of blocks that do not hold what was written into them: they overlap others. */
static long count_wrong(struct run *run, void *task)
{
    (void)run;
    struct holder *holder = task;
    long wrong = 0;
    if (!holder->held)
        allocate_all(holder);
    for (size_t i = 0; i < holder->count; i++) {
        if (kinds[holder->variant]->host_access)
            memset(holder->blocks[i], (int)i + 1, holder->bytes);
        else
            check_cuda(cudaMemset(holder->blocks[i], (int)i + 1, holder->bytes));
    }
    for (size_t i = 0; i < holder->count; i++) {
        unsigned char value = (unsigned char)(i + 1);
        wrong += !holds(holder, i, 0, value) || !holds(holder, i, holder->bytes - 1, value);
    }
    return wrong;
}

static void close_holder(void *task)
{
    struct holder *holder = task;
    if (holder->held)
        free_all(holder);
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    const struct holder *holder = task;
    *(struct row *)row =
        (struct row){holder->frees ? "free" : "allocate", holder->elements, holder->bytes};
}

static const struct comparison comparison = {.task_bytes = TASK(struct holder),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_holder,
                                             .prepare = prepare,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_holder};

static void run_all(struct run *run)
{
    for (int frees = 0; frees < 2; frees++)
        for (size_t i = 0; i < run->settings.size_count; i++) {
            size_t elements = run->settings.sizes[i];
            compare_variants(run, &comparison,
                             &(struct holder){.frees = frees,
                                              .elements = elements,
                                              .bytes = elements * sizeof(double)});
        }
}

/* The sizes of tables 6-6 and 6-7: squares of segments of 15 to 55 numbers. */
static const size_t default_sizes[] = {225, 400, 625, 900, 1225, 1600, 2025, 2500, 3025, 0};

const struct program program = {
    .name = "pinning_alloc",
    .summary = "allocates and releases blocks of pageable, page-locked and GPU memory",
    .details = "time_s is that of one block; up to 32 are allocated, and released, one after the\n"
               "other. Pageable blocks are not touched while they are timed, so pages that malloc\n"
               "has yet to get from the system are not counted; page-locking gets all pages.",
    .variants = variants,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .run = run_all,
};
