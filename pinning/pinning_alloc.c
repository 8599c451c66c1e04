/* pinning_alloc: what it costs to allocate a block of host memory and to release it. */
#include "clock.h"
#include "memory.h"
#include "program.h"

#include <string.h>

enum { KINDS = 5, BLOCKS_MOST = 32 };
static const size_t held_bytes_most = (size_t)128 << 20; /* of the blocks of one sample */

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

static const struct memory_operations *const kinds[KINDS] = {
    &memory_operations[MEMORY_PAGEABLE], &memory_operations[MEMORY_PINNED], &hostalloc,
    &memory_operations[MEMORY_REGISTERED], &memory_operations[MEMORY_DEVICE]};

static const struct column columns[] = {
    {"operation", COLUMN_PARAMETER, "allocate or free"},
    {"block_elements", COLUMN_PARAMETER, "size of the block in doubles"},
    {"size_bytes", COLUMN_METRIC, "size of the block in bytes"},
    {0},
};

/* One variant in one configuration. */
struct holder {
    const struct memory_operations *kind;
    size_t bytes, count;
    void *blocks[BLOCKS_MOST];
    bool held;
};

static void allocate_all(struct holder *holder)
{
    for (size_t i = 0; i < holder->count; i++) {
        cudaError_t error = holder->kind->allocate(&holder->blocks[i], holder->bytes);
        if (error != cudaSuccess && error != cudaErrorMemoryAllocation)
            fail_expression("allocation", cudaGetErrorString(error), __FILE__, __LINE__);
        if (error != cudaSuccess)
            fail("%zu blocks of %zu bytes of %s memory could not be had (%s): choose smaller sizes",
                 holder->count, holder->bytes, holder->kind->name, cudaGetErrorString(error));
    }
    holder->held = true;
}

static void free_all(struct holder *holder)
{
    for (size_t i = 0; i < holder->count; i++)
        check_cuda(holder->kind->release(holder->blocks[i]));
    holder->held = false;
}

static void make_empty(void *context)
{
    struct holder *holder = context;
    if (holder->held)
        free_all(holder);
}

static void make_full(void *context)
{
    struct holder *holder = context;
    if (!holder->held)
        allocate_all(holder);
}

static double time_allocate(void *context)
{
    struct holder *holder = context;
    double start_s = clock_now_s();
    allocate_all(holder);
    return (clock_now_s() - start_s) / (double)holder->count;
}

static double time_free(void *context)
{
    struct holder *holder = context;
    double start_s = clock_now_s();
    free_all(holder);
    return (clock_now_s() - start_s) / (double)holder->count;
}

static bool holds(const struct holder *holder, size_t block, size_t at, unsigned char value)
{
    unsigned char found;
    check_cuda(cudaMemcpy(&found, (char *)holder->blocks[block] + at, 1, cudaMemcpyDefault));
    return found == value;
}

/* Number of blocks that do not hold what was written into them: they overlap others. */
static long count_wrong(struct holder *holder)
{
    long wrong = 0;
    make_full(holder);
    for (size_t i = 0; i < holder->count; i++) {
        if (holder->kind->host_access)
            memset(holder->blocks[i], (int)i + 1, holder->bytes);
        else
            check_cuda(cudaMemset(holder->blocks[i], (int)i + 1, holder->bytes));
    }
    for (size_t i = 0; i < holder->count; i++) {
        unsigned char value = (unsigned char)(i + 1);
        wrong += !holds(holder, i, 0, value) || !holds(holder, i, holder->bytes - 1, value);
    }
    make_empty(holder);
    return wrong;
}

static void measure_size(struct run *run, bool frees, size_t elements)
{
    struct holder holders[KINDS];
    struct subject subjects[KINDS];
    size_t count = 0;
    for (int variant = 0; variant < KINDS; variant++) {
        if (!program_wants(run, variants[variant].name))
            continue;
        size_t bytes = elements * sizeof(double), fit = held_bytes_most / bytes;
        holders[count] = (struct holder){.kind = kinds[variant],
                                         .bytes = bytes,
                                         .count = fit > BLOCKS_MOST ? BLOCKS_MOST
                                                  : fit > 1         ? fit
                                                                    : 1};
        subjects[count] = (struct subject){.variant = variants[variant].name,
                                           .sample = frees ? time_free : time_allocate,
                                           .before = frees ? make_full : make_empty,
                                           .context = &holders[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        make_empty(&holders[i]);
        long wrong = run->settings.check ? count_wrong(&holders[i]) : 0;
        struct value values[] = {text(frees ? "free" : "allocate"), integer((int64_t)elements),
                                 integer((int64_t)holders[i].bytes)};
        for (size_t s = 0; s < subjects[i].count; s++)
            record_row(run, subjects[i].variant, (int)s, values, subjects[i].times_s[s], wrong);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    for (int frees = 0; frees < 2; frees++)
        for (size_t i = 0; i < run->settings.size_count; i++)
            measure_size(run, frees, run->settings.sizes[i]);
}

/* The sizes of tables 6-6 and 6-7: squares of segments of 15 to 55 numbers. */
static const size_t default_sizes[] = {225, 400, 625, 900, 1225, 1600, 2025, 2500, 3025, 0};

static const struct program program = {
    .name = "pinning_alloc",
    .summary = "allocates and releases blocks of pageable, page-locked and GPU memory",
    .details = "time_s is that of one block; up to 32 are allocated, and released, one after the\n"
               "other. Pageable blocks are not touched while they are timed, so pages that malloc\n"
               "has yet to get from the system are not counted; page-locking gets all pages.",
    .variants = variants,
    .columns = columns,
    .size_unit = "elements",
    .default_sizes = default_sizes,
    .default_begin = 225,
    .default_end = 3025,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
