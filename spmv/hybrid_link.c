#include "hybrid_link.h"

#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "spmv_pack.h"

/* Below this starting threads costs more than they save. */
enum { PARALLEL_ELEMENTS = 1 << 16 };

void *hybrid_memory(enum memory_kind kind, int64_t count, size_t each, struct sparse_error *error)
{
    void *memory = NULL;
    size_t bytes = (size_t)count * each;
    if (memory_operations[kind].allocate(&memory, bytes) == cudaSuccess)
        return memory;
    cudaGetLastError(); /* the next check must not find it */
    sparse_refuse(error, "there is no %s memory for %.3g GB of vectors",
                  memory_operations[kind].name, 1e-9 * (double)bytes);
    return NULL;
}

static enum memory_kind index_memory(const struct hybrid_link *link)
{
    return link->to_device ? MEMORY_PAGEABLE : MEMORY_DEVICE;
}

static enum memory_kind packed_memory(const struct hybrid_link *link)
{
    return link->to_device ? MEMORY_PINNED : MEMORY_DEVICE;
}

static bool open_packing(struct hybrid_link *link, const int32_t *index, struct sparse_error *error)
{
    size_t bytes = (size_t)link->count * sizeof *index;
    link->index = hybrid_memory(index_memory(link), link->count, sizeof *index, error);
    link->packed = hybrid_memory(packed_memory(link), link->count, link->value_bytes, error);
    if (!link->index || !link->packed)
        return false;
    memory_copy(link->index, index, bytes);
    return true;
}

bool hybrid_link_open(struct hybrid_link *link, bool to_device, const struct hybrid_part *sender,
                      const struct hybrid_part *receiver, enum sparse_precision precision,
                      struct sparse_error *error)
{
    const int32_t *index = receiver->halo_index;
    int64_t count = receiver->halo;
    *link = (struct hybrid_link){.to_device = to_device,
                                 .count = count,
                                 .value_bytes = sparse_value_bytes(precision),
                                 .precision = precision,
                                 .from_first = sender->own_first,
                                 .to_first = receiver->halo_first,
                                 .range_first = -1};
    if (count == 0)
        return true;
    check_cuda(cudaStreamCreateWithFlags(&link->stream, cudaStreamNonBlocking));
    check_cuda(cudaEventCreateWithFlags(&link->sent, cudaEventDisableTiming));
    check_cuda(cudaEventCreate(&link->begin));
    check_cuda(cudaEventCreate(&link->end));
    if (index[count - 1] - index[0] != count - 1)
        return open_packing(link, index, error);
    link->range_first = index[0];
    return true;
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
        if (link->precision == SPARSE_DOUBLE)
            packed_double[i] = own_double[link->index[i]];
        else
            packed_float[i] = own_float[link->index[i]];
}

/* Where the elements lie one after the other. */
static const void *pack(struct hybrid_link *link, const void *own)
{
    if (link->range_first >= 0)
        return (const char *)own + (size_t)link->range_first * link->value_bytes;
    if (link->to_device)
        pack_on_host(link, own);
    else
        spmv_pack_launch(link->precision, link->count, link->index, own, link->packed,
                         link->stream);
    return link->packed;
}

void hybrid_link_send(struct hybrid_link *link, const void *from, void *to, cudaEvent_t after,
                      bool timed)
{
    if (link->count == 0)
        return;
    check_cuda(cudaStreamWaitEvent(link->stream, after, 0));
    if (timed)
        check_cuda(cudaEventRecord(link->begin, link->stream));
    const void *packed =
        pack(link, (const char *)from + (size_t)link->from_first * link->value_bytes);
    check_cuda(cudaMemcpyAsync((char *)to + (size_t)link->to_first * link->value_bytes, packed,
                               (size_t)link->count * link->value_bytes, cudaMemcpyDefault,
                               link->stream));
    if (timed)
        check_cuda(cudaEventRecord(link->end, link->stream));
    check_cuda(cudaEventRecord(link->sent, link->stream));
}

void hybrid_link_wait(const struct hybrid_link *link)
{
    if (link->count > 0)
        check_cuda(cudaStreamSynchronize(link->stream));
}

double hybrid_link_time(const struct hybrid_link *link)
{
    float elapsed_ms = 0;
    if (link->count > 0)
        check_cuda(cudaEventElapsedTime(&elapsed_ms, link->begin, link->end));
    return 1e-3 * elapsed_ms;
}

void hybrid_link_close(struct hybrid_link *link)
{
    if (link->stream) {
        check_cuda(cudaStreamDestroy(link->stream));
        check_cuda(cudaEventDestroy(link->sent));
        check_cuda(cudaEventDestroy(link->begin));
        check_cuda(cudaEventDestroy(link->end));
    }
    if (link->index)
        memory_release(index_memory(link), link->index);
    if (link->packed)
        memory_release(packed_memory(link), link->packed);
    *link = (struct hybrid_link){0};
}
