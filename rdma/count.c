#include "count.h"

#include <stdatomic.h>

#include "common/error_cuda.h"

static atomic_bool is_counting;
static atomic_size_t counted[COPIERS];
static _Thread_local int mpi_depth;

void copies_begin(void)
{
    for (int copier = 0; copier < COPIERS; copier++)
        atomic_store(&counted[copier], 0);
    atomic_store(&is_counting, true);
}

void copies_end(struct copies *copies)
{
    atomic_store(&is_counting, false);
    for (int copier = 0; copier < COPIERS; copier++)
        copies->bytes[copier] = atomic_load(&counted[copier]);
}

void copies_add(enum copier copier, size_t bytes)
{
    if (atomic_load_explicit(&is_counting, memory_order_relaxed))
        atomic_fetch_add(&counted[copier], bytes);
}

void copies_enter_mpi(void)
{
    mpi_depth++;
}

void copies_leave_mpi(void)
{
    mpi_depth--;
}

bool copies_see_mpi(void)
{
    return mpi_depth > 0 && atomic_load_explicit(&is_counting, memory_order_relaxed);
}

enum dm_status copy_async(void *to, const void *from, size_t bytes, bool is_pageable,
                          cudaStream_t stream)
{
    TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
    copies_add(COPIER_ENGINE, bytes);
    if (is_pageable)
        copies_add(COPIER_DRIVER, bytes);
    return DM_OK;
}
