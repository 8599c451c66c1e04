#include <stdlib.h>
#include <string.h>

#include <datamotion/spmv_mpi.h>

#include "wait.h"

enum { TAG = 20621 };

int64_t spmv_block_first(int64_t rows, int rank, int rank_count)
{
    int64_t each = rows / rank_count, longer = rows % rank_count;
    return rank * each + (rank < longer ? rank : longer);
}

/* ---- blocks ---- */

/* What every rank tells all others. */
enum { FIRST, ROWS, COLUMNS, GLOBAL_ROWS, TOLD };

/* told: what each rank says, and behind it room for what I say. */
static enum dm_status tell_blocks(const struct spmv_halo *halo, int64_t columns, int64_t *told)
{
    MPI_Request request;
    int64_t *mine = told + TOLD * (size_t)halo->rank_count;
    mine[FIRST] = halo->first_row;
    mine[ROWS] = halo->rows;
    mine[COLUMNS] = columns;
    mine[GLOBAL_ROWS] = halo->global_rows;
    TRY_MPI(
        MPI_Iallgather(mine, TOLD, MPI_INT64_T, told, TOLD, MPI_INT64_T, halo->ranks, &request));
    return spmv_wait(&request, NULL, 1, SPMV_SETUP_LIMIT_S, "the blocks of rows");
}

