#include "blp_options.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "common/gpu.h"
#include "common/harness/exit.h"

#include "blp_groups.h"

const char *const blp_write_names[BLP_WRITES] = {"add", "or", "exchange", "inc"};
const char *const blp_read_names[BLP_READS] = {"and", "cas", "volatile"};

const char *blp_complain(const char *format, ...)
{
    static _Thread_local char text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

struct blp_options blp_defaults(void)
{
    return (struct blp_options){.in_write = BLP_WRITE_ADD,
                                .in_read = BLP_READ_VOLATILE,
                                .out_write = BLP_WRITE_ADD,
                                .out_read = BLP_READ_VOLATILE};
}

const char *blp_options_complaint(const struct blp_options *options)
{
    if (options->blocks < 0 || options->copy_in_blocks < 0 || options->copy_out_blocks < 0)
        return "numbers of blocks cannot be negative";
    if (options->threads < 0 || options->threads > BLP_THREADS_MAX || options->threads % 32)
        return blp_complain("%d threads per block are not a multiple of 32 up to %d",
                            options->threads, BLP_THREADS_MAX);
    if (options->vector_bits != 0 && options->vector_bits != 32 && options->vector_bits != 128)
        return blp_complain("copies of %d bits are neither of 32 nor of 128", options->vector_bits);
    if (options->layout != BLP_PER_ARRAY && options->layout != BLP_INTERLEAVED)
        return "the layout of copies is neither per array nor interleaved";
    if ((unsigned)options->in_write >= BLP_WRITES || (unsigned)options->out_write >= BLP_WRITES)
        return "there is no such operation to raise a flag";
    if ((unsigned)options->in_read >= BLP_READS || (unsigned)options->out_read >= BLP_READS)
        return "there is no such operation to wait for a flag";
    if (options->task_size < 0)
        return blp_complain("a task of %ld iterations", options->task_size);
    return NULL;
}

/* ---- blocks ---- */

const char *blp_choose_groups(struct blp_work *work, const struct blp_kernel *kernel,
                              const struct blp_options *options)
{
    struct blp_shape usual = kernel->usual;
    int device, resident;
#if defined(SOFTGPU)
    usual.threads = 64; /* threads at a barrier take turns */
    usual.blocks_per_multiprocessor = 1;
#endif
    check_cuda(cudaGetDevice(&device));
    int processors = gpu_attribute(cudaDevAttrMultiProcessorCount, device);
    work->threads = options->threads ? options->threads : usual.threads;
    check_cuda(kernel->resident(work->threads, &resident));
    if (usual.blocks_per_multiprocessor > resident && resident > 0)
        usual.blocks_per_multiprocessor = resident;
    work->blocks = options->blocks ? options->blocks : processors * usual.blocks_per_multiprocessor;
    if (work->blocks > resident * processors)
        return blp_complain("%d blocks of %d threads cannot wait for one another: %d can be "
                            "resident at once",
                            work->blocks, work->threads, resident * processors);
    work->dynamic = options->dynamic;
    if (options->dynamic)
        return NULL;
    work->in_blocks = options->copy_in_blocks;
    if (!work->in_blocks)
        work->in_blocks = blp_default_copy_in(work->blocks, work->threads, usual.in_share);
    work->out_blocks = options->copy_out_blocks;
    if (!work->out_blocks)
        work->out_blocks = blp_default_copy_out(work->blocks, work->threads, usual.out_share);
    if (work->in_blocks >= work->blocks || work->out_blocks >= work->blocks - work->in_blocks)
        return blp_complain("no block is left to compute: %d blocks, %d copy in and %d copy out",
                            work->blocks, work->in_blocks, work->out_blocks);
    return NULL;
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

static bool is_aligned(const struct dm_region_array *array)
{
    return ((uintptr_t)array->host | array->slice_bytes | array->pitch_bytes) % 16 == 0;
}

static size_t host_bytes(const struct dm_region_array *array)
{
    if (array->split == DM_REGION_COLUMNS)
        return (array->rows - 1) * array->pitch_bytes + (size_t)array->slices * array->slice_bytes;
    return (size_t)array->slices * array->slice_bytes;
}

const char *blp_find_host(struct blp_work *work, const struct dm_region *region,
                          const struct blp_options *options)
{
    work->vector_bytes = options->vector_bits == 32 ? 4 : 16;
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        if (array->direction == DM_REGION_SCRATCH)
            continue;
        work->arrays[a].host = device_address(array->host, host_bytes(array));
        if (!work->arrays[a].host)
            return blp_complain("array %s is not in page-locked host memory, which copy blocks "
                                "need to address it",
                                array->name);
        if (is_aligned(array))
            continue;
        if (options->vector_bits == 128)
            return blp_complain("array %s cannot be copied in vectors of 128 bits: its address, "
                                "slices and pitch must be multiples of 16 bytes",
                                array->name);
        work->vector_bytes = 4;
    }
    return NULL;
}
