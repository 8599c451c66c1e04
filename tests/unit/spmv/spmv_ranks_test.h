/* spmv_ranks_test.h: what the tests of spmv/ on several ranks share. They are started with mpirun;
 * rank 0 prints one line per check, which is right only if it is on every rank. */
#ifndef TESTS_UNIT_SPMV_RANKS_TEST_H
#define TESTS_UNIT_SPMV_RANKS_TEST_H

#include <omp.h>
#include <mpi.h>

#include <datamotion/spmv_mpi.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/harness/ranks.h"
#include "spmv/bench/generate.h"
#include "tests/unit/test_status.h"

enum { SEED = 42 };

static inline void start_ranks(int *argc, char ***argv)
{
    int gpus = 0;
    omp_set_num_threads(1); /* the ranks are as many as the cores, or more */
    ranks_start(argc, argv);
    status_start_limit(HANGS_AFTER_S);
    if (ranks.count < 2)
        fail("usage: mpirun -np RANKS %s, with 2 ranks or more", (*argv)[0]);
    check_cuda(cudaGetDeviceCount(&gpus));
    check_cuda(cudaSetDevice(ranks.local_rank % gpus));
}

static inline void say(const char *name)
{
    bool failed = ranks.max(test_failed_checks) > 0;
    test_failed_checks = 0;
    test_failures += failed;
    if (ranks.rank == 0)
        printf("%sok %s\n", failed ? "not " : "", name);
    fflush(stdout);
}

/* The first `count` ranks; MPI_COMM_NULL for the others. */
static inline MPI_Comm first_ranks(int count)
{
    MPI_Comm communicator;
    check_mpi(MPI_Comm_split(MPI_COMM_WORLD, ranks.rank < count ? 0 : MPI_UNDEFINED, ranks.rank,
                             &communicator));
    return communicator;
}

/* Device pointers are main memory on the software GPU, so that derived types can be tested there,
 * although nothing can be measured. */
static inline bool works(int strategy)
{
#if defined(SOFTGPU)
    if (strategy == SPMV_OPEN_MPI)
        return true;
#endif
    return spmv_exchange_check((enum spmv_strategy)strategy) == DM_OK;
}

/* ---- a matrix in blocks of rows ---- */

struct blocks {
    struct spmv_coo all, mine, local;
    struct spmv_halo halo;
};

/* Blocks of equal size, or all rows but one for each of the others at rank 0. */
static inline int64_t first_of(bool even, int64_t rows, int rank, int count)
{
    if (even)
        return spmv_block_first(rows, rank, count);
    return rank == 0 ? 0 : rows - (count - rank);
}

static inline bool open_blocks(struct blocks *blocks, const char *name, bool even,
                               MPI_Comm communicator)
{
    int rank, count;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &count);
    *blocks = (struct blocks){0};
    bool made = sparse_matrix_of(&blocks->all, name, SEED) == DM_OK;
    expect(made);
    if (!made)
        fail("%s", dm_message());
    int64_t rows = blocks->all.rows, first = first_of(even, rows, rank, count);
    int64_t mine = first_of(even, rows, rank + 1, count) - first;
    if (mine > 0)
        expect_ok(spmv_coo_rows(&blocks->mine, &blocks->all, first, mine));
    return spmv_halo_open(&blocks->halo, &blocks->local, &blocks->mine, first, rows,
                          communicator) == DM_OK;
}

static inline void close_blocks(struct blocks *blocks)
{
    spmv_halo_close(&blocks->halo);
    spmv_coo_close(&blocks->local);
    spmv_coo_close(&blocks->mine);
    spmv_coo_close(&blocks->all);
}

#endif
