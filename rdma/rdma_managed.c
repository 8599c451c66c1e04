/* rdma_managed: managed memory as the buffers of one-sided MPI, against page-locked memory that the
 * program copies itself (Fanfarillo 2016, 2.3.2.2). */
#include "common/harness/allocate.h"
#include "common/harness/compare.h"
#include "common/harness/device.h"
#include "common/harness/scope.h"

#include "ends.h"
#include "scale.h"

enum { PINNED, MANAGED };
static const struct variant variants[] = {
    [PINNED] = {"pinned", "device memory, copied to and from page-locked memory that MPI puts"},
    [MANAGED] = {"managed", "managed memory, which kernels use and MPI puts"},
    {0},
};
static const enum memory_kind kinds[] = {[PINNED] = MEMORY_PINNED, [MANAGED] = MEMORY_MANAGED};

struct row {
    size_t block_bytes;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, block_bytes, "size of the block"),
    METRIC(struct row, bandwidth_gbs, "block_bytes / time_s in 10^9 byte/s"),
    {0},
};

/* A block at each rank: the source at rank 0, the target at rank 1. */
struct block {
    int variant;
    size_t bytes, count; /* count: numbers */
    uint64_t *host;      /* MPI's buffer */
    uint64_t *device;    /* what kernels use: the same, if managed */
    uint64_t *original;  /* page-locked, what the source was before the kernel */
    MPI_Win window;
    cudaStream_t stream;
};

static bool open_block(struct run *run, void *task)
{
    struct block *block = task;
    block->count = block->bytes / sizeof *block->host;
    block->host = scope_allocate(kinds[block->variant], block->bytes);
    block->device =
        block->variant == MANAGED ? block->host : scope_allocate(MEMORY_DEVICE, block->bytes);
    block->original = scope_random(MEMORY_PINNED, block->bytes, run->settings.seed);
    check_cuda(cudaStreamCreateWithFlags(&block->stream, cudaStreamNonBlocking));
    check_mpi(MPI_Win_create(block->host, (MPI_Aint)block->bytes, sizeof *block->host,
                             MPI_INFO_NULL, MPI_COMM_WORLD, &block->window));
    return true;
}

static void close_block(void *task)
{
    struct block *block = task;
    check_mpi(MPI_Win_free(&block->window));
    check_cuda(cudaStreamDestroy(block->stream));
}

/* The source is what a kernel has just written, the target is on its device. */
static void prepare(void *task)
{
    struct block *block = task;
    if (ranks.rank == 0)
        check_cuda(scale(block->device, block->original, block->count, block->stream));
    else
        check_cuda(cudaMemsetAsync(block->device, 0, block->bytes, block->stream));
    check_cuda(cudaStreamSynchronize(block->stream));
}

/* MPI's system calls fail on pages of managed memory that are not there, so they are touched
 * before. */
static void bring_to_host(const struct block *block)
{
    enum { PAGE_NUMBERS = 4096 / sizeof(uint64_t) };
    for (size_t i = 0; i < block->count; i += PAGE_NUMBERS)
        (void)*(volatile uint64_t *)&block->host[i];
}

static void put(void *task)
{
    struct block *block = task;
    if (block->variant == MANAGED)
        bring_to_host(block);
    else if (ranks.rank == 0)
        check_cuda(cudaMemcpy(block->host, block->device, block->bytes, cudaMemcpyDeviceToHost));
    check_mpi(MPI_Win_fence(MPI_MODE_NOPRECEDE, block->window));
    if (ranks.rank == 0)
        check_mpi(MPI_Put(block->host, (int)block->count, MPI_UINT64_T, 1, 0, (int)block->count,
                          MPI_UINT64_T, block->window));
    check_mpi(MPI_Win_fence(MPI_MODE_NOSUCCEED, block->window));
    if (ranks.rank == 1) {
        if (block->variant == PINNED)
            check_cuda(
                cudaMemcpy(block->device, block->host, block->bytes, cudaMemcpyHostToDevice));
        check_cuda(scale(block->device, block->device, block->count, block->stream));
        check_cuda(cudaStreamSynchronize(block->stream));
    }
    check_mpi(MPI_Barrier(MPI_COMM_WORLD));
}

/* Of another block: both ranks filled `original` from the same seed; two kernels have scaled it. */
static long count_wrong(struct run *run, void *task)
{
    (void)run;
    struct block *block = task;
    long wrong = 0;
    prepare(block);
    put(block);
    uint64_t *result = memory_allocate(MEMORY_PINNED, block->bytes);
    check_cuda(cudaMemcpy(result, block->device, block->bytes, cudaMemcpyDefault));
    for (size_t i = 0; i < block->count && ranks.rank == 1; i++)
        wrong += result[i] != block->original[i] * SCALE_FACTOR * SCALE_FACTOR;
    memory_release(MEMORY_PINNED, result);
    return (long)ranks.max((double)wrong);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct block *block = task;
    *(struct row *)row = (struct row){block->bytes, 1e-9 * (double)block->bytes / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct block),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_block,
                                             .prepare = prepare,
                                             .operation = put,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_block};

/* Open MPI 4.1 without UCX cannot with MPI_THREAD_MULTIPLE, and returns an error. */
static void check_windows(void)
{
    uint64_t number;
    MPI_Win window;
    if (MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window) != MPI_SUCCESS)
        waive("this MPI cannot make windows over existing memory with MPI_THREAD_MULTIPLE: use one "
              "with UCX (ompi_info lists osc/ucx)");
    check_mpi(MPI_Win_free(&window));
}

static void run_all(struct run *run)
{
    need_two_ranks();
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] % sizeof(uint64_t) || run->settings.sizes[i] > (size_t)8 << 30)
            fail("a block of %zu bytes: multiples of 8 up to 8G are possible",
                 run->settings.sizes[i]);
    if (!gpu_attribute(cudaDevAttrConcurrentManagedAccess, run->settings.device))
        waive("this device does not migrate managed memory on demand");
    check_windows();
    for (size_t i = 0; i < run->settings.size_count; i++)
        compare_variants(run, &comparison, &(struct block){.bytes = run->settings.sizes[i]});
}

static const size_t default_sizes[] = {(size_t)64 << 10, (size_t)1 << 20, (size_t)16 << 20, 0};

const struct program program = {
    .name = "rdma_managed",
    .summary = "puts a block that a kernel wrote into the memory that another rank's kernel reads",
    .details =
        "Rank 0 puts, rank 1 has the window; MPI_Put between two fences. time_s runs from the end\n"
        "of rank 0's kernel to the end of rank 1's. pinned: each rank copies between its device\n"
        "and page-locked memory. managed: one pointer for kernels and MPI; the host touches each\n"
        "page before MPI gets it, as MPI's system calls take no page faults of managed memory.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .run = run_all,
};
