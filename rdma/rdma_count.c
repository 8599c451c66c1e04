#include "rdma_count.h"

#include <stdatomic.h>

const char *const rdma_copier_names[RDMA_COPIERS] = {"engine", "driver", "kernel", "cpu", "system"};

static atomic_bool counting;
static atomic_size_t counted[RDMA_COPIERS];
static _Thread_local int mpi_depth;

void rdma_copies_begin(void)
{
    for (int copier = 0; copier < RDMA_COPIERS; copier++)
        atomic_store(&counted[copier], 0);
    atomic_store(&counting, true);
}

void rdma_copies_end(struct rdma_copies *copies)
{
    atomic_store(&counting, false);
    for (int copier = 0; copier < RDMA_COPIERS; copier++)
        copies->bytes[copier] = atomic_load(&counted[copier]);
}

void rdma_count_copy(enum rdma_copier copier, size_t bytes)
{
    if (atomic_load_explicit(&counting, memory_order_relaxed))
        atomic_fetch_add(&counted[copier], bytes);
}

void rdma_copy_async(void *to, const void *from, size_t bytes, bool pageable, cudaStream_t stream)
{
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
    rdma_count_copy(RDMA_COPY_ENGINE, bytes);
    if (pageable)
        rdma_count_copy(RDMA_COPY_DRIVER, bytes);
}

void rdma_enter_mpi(void)
{
    mpi_depth++;
}

void rdma_leave_mpi(void)
{
    mpi_depth--;
}

bool rdma_counts_mpi(void)
{
    return mpi_depth > 0 && atomic_load_explicit(&counting, memory_order_relaxed);
}
