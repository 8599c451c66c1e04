/* rdma_count.h: counts the copies that a block makes on its way, on this rank.
 *
 * GPU copies are told by those who start them (rdma_copy_async, rdma_count_copy). What MPI and the
 * operating system do with a block is seen, not assumed: the program rdma_copies stands in front of
 * memcpy, memmove and the system calls that move data, and tells their bytes while MPI is called.
 * Figures 5-6 and 5-7 of Peshne 2018 count copies per node. */
#ifndef RDMA_RDMA_COUNT_H
#define RDMA_RDMA_COUNT_H

#include "gpu.h"

#include <stdbool.h>
#include <stddef.h>

enum rdma_copier {
    RDMA_COPY_ENGINE, /* between GPU memory and page-locked host memory, or another GPU */
    RDMA_COPY_DRIVER, /* by the CUDA driver, between pageable memory and its own page-locked buffer
                       */
    RDMA_COPY_KERNEL, /* loads and stores of a kernel */
    RDMA_COPY_CPU,    /* memcpy in MPI */
    RDMA_COPY_SYSTEM, /* by the operating system: between processes, or into and out of a socket */
    RDMA_COPIERS
};
extern const char *const rdma_copier_names[RDMA_COPIERS];

struct rdma_copies {
    size_t bytes[RDMA_COPIERS]; /* moved since the count began */
};

/* Counting costs time, so it is off but between begin and end. */
void rdma_copies_begin(void);
void rdma_copies_end(struct rdma_copies *copies);

/* cudaMemcpyAsync with cudaMemcpyDefault, counted: a copy from or to pageable host memory counts
 * twice, by the engine and by the driver, which stages it (CUDA programming guide). */
void rdma_copy_async(void *to, const void *from, size_t bytes, bool pageable, cudaStream_t stream);

/* Bytes that somebody else moved: a kernel of a path, or what stands in front of memcpy. No effect
 * when counting is off. Any thread. */
void rdma_count_copy(enum rdma_copier copier, size_t bytes);

/* Around calls of MPI; they nest. rdma_counts_mpi: whether this thread is within, and counting is
 * on. */
void rdma_enter_mpi(void);
void rdma_leave_mpi(void);
bool rdma_counts_mpi(void);

#endif
