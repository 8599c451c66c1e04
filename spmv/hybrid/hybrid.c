#include <stdlib.h>
#include <string.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "hybrid.h"

/* ---- opening ---- */

static enum dm_status open_vectors(void *vectors[2], enum memory_kind kind,
                                   const struct hybrid_part *part, enum spmv_precision precision)
{
    for (int i = 0; i < 2 && part->rows > 0; i++)
        TRY(memory_obtain(kind, (size_t)part->columns * spmv_value_bytes(precision), &vectors[i]));
    return DM_OK;
}

static enum dm_status open_cpu(struct spmv_hybrid *hybrid, const struct spmv_coo *coo,
                               int64_t cpu_rows, const struct spmv_options *options)
{
    struct spmv_coo block;
    enum dm_status status = hybrid_part_open(&hybrid->cpu_part, &block, coo, 0, cpu_rows);
    if (status == DM_OK && cpu_rows > 0)
        status = spmv_matrix_create(&hybrid->cpu, SPMV_CSR, &block, options);
    spmv_coo_close(&block);
    TRY(status);
    return open_vectors(hybrid->host, MEMORY_PINNED, &hybrid->cpu_part, hybrid->precision);
}

static enum dm_status open_gpu(struct spmv_hybrid *hybrid, const struct spmv_coo *coo,
                               int64_t cpu_rows, enum spmv_format format,
                               const struct spmv_options *options)
{
    struct spmv_coo block;
    int64_t rows = coo->rows - cpu_rows;
    enum dm_status status = hybrid_part_open(&hybrid->gpu_part, &block, coo, cpu_rows, rows);
    if (status == DM_OK && rows > 0)
        status = spmv_matrix_create(&hybrid->gpu, format, &block, options);
    if (status == DM_OK && rows > 0)
        status = spmv_matrix_to_device(&hybrid->gpu);
    spmv_coo_close(&block);
    TRY(status);
    return open_vectors(hybrid->device, MEMORY_DEVICE, &hybrid->gpu_part, hybrid->precision);
}

