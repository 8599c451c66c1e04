#include "options.h"

#include <stdint.h>

#include "common/error_cuda.h"

enum { WARP = 32, WORD_BYTES = 4, VECTOR_BYTES = 16 };

/* 12 and 4 of an H200's 132 blocks; README.md has the measurements. */
enum { IN_SHARE = 11, OUT_SHARE = 33 };

static enum dm_status check_options(const struct blp_options *options)
{
    if (options->blocks < 0 || options->copy_in_blocks < 0 || options->copy_out_blocks < 0)
        return dm_fail(DM_INVALID, "%d blocks, %d copy in and %d copy out: none can be negative",
                       options->blocks, options->copy_in_blocks, options->copy_out_blocks);
    if (options->threads < 0 || options->threads > BLP_THREADS_MAX || options->threads % WARP)
        return dm_fail(DM_INVALID, "%d threads per block are not a multiple of %d up to %d",
                       options->threads, WARP, BLP_THREADS_MAX);
    if (options->vector_bits != 0 && options->vector_bits != 32 && options->vector_bits != 128)
        return dm_fail(DM_INVALID, "copies of %d bits are neither of 32 nor of 128",
                       options->vector_bits);
    if (options->layout != BLP_PER_ARRAY && options->layout != BLP_INTERLEAVED)
        return dm_fail(DM_INVALID, "layout %d of copies is neither per array nor interleaved",
                       (int)options->layout);
    if ((unsigned)options->in_write >= BLP_WRITES || (unsigned)options->out_write >= BLP_WRITES)
        return dm_fail(DM_INVALID, "operations %d and %d to raise a flag: 0 to %d are possible",
                       (int)options->in_write, (int)options->out_write, BLP_WRITES - 1);
    if ((unsigned)options->in_read >= BLP_READS || (unsigned)options->out_read >= BLP_READS)
        return dm_fail(DM_INVALID, "operations %d and %d to wait for a flag: 0 to %d are possible",
                       (int)options->in_read, (int)options->out_read, BLP_READS - 1);
    if ((unsigned)options->in >= BLP_MOVERS || (unsigned)options->out >= BLP_MOVERS)
        return dm_fail(DM_INVALID, "movers %d and %d: 0 to %d are possible", (int)options->in,
                       (int)options->out, BLP_MOVERS - 1);
    if (options->dynamic && (options->in == BLP_ENGINE || options->out == BLP_ENGINE))
        return dm_fail(DM_INVALID,
                       "copy engines take nothing from the queue of a dynamic execution");
    if ((options->in == BLP_ENGINE && options->copy_in_blocks) ||
        (options->out == BLP_ENGINE && options->copy_out_blocks))
        return dm_fail(DM_INVALID,
                       "%d blocks copy in and %d copy out beside engines that do so: set 0",
                       options->copy_in_blocks, options->copy_out_blocks);
    if (options->task_size < 0)
        return dm_fail(DM_INVALID, "a task of %ld iterations: at least 1 is needed, or 0",
                       options->task_size);
    return DM_OK;
}

static enum dm_status check_kernel(const struct blp_kernel *kernel, const struct dm_region *region)
{
    if (!kernel)
        return dm_fail(DM_INVALID, "there is no kernel for region %s", region->name);
    if (kernel->work_bytes != sizeof(struct blp_work))
        return dm_fail(DM_INVALID,
                       "the kernel for region %s was compiled with other headers than this "
                       "library's: compile it again",
                       region->name);
    if (kernel->stages < 1)
        return dm_fail(DM_INVALID, "the kernel for region %s has %d stages, at least 1 is needed",
                       region->name, kernel->stages);
    int parts = kernel->parts ? kernel->parts(region->context) : 1;
    if (parts < 1 || parts > BLP_PARTS_MAX)
        return dm_fail(DM_INVALID, "the kernel for region %s has %d parts, 1 to %d are possible",
                       region->name, parts, BLP_PARTS_MAX);
    return DM_OK;
}

static cudaError_t launch_nothing(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaErrorNotSupported;
}

/* The kernel is not launched by the region's own function, which may be missing. */
enum dm_status check_all(const struct dm_region *region, const struct blp_kernel *kernel,
                         const struct blp_options *options)
{
    struct dm_region launched = *region;
    launched.launch = launch_nothing;
    TRY(dm_region_check(&launched));
    TRY(check_options(options));
    return check_kernel(kernel, region);
}

/* ---- blocks ---- */

static struct blp_shape usual_shape(const struct blp_kernel *kernel)
{
    struct blp_shape usual = kernel->usual;
    if (!usual.blocks_per_multiprocessor)
        usual.blocks_per_multiprocessor = 1;
    if (!usual.threads)
        usual.threads = BLP_THREADS_MAX;
    if (!usual.in_share)
        usual.in_share = IN_SHARE;
    if (!usual.out_share)
        usual.out_share = OUT_SHARE;
#if defined(SOFTGPU)
    usual.threads = 64; /* its threads run one after the other between barriers */
    usual.blocks_per_multiprocessor = 1;
#endif
    if (usual.threads > kernel->threads_max)
        usual.threads = kernel->threads_max;
    return usual;
}