/* Every rank sees the same and says the same. */
static enum dm_status blocks_are_right(const struct spmv_halo *halo, const int64_t *told)
{
    int64_t next = 0;
    if (halo->rank_count > told[GLOBAL_ROWS])
        return dm_fail(DM_INVALID, "%d ranks for a matrix of %lld rows: start at most %lld",
                       halo->rank_count, (long long)told[GLOBAL_ROWS],
                       (long long)told[GLOBAL_ROWS]);
    for (int i = 0; i < halo->rank_count; i++) {
        const int64_t *block = &told[TOLD * i];
        if (block[GLOBAL_ROWS] != told[GLOBAL_ROWS])
            return dm_fail(DM_INVALID,
                           "rank %d has a matrix of %lld rows and rank 0 one of %lld: give "
                           "all ranks the same",
                           i, (long long)block[GLOBAL_ROWS], (long long)told[GLOBAL_ROWS]);
        if (block[COLUMNS] != block[GLOBAL_ROWS])
            return dm_fail(DM_INVALID,
                           "the matrix has %lld rows and %lld columns: only square ones can "
                           "be multiplied again and again",
                           (long long)block[GLOBAL_ROWS], (long long)block[COLUMNS]);
        if (block[FIRST] != next || block[ROWS] < 1)
            return dm_fail(DM_INVALID,
                           "rank %d has %lld rows from row %lld on, but the ranks before it "
                           "end at %lld: blocks are in the order of ranks and without gaps",
                           i, (long long)block[ROWS], (long long)block[FIRST], (long long)next);
        next += block[ROWS];
    }
    if (next != told[GLOBAL_ROWS])
        return dm_fail(DM_INVALID, "the blocks of all ranks have %lld rows, the matrix has %lld",
                       (long long)next, (long long)told[GLOBAL_ROWS]);
    return DM_OK;
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
static enum dm_status find_halo(struct spmv_halo *halo, const struct spmv_coo *mine)
{
    int64_t outside = 0, found = 0;
    for (int64_t k = 0; k < mine->entries; k++)
        outside += !is_own(halo, mine->column[k]);
    int64_t *columns = malloc((size_t)(outside > 0 ? outside : 1) * sizeof *columns);
    if (!columns)
        return dm_fail(DM_NO_MEMORY, "no memory for %lld columns of other ranks",
                       (long long)outside);
    for (int64_t k = 0; k < mine->entries; k++)
        if (!is_own(halo, mine->column[k]))
            columns[found++] = mine->column[k];
    qsort(columns, (size_t)outside, sizeof *columns, compare_columns);
    for (int64_t k = 0; k < outside; k++)
        if (k == 0 || columns[k] != columns[k - 1])
            columns[halo->halo++] = columns[k];
    halo->halo_column = columns;
    return DM_OK;
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

/* wanted[i], given[i]: elements that I need of rank i, and it of me. halo->neighbours has room for
 * all ranks. */
static void list_neighbours(struct spmv_halo *halo, const int64_t *wanted, const int64_t *given)
{
    int64_t received = 0;
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

/* Elements that the others want of me, by their global columns. */
struct wishes {
    int64_t *columns;
    MPI_Request *requests;
    int *peers;
};

static enum dm_status open_wishes(struct wishes *wishes, struct spmv_halo *halo)
{
    size_t elements = (size_t)(halo->send > 0 ? halo->send : 1);
    size_t messages = 2 * (size_t)halo->neighbour_count + 1;
    wishes->columns = malloc(elements * sizeof *wishes->columns);
    wishes->requests = malloc(messages * sizeof *wishes->requests);
    wishes->peers = malloc(messages * sizeof *wishes->peers);
    halo->send_index = malloc(elements * sizeof *halo->send_index);
    if (wishes->columns && wishes->requests && wishes->peers && halo->send_index)
        return DM_OK;
    return dm_fail(DM_NO_MEMORY, "no memory for %lld elements to be sent", (long long)halo->send);
}

static void close_wishes(struct wishes *wishes)
{
    free(wishes->columns);
    free(wishes->requests);
    free(wishes->peers);
}

static enum dm_status exchange_wishes(struct wishes *wishes, const struct spmv_halo *halo)
{
    int count = 0;
    for (int i = 0; i < halo->neighbour_count; i++) {
        const struct spmv_neighbour *neighbour = &halo->neighbours[i];
        wishes->peers[count] = wishes->peers[count + 1] = neighbour->rank;
        TRY_MPI(MPI_Irecv(wishes->columns + neighbour->send_first, (int)neighbour->send_count,
                          MPI_INT64_T, neighbour->rank, TAG, halo->ranks,
                          &wishes->requests[count++]));
        TRY_MPI(MPI_Isend(halo->halo_column + neighbour->receive_first,
                          (int)neighbour->receive_count, MPI_INT64_T, neighbour->rank, TAG,
                          halo->ranks, &wishes->requests[count++]));
    }
    return spmv_wait(wishes->requests, wishes->peers, count, SPMV_SETUP_LIMIT_S,
                     "the list of columns");
}

/* Tells the owners which elements I need; learns which of mine the others need. */
static enum dm_status exchange_columns(struct spmv_halo *halo)
{
    struct wishes wishes;
    enum dm_status status = spmv_all_agree(open_wishes(&wishes, halo), halo->ranks);
    if (status == DM_OK) {
        TRY(exchange_wishes(&wishes, halo)); /* if not, MPI may still use the memory */
        for (int64_t k = 0; k < halo->send; k++)
            halo->send_index[k] = (int32_t)(wishes.columns[k] - halo->first_row);
    }
    close_wishes(&wishes);
    return status;
}

/* counts: room for two numbers for each rank. */
static enum dm_status find_neighbours(struct spmv_halo *halo, const int64_t *told, int64_t *counts)
{
    MPI_Request request;
    int64_t *wanted = counts, *given = counts + halo->rank_count;
    count_by_owner(halo, told, wanted);
    TRY_MPI(MPI_Ialltoall(wanted, 1, MPI_INT64_T, given, 1, MPI_INT64_T, halo->ranks, &request));
    TRY(spmv_wait(&request, NULL, 1, SPMV_SETUP_LIMIT_S, "the sizes of the halos"));
    list_neighbours(halo, wanted, given);
    return exchange_columns(halo);
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

static enum dm_status make_local(struct spmv_coo *local, const struct spmv_halo *halo,
                                 const struct spmv_coo *mine)
{
    TRY(spmv_coo_open(local, halo->rows, halo->rows + halo->halo, mine->entries));
    for (int64_t k = 0; k < mine->entries; k++)
        TRY(spmv_coo_add(local, mine->row[k], local_column(halo, mine->column[k]), mine->value[k]));
    return spmv_coo_finish(local);
}

/* ---- all ---- */

/* Numbers that are exchanged while the halo is opened. */
static enum dm_status open_numbers(struct spmv_halo *halo, int64_t **numbers)
{
    size_t ranks = (size_t)halo->rank_count;
    *numbers = malloc(((TOLD + 2) * ranks + TOLD) * sizeof **numbers);
    halo->neighbours = malloc(ranks * sizeof *halo->neighbours);
    return *numbers && halo->neighbours
               ? DM_OK
               : dm_fail(DM_NO_MEMORY, "no memory for %d neighbours", halo->rank_count);
}

/* numbers: what the ranks tell one another, then counts. */
static enum dm_status open_halo(struct spmv_halo *halo, struct spmv_coo *local,
                                const struct spmv_coo *mine, int64_t *numbers)
{
    TRY(tell_blocks(halo, mine->columns, numbers));
    TRY(blocks_are_right(halo, numbers));
    TRY(spmv_all_agree(find_halo(halo, mine), halo->ranks));
    TRY(find_neighbours(halo, numbers, numbers + TOLD * ((size_t)halo->rank_count + 1)));
    return spmv_all_agree(make_local(local, halo, mine), halo->ranks);
}

enum dm_status spmv_halo_open(struct spmv_halo *halo, struct spmv_coo *local,
                              const struct spmv_coo *mine, int64_t first_row, int64_t global_rows,
                              MPI_Comm communicator)
{
    int64_t *numbers = NULL;
    *local = (struct spmv_coo){0};
    *halo = (struct spmv_halo){.ranks = communicator,
                               .first_row = first_row,
                               .rows = mine->rows,
                               .global_rows = global_rows};
    TRY_MPI(MPI_Comm_rank(communicator, &halo->rank));
    TRY_MPI(MPI_Comm_size(communicator, &halo->rank_count));
    enum dm_status status = spmv_all_agree(open_numbers(halo, &numbers), communicator);
    if (status == DM_OK)
        status = open_halo(halo, local, mine, numbers);
    if (status == DM_TIMEOUT || status == DM_FAILED) {
        *halo = (struct spmv_halo){0}; /* MPI may still use the memory: it is not released */
        spmv_coo_close(local);
        return status;
    }
    free(numbers);
    if (status != DM_OK) {
        spmv_coo_close(local);
        spmv_halo_close(halo);
    }
    return status;
}

void spmv_halo_close(struct spmv_halo *halo)
{
    if (!halo)
        return;
    free(halo->send_index);
    free(halo->halo_column);
    free(halo->neighbours);
    *halo = (struct spmv_halo){0};
}
