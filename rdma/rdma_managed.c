/* rdma_managed: managed memory as the buffers of one-sided MPI, against page-locked memory that the
 * program copies itself (Fanfarillo 2016, 2.3.2.2). */
#include "clock.h"
#include "memory.h"
#include "program.h"
#include "random.h"
#include "rdma_kernels.h"

#include <mpi.h>
#include <string.h>

static const struct variant variants[] = {
    {"pinned", "device memory, copied to and from page-locked memory that MPI puts"},
    {"managed", "managed memory, which kernels use and MPI puts"},
    {0},
};
enum { PINNED, MANAGED, VARIANTS };

static const struct column columns[] = {
    {"block_bytes", COLUMN_PARAMETER, "size of the block"},
    {"bandwidth_gbs", COLUMN_METRIC, "block_bytes / time_s in 10^9 byte/s"},
    {0},
};

/* A block at each rank: the source at rank 0, the target at rank 1. */
struct block {
    int variant;
    size_t count;       /* numbers */
    uint64_t *host;     /* MPI's buffer */
    uint64_t *device;   /* what kernels use: the same, if managed */
    uint64_t *original; /* page-locked, what the source was before the kernel */
    MPI_Win window;
    cudaStream_t stream;
};

static size_t bytes_of(const struct block *block)
{
    return block->count * sizeof *block->host;
}

static void open_block(struct block *block, int variant, size_t bytes, uint64_t seed)
{
    *block = (struct block){.variant = variant, .count = bytes / sizeof *block->host};
    block->host =
        memory_allocate(variant == MANAGED ? MEMORY_MANAGED : MEMORY_PINNED, bytes_of(block));
    block->device =
        variant == MANAGED ? block->host : memory_allocate(MEMORY_DEVICE, bytes_of(block));
    block->original = memory_allocate(MEMORY_PINNED, bytes_of(block));
    random_fill_bytes(block->original, bytes_of(block), seed);
    check_cuda(cudaStreamCreateWithFlags(&block->stream, cudaStreamNonBlocking));
    check_mpi(MPI_Win_create(block->host, (MPI_Aint)bytes_of(block), sizeof *block->host,
                             MPI_INFO_NULL, MPI_COMM_WORLD, &block->window));
}

static void close_block(struct block *block)
{
    check_mpi(MPI_Win_free(&block->window));
    check_cuda(cudaStreamDestroy(block->stream));
    memory_release(MEMORY_PINNED, block->original);
    if (block->variant == PINNED)
        memory_release(MEMORY_DEVICE, block->device);
    memory_release(block->variant == MANAGED ? MEMORY_MANAGED : MEMORY_PINNED, block->host);
}

/* Untimed: the source is what a kernel has just written, the target is on its device. */
static void before(void *context)
{
    struct block *block = context;
    if (ranks.rank == 0)
        check_cuda(rdma_scale(block->device, block->original, block->count, block->stream));
    else
        check_cuda(cudaMemsetAsync(block->device, 0, bytes_of(block), block->stream));
    check_cuda(cudaStreamSynchronize(block->stream));
}

/* MPI's system calls do not take the faults of managed memory, so the program takes them before. */
static void bring_to_host(const struct block *block)
{
    enum { PAGE_NUMBERS = 4096 / sizeof(uint64_t) };
    for (size_t i = 0; i < block->count; i += PAGE_NUMBERS)
        (void)*(volatile uint64_t *)&block->host[i];
}

static double sample(void *context)
{
    struct block *block = context;
    double start_s = clock_now_s();

    if (block->variant == MANAGED)
        bring_to_host(block);
    else if (ranks.rank == 0)
        check_cuda(cudaMemcpy(block->host, block->device, bytes_of(block), cudaMemcpyDeviceToHost));
    check_mpi(MPI_Win_fence(MPI_MODE_NOPRECEDE, block->window));
    if (ranks.rank == 0)
        check_mpi(MPI_Put(block->host, (int)block->count, MPI_UINT64_T, 1, 0, (int)block->count,
                          MPI_UINT64_T, block->window));
    check_mpi(MPI_Win_fence(MPI_MODE_NOSUCCEED, block->window));
    if (ranks.rank == 1) {
        if (block->variant == PINNED)
            check_cuda(
                cudaMemcpy(block->device, block->host, bytes_of(block), cudaMemcpyHostToDevice));
        check_cuda(rdma_scale(block->device, block->device, block->count, block->stream));
        check_cuda(cudaStreamSynchronize(block->stream));
    }
    check_mpi(MPI_Barrier(MPI_COMM_WORLD));
    return clock_now_s() - start_s;
}

/* Both ranks filled `original` from the same seed; two kernels have scaled it. */
static long count_wrong(const struct block *block)
{
    long wrong = 0;
    uint64_t *result = memory_allocate(MEMORY_PINNED, bytes_of(block));
    check_cuda(cudaMemcpy(result, block->device, bytes_of(block), cudaMemcpyDefault));
    for (size_t i = 0; i < block->count && ranks.rank == 1; i++)
        wrong += result[i] != block->original[i] * RDMA_SCALE_FACTOR * RDMA_SCALE_FACTOR;
    memory_release(MEMORY_PINNED, result);
    return (long)ranks.max((double)wrong);
}

static void measure_size(struct run *run, size_t bytes)
{
    struct block blocks[VARIANTS];
    struct subject subjects[VARIANTS];
    size_t count = 0;

    for (int i = 0; i < VARIANTS; i++) {
        if (!program_wants(run, variants[i].name))
            continue;
        open_block(&blocks[count], i, bytes, (uint64_t)run->settings.seed);
        subjects[count] = (struct subject){.variant = variants[i].name,
                                           .sample = sample,
                                           .before = before,
                                           .context = &blocks[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        before(&blocks[i]);
        sample(&blocks[i]);
        long wrong = run->settings.check ? count_wrong(&blocks[i]) : 0;
        for (size_t k = 0; k < subjects[i].count; k++) {
            double time_s = subjects[i].times_s[k];
            struct value values[] = {integer((int64_t)bytes), real(1e-9 * (double)bytes / time_s)};
            record_row(run, subjects[i].variant, (int)k, values, time_s, wrong);
        }
        close_block(&blocks[i]);
    }
    measure_free(subjects, count);
}

/* Open MPI 4.1 without UCX makes none beside threads, and says so when it is asked. */
static void check_windows(void)
{
    uint64_t number;
    MPI_Win window;
    if (MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window) != MPI_SUCCESS)
        waive("this MPI makes no window over memory that is there for a program with "
              "MPI_THREAD_MULTIPLE: use one with UCX (ompi_info names osc/ucx)");
    check_mpi(MPI_Win_free(&window));
}

static void run_all(struct run *run)
{
    if (ranks.count != 2)
        fail("%s needs 2 ranks, and there are %d: start it with mpirun -np 2", run->program->name,
             ranks.count);
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] % sizeof(uint64_t) || run->settings.sizes[i] > (size_t)8 << 30)
            fail("a block of %zu bytes: multiples of 8 up to 8G are possible",
                 run->settings.sizes[i]);
    if (!gpu_attribute(cudaDevAttrConcurrentManagedAccess, run->settings.device))
        waive("this device does not migrate managed memory on demand");
    check_windows();
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, run->settings.sizes[i]);
}

static const size_t default_sizes[] = {(size_t)64 << 10, (size_t)1 << 20, (size_t)16 << 20, 0};

static const struct program program = {
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

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
