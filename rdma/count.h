/* count.h: counts the copies that a block makes on its way, on this rank.
 *
 * GPU copies are added where they are started (copy_async, copies_add). What MPI and the operating
 * system do with a block is seen, not assumed: the program rdma_copies replaces memcpy, memmove and
 * the system calls that move data (intercept.c), and adds their bytes while MPI is called. Figures
 * 5-6 and 5-7 of Peshne 2018 count copies per node. */
#ifndef RDMA_COUNT_H
#define RDMA_COUNT_H

#include <stdbool.h>
#include <stddef.h>

#include <cuda_runtime.h>

#include <datamotion/status.h>

enum copier {
    COPIER_ENGINE, /* between GPU memory and page-locked host memory, or another GPU */
    COPIER_DRIVER, /* the CUDA driver, between pageable memory and its own page-locked buffer */
    COPIER_KERNEL, /* loads and stores of a kernel */
    COPIER_CPU,    /* memcpy in MPI */
    COPIER_SYSTEM, /* the operating system: between processes, or into and out of a socket */
    COPIERS
};

struct copies {
    size_t bytes[COPIERS]; /* moved since the count began */
};

/* Counting costs time, so it is off but between begin and end. */
void copies_begin(void);
void copies_end(struct copies *copies);

/* Bytes that were moved otherwise: by a kernel of a path, or by memcpy. No effect when counting is
 * off. Any thread. */
void copies_add(enum copier copier, size_t bytes);

/* Around calls of MPI; they nest. copies_see_mpi: whether this thread is within, and counting is
 * on. */
void copies_enter_mpi(void);
void copies_leave_mpi(void);
bool copies_see_mpi(void);

/* cudaMemcpyAsync with cudaMemcpyDefault, counted: a copy from or to pageable host memory counts
 * twice, by the engine and by the driver, which stages it (CUDA programming guide). */
enum dm_status copy_async(void *to, const void *from, size_t bytes, bool is_pageable,
                          cudaStream_t stream);

#endif
