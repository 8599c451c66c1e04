#include "spmv_halo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "spmv_wait.h"

enum { TAG = 20621 };

int64_t spmv_block_first(int64_t rows, int rank, int rank_count)
{
    int64_t each = rows / rank_count, longer = rows % rank_count;
    return rank * each + (rank < longer ? rank : longer);
}

static void wait_all_ranks(MPI_Request *request, const char *what)
{
    spmv_wait(request, NULL, 1, SPMV_SETUP_LIMIT_S, what);
}

static bool all_agree(const struct spmv_halo *halo, bool yes, struct sparse_error *error)
{
    return spmv_all_agree(yes, halo->ranks, error);
}

/* ---- blocks ---- */

/* What every rank tells all others. */
enum { FIRST, ROWS, COLUMNS, GLOBAL_ROWS, TOLD };

static int64_t *tell_blocks(const struct spmv_halo *halo, int64_t columns)
{
    MPI_Request request;
    int64_t *told = allocate_or_fail(TOLD * (unsigned long)halo->rank_count, sizeof *told);
    int64_t mine[TOLD] = {halo->first_row, halo->rows, columns, halo->global_rows};
    check_mpi(
        MPI_Iallgather(mine, TOLD, MPI_INT64_T, told, TOLD, MPI_INT64_T, halo->ranks, &request));
    wait_all_ranks(&request, "the blocks of rows");
    return told;
}

/* Every rank sees the same and says the same. */
static bool blocks_are_right(const struct spmv_halo *halo, const int64_t *told,
                             struct sparse_error *error)
{
    int64_t next = 0;
    if (halo->rank_count > told[GLOBAL_ROWS])
        return sparse_refuse(error, "%d ranks for a matrix of %lld rows: start at most %lld",
                             halo->rank_count, (long long)told[GLOBAL_ROWS],
                             (long long)told[GLOBAL_ROWS]);
    for (int i = 0; i < halo->rank_count; i++) {
        const int64_t *block = &told[TOLD * i];
        if (block[GLOBAL_ROWS] != told[GLOBAL_ROWS])
            return sparse_refuse(error,
                                 "rank %d has a matrix of %lld rows and rank 0 one of %lld: give "
                                 "all ranks the same",
                                 i, (long long)block[GLOBAL_ROWS], (long long)told[GLOBAL_ROWS]);
        if (block[COLUMNS] != block[GLOBAL_ROWS])
            return sparse_refuse(error,
                                 "the matrix has %lld rows and %lld columns: only square ones can "
                                 "be multiplied again and again",
                                 (long long)block[GLOBAL_ROWS], (long long)block[COLUMNS]);
        if (block[FIRST] != next || block[ROWS] < 1)
            return sparse_refuse(error,
                                 "rank %d has %lld rows from row %lld on, but the ranks before it "
                                 "end at %lld: blocks are in the order of ranks and without gaps",
                                 i, (long long)block[ROWS], (long long)block[FIRST],
                                 (long long)next);
        next += block[ROWS];
    }
    if (next != told[GLOBAL_ROWS])
        return sparse_refuse(error, "the blocks of all ranks have %lld rows, the matrix has %lld",
                             (long long)next, (long long)told[GLOBAL_ROWS]);
    return true;
}

/* ---- what I need ---- */

static bool is_own(const struct spmv_halo *halo, int64_t column)
{
    return column >= halo->first_row && column < halo->first_row + halo->rows;
}

