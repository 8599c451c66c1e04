#include "link.h"

#include "spmv/formats/format.h"
#include "spmv/formats/pack.h"
#include "common/error_cuda.h"

/* Below this starting threads costs more than they save. */
enum { PARALLEL_ELEMENTS = 1 << 16 };

static enum memory_kind index_memory(const struct hybrid_link *link)
{
    return link->to_device ? MEMORY_PAGEABLE : MEMORY_DEVICE;
}

static enum memory_kind packed_memory(const struct hybrid_link *link)
{
    return link->to_device ? MEMORY_PINNED : MEMORY_DEVICE;
}

static enum dm_status open_packing(struct hybrid_link *link, const int32_t *index)
{
    size_t bytes = (size_t)link->count * sizeof *index;
    TRY(memory_obtain(index_memory(link), bytes, (void **)&link->index));
    TRY(memory_obtain(packed_memory(link), (size_t)link->count * link->value_bytes, &link->packed));
    return sparse_copy(link->index, index, bytes);
}

enum dm_status hybrid_link_open(struct hybrid_link *link, bool to_device,
                                const struct hybrid_part *sender,
                                const struct hybrid_part *receiver, enum spmv_precision precision)
{
    const int32_t *index = receiver->halo_index;
    int64_t count = receiver->halo;
    *link = (struct hybrid_link){.to_device = to_device,
                                 .count = count,
                                 .value_bytes = spmv_value_bytes(precision),
                                 .precision = precision,
                                 .from_first = sender->own_first,
                                 .to_first = receiver->halo_first,
                                 .range_first = -1};
    if (count == 0)
        return DM_OK;
    TRY_CUDA(cudaStreamCreateWithFlags(&link->stream, cudaStreamNonBlocking));
    TRY_CUDA(cudaEventCreateWithFlags(&link->sent, cudaEventDisableTiming));
    TRY_CUDA(cudaEventCreate(&link->begin));
    TRY_CUDA(cudaEventCreate(&link->end));
    if (index[count - 1] - index[0] != count - 1)
        return open_packing(link, index);
    link->range_first = index[0];
    return DM_OK;
}

static void pack_on_host(struct hybrid_link *link, const void *own)
{
    const double *own_double = own;
    const float *own_float = own;
    double *packed_double = link->packed;
    float *packed_float = link->packed;
    const int64_t count = link->count;
#pragma omp parallel for if (count > PARALLEL_ELEMENTS)
    for (int64_t i = 0; i < count; i++)
        if (link->precision == SPMV_DOUBLE)
            packed_double[i] = own_double[link->index[i]];
        else
            packed_float[i] = own_float[link->index[i]];
}

/* *packed: where the elements lie one after the other. */
static enum dm_status pack(struct hybrid_link *link, const void *own, const void **packed)
{
    *packed = link->packed;
    if (link->range_first >= 0)
        *packed = (const char *)own + (size_t)link->range_first * link->value_bytes;
    else if (link->to_device)
        pack_on_host(link, own);
    else
        return spmv_pack_launch(link->precision, link->count, link->index, own, link->packed,
                                link->stream);
    return DM_OK;
}

enum dm_status hybrid_link_send(struct hybrid_link *link, const void *from, void *to,
                                cudaEvent_t after, bool timed)
{
    const void *packed;
    if (link->count == 0)
        return DM_OK;
    TRY_CUDA(cudaStreamWaitEvent(link->stream, after, 0));
    if (timed)
        TRY_CUDA(cudaEventRecord(link->begin, link->stream));
    TRY(pack(link, (const char *)from + (size_t)link->from_first * link->value_bytes, &packed));
    TRY_CUDA(cudaMemcpyAsync((char *)to + (size_t)link->to_first * link->value_bytes, packed,
                             (size_t)link->count * link->value_bytes, cudaMemcpyDefault,
                             link->stream));
    if (timed)
        TRY_CUDA(cudaEventRecord(link->end, link->stream));
    TRY_CUDA(cudaEventRecord(link->sent, link->stream));
    return DM_OK;
}

enum dm_status hybrid_link_wait(const struct hybrid_link *link)
{
    if (link->count > 0)
        TRY_CUDA(cudaStreamSynchronize(link->stream));
    return DM_OK;
}

enum dm_status hybrid_link_time(const struct hybrid_link *link, double *time_s)
{
    float elapsed_ms = 0;
    if (link->count > 0)
        TRY_CUDA(cudaEventElapsedTime(&elapsed_ms, link->begin, link->end));
    *time_s = 1e-3 * elapsed_ms;
    return DM_OK;
}

void hybrid_link_close(struct hybrid_link *link)
{
    if (link->stream)
        cudaStreamDestroy(link->stream);
    hybrid_event_close(link->sent);
    hybrid_event_close(link->begin);
    hybrid_event_close(link->end);
    memory_give_back(index_memory(link), link->index);
    memory_give_back(packed_memory(link), link->packed);
    *link = (struct hybrid_link){0};
}
