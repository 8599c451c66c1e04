#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "hybrid_internal.h"

/* ---- opening ---- */

static bool open_vectors(void *vectors[2], enum memory_kind kind, const struct hybrid_part *part,
                         enum sparse_precision precision, struct sparse_error *error)
{
    for (int i = 0; i < 2 && part->rows > 0; i++) {
        vectors[i] = hybrid_memory(kind, part->columns, sparse_value_bytes(precision), error);
        if (!vectors[i])
            return false;
    }
    return true;
}

static bool open_cpu(struct hybrid *hybrid, const struct sparse_coo *coo, int64_t cpu_rows,
                     const struct sparse_options *options, struct sparse_error *error)
{
    struct sparse_coo block;
    if (!hybrid_part_open(&hybrid->cpu_part, &block, coo, 0, cpu_rows, error))
        return false;
    bool built =
        cpu_rows == 0 || sparse_matrix_create(&hybrid->cpu, SPARSE_CSR, &block, options, error);
    sparse_coo_close(&block);
    return built &&
           open_vectors(hybrid->host, MEMORY_PINNED, &hybrid->cpu_part, hybrid->precision, error);
}

static bool open_gpu(struct hybrid *hybrid, const struct sparse_coo *coo, int64_t cpu_rows,
                     enum sparse_format format, const struct sparse_options *options,
                     struct sparse_error *error)
{
    struct sparse_coo block;
    int64_t rows = coo->rows - cpu_rows;
    if (!hybrid_part_open(&hybrid->gpu_part, &block, coo, cpu_rows, rows, error))
        return false;
    bool built = rows == 0 || (sparse_matrix_create(&hybrid->gpu, format, &block, options, error) &&
                               sparse_matrix_to_device(&hybrid->gpu, error));
    sparse_coo_close(&block);
    return built &&
           open_vectors(hybrid->device, MEMORY_DEVICE, &hybrid->gpu_part, hybrid->precision, error);
}

static void open_stream(struct hybrid *hybrid)
{
    check_cuda(cudaStreamCreateWithFlags(&hybrid->stream, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++)
        check_cuda(cudaEventCreateWithFlags(&hybrid->done[i], cudaEventDisableTiming));
    check_cuda(cudaEventCreate(&hybrid->begin));
    check_cuda(cudaEventCreate(&hybrid->end));
}

struct hybrid *hybrid_open(const struct sparse_coo *coo, int64_t cpu_rows,
                           enum sparse_format gpu_format, const struct sparse_options *options,
                           struct sparse_error *error)
{
    if (coo->rows != coo->columns || cpu_rows < 0 || cpu_rows > coo->rows) {
        sparse_refuse(error,
                      "%lld rows of a matrix of %lld rows and %lld columns for the CPU: it must be "
                      "square and the rows from 0 to all",
                      (long long)cpu_rows, (long long)coo->rows, (long long)coo->columns);
        return NULL;
    }
    struct hybrid *hybrid = allocate_or_fail(1, sizeof *hybrid);
    *hybrid = (struct hybrid){.precision = options ? options->precision : SPARSE_DOUBLE};
    open_stream(hybrid);
    if (open_cpu(hybrid, coo, cpu_rows, options, error) &&
        open_gpu(hybrid, coo, cpu_rows, gpu_format, options, error) &&
        hybrid_link_open(&hybrid->to_device, true, &hybrid->cpu_part, &hybrid->gpu_part,
                         hybrid->precision, error) &&
        hybrid_link_open(&hybrid->from_device, false, &hybrid->gpu_part, &hybrid->cpu_part,
                         hybrid->precision, error)) {
        /* A copy of pageable memory may end after its call, and these streams would not wait. */
        check_cuda(cudaDeviceSynchronize());
        return hybrid;
    }
    hybrid_close(hybrid);
    return NULL;
}

static void release_vectors(void *vectors[2], enum memory_kind kind)
{
    for (int i = 0; i < 2; i++)
        if (vectors[i])
            memory_release(kind, vectors[i]);
}

void hybrid_close(struct hybrid *hybrid)
{
    hybrid_link_close(&hybrid->to_device);
    hybrid_link_close(&hybrid->from_device);
    sparse_matrix_release(&hybrid->cpu);
    sparse_matrix_release(&hybrid->gpu);
    release_vectors(hybrid->host, MEMORY_PINNED);
    release_vectors(hybrid->device, MEMORY_DEVICE);
    hybrid_part_close(&hybrid->cpu_part);
    hybrid_part_close(&hybrid->gpu_part);
    check_cuda(cudaStreamDestroy(hybrid->stream));
    for (int i = 0; i < 2; i++)
        check_cuda(cudaEventDestroy(hybrid->done[i]));
    check_cuda(cudaEventDestroy(hybrid->begin));
    check_cuda(cudaEventDestroy(hybrid->end));
    free(hybrid);
}

/* ---- vectors ---- */

static size_t bytes_of(const struct hybrid *hybrid, int64_t count)
{
    return (size_t)count * sparse_value_bytes(hybrid->precision);
}

void hybrid_set(struct hybrid *hybrid, const void *x)
{
    const struct hybrid_part *cpu = &hybrid->cpu_part, *gpu = &hybrid->gpu_part;
    if (cpu->rows > 0)
        memcpy(hybrid_own(hybrid, hybrid->host[hybrid->turn], cpu), x, bytes_of(hybrid, cpu->rows));
    if (gpu->rows > 0)
        check_cuda(cudaMemcpyAsync(hybrid_own(hybrid, hybrid->device[hybrid->turn], gpu),
                                   (const char *)x + bytes_of(hybrid, cpu->rows),
                                   bytes_of(hybrid, gpu->rows), cudaMemcpyHostToDevice,
                                   hybrid->stream));
    check_cuda(cudaStreamSynchronize(hybrid->stream)); /* the links read it, too */
}

void hybrid_result(struct hybrid *hybrid, void *y)
{
    const struct hybrid_part *cpu = &hybrid->cpu_part, *gpu = &hybrid->gpu_part;
    if (cpu->rows > 0)
        memcpy(y, hybrid_own(hybrid, hybrid->host[hybrid->turn], cpu), bytes_of(hybrid, cpu->rows));
    if (gpu->rows > 0)
        check_cuda(cudaMemcpy((char *)y + bytes_of(hybrid, cpu->rows),
                              hybrid_own(hybrid, hybrid->device[hybrid->turn], gpu),
                              bytes_of(hybrid, gpu->rows), cudaMemcpyDeviceToHost));
}

struct hybrid_report hybrid_report(const struct hybrid *hybrid)
{
    return (struct hybrid_report){.to_device_elements = hybrid->to_device.count,
                                  .from_device_elements = hybrid->from_device.count,
                                  .cpu_s = hybrid->cpu_s,
                                  .gpu_s = hybrid->gpu_s,
                                  .exchange_s = hybrid->exchange_s};
}
