/* spmv_halo_ranks_test.c: which elements each rank of a matrix in blocks of rows sends and
 * receives, with as many ranks as there are and with fewer. */
#include <math.h>
#include <string.h>

#include "spmv_ranks_test.h"

static bool has_column(const struct spmv_coo *mine, int64_t column)
{
    for (int64_t k = 0; k < mine->entries; k++)
        if (mine->column[k] == column)
            return true;
    return false;
}

static void expect_ascending(const struct spmv_halo *halo)
{
    for (int64_t i = 1; i < halo->halo; i++)
        expect(halo->halo_column[i] > halo->halo_column[i - 1]);
    for (int n = 0; n < halo->neighbour_count; n++) {
        const struct spmv_neighbour *neighbour = &halo->neighbours[n];
        const int32_t *index = halo->send_index + neighbour->send_first;
        for (int64_t i = 0; i < neighbour->send_count; i++)
            expect(index[i] >= 0 && index[i] < halo->rows && (i == 0 || index[i] > index[i - 1]));
    }
}

/* Neighbours' ranges follow one another and cover both lists. */
static void expect_ranges(const struct spmv_halo *halo)
{
    int64_t sent = 0, received = 0;
    for (int n = 0; n < halo->neighbour_count; n++) {
        const struct spmv_neighbour *neighbour = &halo->neighbours[n];
        expect(neighbour->rank != halo->rank);
        expect(n == 0 || neighbour->rank > halo->neighbours[n - 1].rank);
        expect(neighbour->send_count > 0 || neighbour->receive_count > 0);
        expect(neighbour->send_first == sent && neighbour->receive_first == received);
        sent += neighbour->send_count;
        received += neighbour->receive_count;
    }
    expect(sent == halo->send && received == halo->halo);
}

/* The same entries, with columns that lead back to where they came from. */
static void expect_local(const struct blocks *blocks)
{
    const struct spmv_coo *local = &blocks->local, *mine = &blocks->mine;
    const struct spmv_halo *halo = &blocks->halo;
    double sum = 0, expected = 0; /* of value * column: an order of its own in each */
    expect(local->rows == mine->rows && local->columns == mine->rows + halo->halo);
    expect(local->entries == mine->entries);
    for (int64_t k = 0; k < local->entries; k++) {
        int64_t column = local->column[k];
        column =
            column < halo->rows ? halo->first_row + column : halo->halo_column[column - halo->rows];
        sum += local->value[k] * (double)(column + 1);
        expected += mine->value[k] * (double)(mine->column[k] + 1);
    }
    expect(fabs(sum - expected) <= 1e-9 * (1 + fabs(expected)));
    for (int64_t i = 0; i < halo->halo; i += 1 + halo->halo / 20)
        expect(has_column(mine, halo->halo_column[i]));
}

static void descriptors_are_right(void)
{
    static const char *const names[] = {"pde:6",      "banded:120:9",  "random:150:4",
                                        "diagonal:7", "dense_row:100", "power:200"};
    for (int count = 1; count <= ranks.count; count++) {
        MPI_Comm communicator = first_ranks(count);
        for (size_t i = 0; i < sizeof names / sizeof *names && communicator != MPI_COMM_NULL; i++) {
            struct blocks blocks;
            bool opened = open_blocks(&blocks, names[i], true, communicator);
            expect(opened);
            if (!opened)
                continue;
            expect_ascending(&blocks.halo);
            expect_ranges(&blocks.halo);
            expect_local(&blocks);
            expect(strcmp(names[i], "diagonal:7") != 0 || blocks.halo.neighbour_count == 0);
            close_blocks(&blocks);
        }
        if (communicator != MPI_COMM_NULL)
            check_mpi(MPI_Comm_free(&communicator));
    }
}

/* A plane of the cube from each side. */
static void halo_of_pde(void)
{
    struct blocks blocks;
    const int64_t edge = 10, plane = edge * edge;
    MPI_Comm communicator = first_ranks(2);
    if (communicator == MPI_COMM_NULL)
        return;
    expect(open_blocks(&blocks, "pde:10", true, communicator));
    expect(blocks.halo.halo == plane && blocks.halo.send == plane);
    for (int64_t i = 0; i < plane; i++)
        expect(blocks.halo.send_index[i] ==
               (ranks.rank == 0 ? edge * edge * edge / 2 - plane + i : i));
    close_blocks(&blocks);
    check_mpi(MPI_Comm_free(&communicator));
}

/* ---- what is refused ---- */

static void expect_refusal(const char *name, bool even, const char *sentence)
{
    struct blocks blocks;
    bool opened = open_blocks(&blocks, name, even, MPI_COMM_WORLD);
    expect(!opened && strstr(dm_message(), sentence));
    if (!opened && !strstr(dm_message(), sentence))
        printf("# %s\n", dm_message());
    close_blocks(&blocks);
}

/* Ranks that do not fit together: `shift` rows from where rank 1 should begin. */
static void expect_gap(int64_t shift, const char *sentence)
{
    struct blocks blocks = {0};
    int64_t first = spmv_block_first(100, ranks.rank, ranks.count);
    int64_t rows = spmv_block_first(100, ranks.rank + 1, ranks.count) - first;
    expect_ok(sparse_matrix_of(&blocks.all, "diagonal:100", SEED));
    expect_ok(spmv_coo_rows(&blocks.mine, &blocks.all, first, rows));
    expect(spmv_halo_open(&blocks.halo, &blocks.local, &blocks.mine,
                          first + (ranks.rank == 1 ? shift : 0), 100, MPI_COMM_WORLD) != DM_OK);
    expect(strstr(dm_message(), sentence));
    close_blocks(&blocks);
}

static void refusals(void)
{
    expect_refusal("diagonal:1", true, " ranks for a matrix of 1 rows: start at most 1");
    expect_refusal("rectangular:60", true, "the matrix has 60 rows and 120 columns");
    expect_gap(1, "rank 1 has");
    expect_gap(-1, "rank 1 has");
}

int main(int argc, char **argv)
{
    start_ranks(&argc, &argv);
    descriptors_are_right();
    halo_of_pde();
    say("descriptors");
    refusals();
    say("refusals");
    ranks.stop();
    return test_failures > 0;
}