static enum dm_status open_stream(struct spmv_hybrid *hybrid)
{
    TRY_CUDA(cudaStreamCreateWithFlags(&hybrid->stream, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++)
        TRY_CUDA(cudaEventCreateWithFlags(&hybrid->done[i], cudaEventDisableTiming));
    TRY_CUDA(cudaEventCreate(&hybrid->begin));
    TRY_CUDA(cudaEventCreate(&hybrid->end));
    return DM_OK;
}

static enum dm_status open_all(struct spmv_hybrid *hybrid, const struct spmv_coo *coo,
                               int64_t cpu_rows, enum spmv_format gpu_format,
                               const struct spmv_options *options)
{
    TRY(open_stream(hybrid));
    TRY(open_cpu(hybrid, coo, cpu_rows, options));
    TRY(open_gpu(hybrid, coo, cpu_rows, gpu_format, options));
    TRY(hybrid_link_open(&hybrid->to_device, true, &hybrid->cpu_part, &hybrid->gpu_part,
                         hybrid->precision));
    TRY(hybrid_link_open(&hybrid->from_device, false, &hybrid->gpu_part, &hybrid->cpu_part,
                         hybrid->precision));
    /* A copy of pageable memory may end after its call, and these streams would not wait. */
    TRY_CUDA(cudaDeviceSynchronize());
    return DM_OK;
}

enum dm_status spmv_hybrid_open(struct spmv_hybrid **hybrid, const struct spmv_coo *coo,
                                int64_t cpu_rows, enum spmv_format gpu_format,
                                const struct spmv_options *options)
{
    *hybrid = NULL;
    if (coo->rows != coo->columns || cpu_rows < 0 || cpu_rows > coo->rows)
        return dm_fail(
            DM_INVALID,
            "%lld rows of a matrix of %lld rows and %lld columns for the CPU: it must be "
            "square and the rows from 0 to all",
            (long long)cpu_rows, (long long)coo->rows, (long long)coo->columns);
    struct spmv_hybrid *opened = calloc(1, sizeof *opened);
    if (!opened)
        return error_no_memory(sizeof *opened);
    opened->precision = options ? options->precision : SPMV_DOUBLE;
    enum dm_status status = open_all(opened, coo, cpu_rows, gpu_format, options);
    if (status == DM_OK)
        *hybrid = opened;
    else
        spmv_hybrid_close(opened);
    return status;
}

static void release_vectors(void *vectors[2], enum memory_kind kind)
{
    for (int i = 0; i < 2; i++)
        memory_give_back(kind, vectors[i]);
}

void spmv_hybrid_close(struct spmv_hybrid *hybrid)
{
    if (!hybrid)
        return;
    hybrid_link_close(&hybrid->to_device);
    hybrid_link_close(&hybrid->from_device);
    spmv_matrix_release(&hybrid->cpu);
    spmv_matrix_release(&hybrid->gpu);
    release_vectors(hybrid->host, MEMORY_PINNED);
    release_vectors(hybrid->device, MEMORY_DEVICE);
    hybrid_part_close(&hybrid->cpu_part);
    hybrid_part_close(&hybrid->gpu_part);
    if (hybrid->stream)
        cudaStreamDestroy(hybrid->stream);
    for (int i = 0; i < 2; i++)
        hybrid_event_close(hybrid->done[i]);
    hybrid_event_close(hybrid->begin);
    hybrid_event_close(hybrid->end);
    free(hybrid);
}

/* ---- vectors ---- */

static size_t bytes_of(const struct spmv_hybrid *hybrid, int64_t count)
{
    return (size_t)count * spmv_value_bytes(hybrid->precision);
}

enum dm_status spmv_hybrid_set(struct spmv_hybrid *hybrid, const void *x)
{
    const struct hybrid_part *cpu = &hybrid->cpu_part, *gpu = &hybrid->gpu_part;
    if (cpu->rows > 0)
        memcpy(hybrid_own(hybrid, hybrid->host[hybrid->turn], cpu), x, bytes_of(hybrid, cpu->rows));
    if (gpu->rows > 0)
        TRY_CUDA(cudaMemcpyAsync(hybrid_own(hybrid, hybrid->device[hybrid->turn], gpu),
                                 (const char *)x + bytes_of(hybrid, cpu->rows),
                                 bytes_of(hybrid, gpu->rows), cudaMemcpyHostToDevice,
                                 hybrid->stream));
    TRY_CUDA(cudaStreamSynchronize(hybrid->stream)); /* the links read it, too */
    return DM_OK;
}

enum dm_status spmv_hybrid_result(struct spmv_hybrid *hybrid, void *y)
{
    const struct hybrid_part *cpu = &hybrid->cpu_part, *gpu = &hybrid->gpu_part;
    if (cpu->rows > 0)
        memcpy(y, hybrid_own(hybrid, hybrid->host[hybrid->turn], cpu), bytes_of(hybrid, cpu->rows));
    if (gpu->rows > 0)
        TRY_CUDA(cudaMemcpy((char *)y + bytes_of(hybrid, cpu->rows),
                            hybrid_own(hybrid, hybrid->device[hybrid->turn], gpu),
                            bytes_of(hybrid, gpu->rows), cudaMemcpyDeviceToHost));
    return DM_OK;
}

struct spmv_hybrid_report spmv_hybrid_report(const struct spmv_hybrid *hybrid)
{
    return (struct spmv_hybrid_report){.to_device_elements = hybrid->to_device.count,
                                       .from_device_elements = hybrid->from_device.count,
                                       .cpu_s = hybrid->cpu_s,
                                       .gpu_s = hybrid->gpu_s,
                                       .exchange_s = hybrid->exchange_s};
}