/* Copy blocks when the options leave their number open: never more than a third of all, so that
 * smaller blocks than the measured ones leave some to compute. */
static int copy_blocks(const struct blp_work *work, const struct blp_groups *measured, int found,
                       int share)
{
    int blocks = work->blocks / share;
    if (measured->threads > 0)
        blocks = (found * measured->threads + work->threads - 1) / work->threads;
    if (blocks > work->blocks / 3)
        blocks = work->blocks / 3;
    return blocks > 1 ? blocks : 1;
}

static enum dm_status choose_blocks(struct blp_work *work, const struct blp_kernel *kernel,
                                    const struct blp_options *options, struct blp_shape usual)
{
    int device, resident = 0, processors;
    TRY_CUDA(cudaGetDevice(&device));
    TRY_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    work->threads = options->threads ? options->threads : usual.threads;
    if (work->threads > kernel->threads_max)
        return dm_fail(DM_INVALID, "%d threads per block: the kernel was compiled for at most %d",
                       work->threads, kernel->threads_max);
    TRY_CUDA(kernel->resident(work->threads, &resident));
    if (usual.blocks_per_multiprocessor > resident && resident > 0)
        usual.blocks_per_multiprocessor = resident;
    work->blocks = options->blocks ? options->blocks : processors * usual.blocks_per_multiprocessor;
    if (work->blocks > resident * processors)
        return dm_fail(DM_INVALID,
                       "%d blocks of %d threads cannot wait for one another: %d can be "
                       "resident at once",
                       work->blocks, work->threads, resident * processors);
    return DM_OK;
}

enum dm_status choose_groups(struct blp_work *work, const struct blp_kernel *kernel,
                             const struct blp_options *options)
{
    const struct blp_groups *measured = &options->measured;
    struct blp_shape usual = usual_shape(kernel);
    TRY(choose_blocks(work, kernel, options, usual));
    work->dynamic = options->dynamic;
    if (options->dynamic)
        return DM_OK;
    work->in_blocks = options->copy_in_blocks;
    if (!work->in_blocks && !work->engines.in)
        work->in_blocks = copy_blocks(work, measured, measured->in, usual.in_share);
    work->out_blocks = options->copy_out_blocks;
    if (!work->out_blocks && !work->engines.out)
        work->out_blocks = copy_blocks(work, measured, measured->out, usual.out_share);
    if (work->in_blocks >= work->blocks || work->out_blocks >= work->blocks - work->in_blocks)
        return dm_fail(DM_INVALID,
                       "no block is left to compute: %d blocks, %d copy in and %d copy out",
                       work->blocks, work->in_blocks, work->out_blocks);
    return DM_OK;
}

/* ---- host memory ---- */

/* The device's address of page-locked host memory, NULL if it is not that from end to end. */
static void *device_address(const char *host, size_t bytes)
{
    struct cudaPointerAttributes first, last;
    if (cudaPointerGetAttributes(&first, host) != cudaSuccess ||
        cudaPointerGetAttributes(&last, host + bytes - 1) != cudaSuccess) {
        cudaGetLastError();
        return NULL;
    }
    bool locked = first.type == cudaMemoryTypeHost && last.type == cudaMemoryTypeHost;
    bool linear = (char *)last.devicePointer - (char *)first.devicePointer == (long)bytes - 1;
    return locked && linear ? first.devicePointer : NULL;
}

static bool is_aligned(const struct dm_region_array *array, size_t bytes)
{
    return ((uintptr_t)array->host | array->slice_bytes | array->pitch_bytes) % bytes == 0;
}

static size_t host_bytes(const struct dm_region_array *array)
{
    if (array->split == DM_REGION_COLUMNS)
        return (array->rows - 1) * array->pitch_bytes + (size_t)array->slices * array->slice_bytes;
    return (size_t)array->slices * array->slice_bytes;
}

enum dm_status find_host_memory(struct blp_work *work, const struct dm_region *region,
                                const struct blp_options *options)
{
    work->vector_bytes = options->vector_bits == 32 ? WORD_BYTES : VECTOR_BYTES;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        const size_t needed = options->vector_bits == 128 ? VECTOR_BYTES : WORD_BYTES;
        if (array->direction == DM_REGION_SCRATCH)
            continue;
        work->arrays[a].host = device_address(array->host, host_bytes(array));
        if (!work->arrays[a].host)
            return dm_fail(DM_INVALID,
                           "array %s is not in page-locked host memory, which copy blocks "
                           "need to address it",
                           array->name);
        if (!is_aligned(array, needed))
            return dm_fail(DM_INVALID,
                           "array %s cannot be copied in vectors of %zu bits: its address, "
                           "slices and pitch must be multiples of %zu bytes",
                           array->name, 8 * needed, needed);
        if (!is_aligned(array, VECTOR_BYTES))
            work->vector_bytes = WORD_BYTES;
    }
    return DM_OK;
}