static int compare_columns(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* The columns of others in which I have entries, each once, ascending, hence by owner. */
static bool find_halo(struct spmv_halo *halo, const struct sparse_coo *mine,
                      struct sparse_error *error)
{
    int64_t outside = 0, found = 0;
    for (int64_t k = 0; k < mine->entries; k++)
        outside += !is_own(halo, mine->column[k]);
    int64_t *columns = malloc((size_t)(outside > 0 ? outside : 1) * sizeof *columns);
    if (!columns)
        return sparse_refuse(error, "no memory for %lld columns of other ranks",
                             (long long)outside);
    for (int64_t k = 0; k < mine->entries; k++)
        if (!is_own(halo, mine->column[k]))
            columns[found++] = mine->column[k];
    qsort(columns, (size_t)outside, sizeof *columns, compare_columns);
    for (int64_t k = 0; k < outside; k++)
        if (k == 0 || columns[k] != columns[k - 1])
            columns[halo->halo++] = columns[k];
    halo->halo_column = columns;
    return true;
}

/* wanted[i]: elements that I need of rank i. */
static void count_by_owner(const struct spmv_halo *halo, const int64_t *told, int64_t *wanted)
{
    int owner = 0;
    memset(wanted, 0, (size_t)halo->rank_count * sizeof *wanted);
    for (int64_t k = 0; k < halo->halo; k++) {
        while (halo->halo_column[k] >= told[TOLD * owner + FIRST] + told[TOLD * owner + ROWS])
            owner++;
        wanted[owner]++;
    }
}

/* ---- neighbours ---- */

static void list_neighbours(struct spmv_halo *halo, const int64_t *wanted, const int64_t *given)
{
    int64_t received = 0;
    halo->neighbours = allocate_or_fail((unsigned long)halo->rank_count, sizeof *halo->neighbours);
    for (int i = 0; i < halo->rank_count; i++) {
        if (wanted[i] == 0 && given[i] == 0)
            continue;
        halo->neighbours[halo->neighbour_count++] =
            (struct spmv_neighbour){.rank = i,
                                    .send_first = halo->send,
                                    .send_count = given[i],
                                    .receive_first = received,
                                    .receive_count = wanted[i]};
        halo->send += given[i];
        received += wanted[i];
    }
}

/* Tells the owners which elements I need; learns which of mine the others need. */
static bool exchange_columns(struct spmv_halo *halo, struct sparse_error *error)
{
    int64_t *asked = malloc((size_t)(halo->send > 0 ? halo->send : 1) * sizeof *asked);
    halo->send_index = malloc((size_t)(halo->send > 0 ? halo->send : 1) * sizeof *halo->send_index);
    if (!asked || !halo->send_index)
        sparse_refuse(error, "no memory for %lld elements to be sent", (long long)halo->send);
    if (!all_agree(halo, asked && halo->send_index, error)) {
        free(asked);
        return false;
    }
    int count = 2 * halo->neighbour_count;
    MPI_Request *requests = allocate_or_fail((unsigned long)count + 1, sizeof *requests);
    int *peers = allocate_or_fail((unsigned long)count + 1, sizeof *peers);
    for (int i = 0; i < halo->neighbour_count; i++) {
        const struct spmv_neighbour *neighbour = &halo->neighbours[i];
        peers[2 * i] = peers[2 * i + 1] = neighbour->rank;
        check_mpi(MPI_Irecv(asked + neighbour->send_first, (int)neighbour->send_count, MPI_INT64_T,
                            neighbour->rank, TAG, halo->ranks, &requests[2 * i]));
        check_mpi(MPI_Isend(halo->halo_column + neighbour->receive_first,
                            (int)neighbour->receive_count, MPI_INT64_T, neighbour->rank, TAG,
                            halo->ranks, &requests[2 * i + 1]));
    }
    spmv_wait(requests, peers, count, SPMV_SETUP_LIMIT_S, "the list of columns");
    for (int64_t k = 0; k < halo->send; k++)
        halo->send_index[k] = (int32_t)(asked[k] - halo->first_row);
    free(peers);
    free(requests);
    free(asked);
    return true;
}

static bool find_neighbours(struct spmv_halo *halo, const int64_t *told, struct sparse_error *error)
{
    MPI_Request request;
    int64_t *wanted = allocate_or_fail((unsigned long)halo->rank_count, sizeof *wanted);
    int64_t *given = allocate_or_fail((unsigned long)halo->rank_count, sizeof *given);
    count_by_owner(halo, told, wanted);
    check_mpi(MPI_Ialltoall(wanted, 1, MPI_INT64_T, given, 1, MPI_INT64_T, halo->ranks, &request));
    wait_all_ranks(&request, "the sizes of the halos");
    list_neighbours(halo, wanted, given);
    free(given);
    free(wanted);
    return exchange_columns(halo, error);
}

/* ---- the local matrix ---- */

static int64_t local_column(const struct spmv_halo *halo, int64_t column)
{
    if (is_own(halo, column))
        return column - halo->first_row;
    const int64_t *found = bsearch(&column, halo->halo_column, (size_t)halo->halo,
                                   sizeof *halo->halo_column, compare_columns);
    return halo->rows + (found - halo->halo_column);
}

static bool make_local(struct sparse_coo *local, const struct spmv_halo *halo,
                       const struct sparse_coo *mine, struct sparse_error *error)
{
    if (!sparse_coo_open(local, halo->rows, halo->rows + halo->halo, mine->entries, error))
        return false;
    for (int64_t k = 0; k < mine->entries; k++)
        if (!sparse_coo_add(local, mine->row[k], local_column(halo, mine->column[k]),
                            mine->value[k], error))
            return false;
    return sparse_coo_finish(local, error);
}

/* ---- all ---- */

bool spmv_halo_open(struct spmv_halo *halo, struct sparse_coo *local, const struct sparse_coo *mine,
                    int64_t first_row, int64_t global_rows, MPI_Comm communicator,
                    struct sparse_error *error)
{
    *local = (struct sparse_coo){0};
    *halo = (struct spmv_halo){.ranks = communicator,
                               .first_row = first_row,
                               .rows = mine->rows,
                               .global_rows = global_rows};
    check_mpi(MPI_Comm_rank(communicator, &halo->rank));
    check_mpi(MPI_Comm_size(communicator, &halo->rank_count));
    int64_t *told = tell_blocks(halo, mine->columns);
    bool done = blocks_are_right(halo, told, error) &&
                all_agree(halo, find_halo(halo, mine, error), error) &&
                find_neighbours(halo, told, error) &&
                all_agree(halo, make_local(local, halo, mine, error), error);
    free(told);
    if (done)
        return true;
    sparse_coo_close(local);
    spmv_halo_close(halo);
    return false;
}

void spmv_halo_close(struct spmv_halo *halo)
{
    free(halo->send_index);
    free(halo->halo_column);
    free(halo->neighbours);
    *halo = (struct spmv_halo){0};
}
