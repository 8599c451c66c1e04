/* Started with mpirun by spmv_ranks.bats: spmv_halo_ranks_test SCENARIO. The scenario all goes
 * through what works and what is refused, with as many ranks as there are and with fewer; die and
 * stop are about a neighbour that is lost. Rank 0 prints one line per check, which is right only if
 * it is on every rank. */
#include "memory.h"
#include "random.h"
#include "ranks.h"
#include "sparse_format_internal.h"
#include "sparse_generate.h"
#include "spmv_distributed.h"
#include "status.h"
#include "test.h"

#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 42 };

static struct sparse_error error;

static void say(const char *name)
{
    bool failed = ranks.max(test_failed_checks) > 0;
    test_failed_checks = 0;
    test_failures += failed;
    if (ranks.rank == 0)
        printf("%sok %s\n", failed ? "not " : "", name);
    fflush(stdout);
}

/* The first `count` ranks; MPI_COMM_NULL for the others. */
static MPI_Comm first_ranks(int count)
{
    MPI_Comm communicator;
    check_mpi(MPI_Comm_split(MPI_COMM_WORLD, ranks.rank < count ? 0 : MPI_UNDEFINED, ranks.rank,
                             &communicator));
    return communicator;
}

/* Device pointers are main memory on the software GPU, so that derived types can be tested there,
 * although nothing can be measured. */
static bool works(int strategy)
{
#if defined(SOFTGPU)
    if (strategy == SPMV_OPEN_MPI)
        return true;
#endif
    return !spmv_exchange_complaint((enum spmv_strategy)strategy);
}

/* ---- a matrix in blocks of rows ---- */

struct blocks {
    struct sparse_coo all, mine, local;
    struct spmv_halo halo;
};

/* Blocks of equal size, or all rows but one for each of the others at rank 0. */
static int64_t first_of(bool even, int64_t rows, int rank, int count)
{
    if (even)
        return spmv_block_first(rows, rank, count);
    return rank == 0 ? 0 : rows - (count - rank);
}

static bool open_blocks(struct blocks *blocks, const char *name, bool even, MPI_Comm communicator)
{
    int rank, count;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &count);
    *blocks = (struct blocks){0};
    bool made = sparse_matrix_of(&blocks->all, name, SEED, &error);
    expect(made);
    if (!made)
        fail("%s", error.text);
    int64_t rows = blocks->all.rows, first = first_of(even, rows, rank, count);
    int64_t mine = first_of(even, rows, rank + 1, count) - first;
    if (mine > 0)
        expect(sparse_coo_rows(&blocks->mine, &blocks->all, first, mine, &error));
    return spmv_halo_open(&blocks->halo, &blocks->local, &blocks->mine, first, rows, communicator,
                          &error);
}

static void close_blocks(struct blocks *blocks)
{
    spmv_halo_close(&blocks->halo);
    sparse_coo_close(&blocks->local);
    sparse_coo_close(&blocks->mine);
    sparse_coo_close(&blocks->all);
}

/* ---- the descriptor ---- */

static bool has_column(const struct sparse_coo *mine, int64_t column)
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
    const struct sparse_coo *local = &blocks->local, *mine = &blocks->mine;
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

/* ---- products ---- */

/* One rank's side of the products that are compared with the reference. */
struct products {
    struct blocks blocks;
    struct sparse_matrix matrix;
    enum sparse_precision precision;
    size_t value_bytes;
    double *x; /* all of it */
    double *exact, *magnitude;
    void *local_x, *local_y; /* on the host */
    void *device_x, *device_y;
};

static void open_products(struct products *products, const char *name, bool even,
                          enum sparse_precision precision, MPI_Comm communicator)
{
    struct sparse_options options = {.precision = precision};
    *products =
        (struct products){.precision = precision, .value_bytes = sparse_value_bytes(precision)};
    if (!open_blocks(&products->blocks, name, even, communicator) ||
        !sparse_matrix_create(&products->matrix, SPARSE_HLL, &products->blocks.local, &options,
                              &error) ||
        !sparse_matrix_to_device(&products->matrix, &error))
        fail("%s: %s", name, error.text);
    unsigned long rows = (unsigned long)products->matrix.rows;
    size_t bytes = (size_t)products->matrix.columns * products->value_bytes;
    products->x = allocate_or_fail((unsigned long)products->blocks.all.rows, sizeof(double));
    products->exact = allocate_or_fail(rows, sizeof(double));
    products->magnitude = allocate_or_fail(rows, sizeof(double));
    products->local_x = memory_allocate(MEMORY_PAGEABLE, bytes);
    products->local_y = memory_allocate(MEMORY_PAGEABLE, bytes);
    products->device_x = memory_allocate(MEMORY_DEVICE, bytes);
    products->device_y = memory_allocate(MEMORY_DEVICE, bytes);
}

static void close_products(struct products *products)
{
    memory_release(MEMORY_DEVICE, products->device_y);
    memory_release(MEMORY_DEVICE, products->device_x);
    memory_release(MEMORY_PAGEABLE, products->local_y);
    memory_release(MEMORY_PAGEABLE, products->local_x);
    free(products->magnitude);
    free(products->exact);
    free(products->x);
    sparse_matrix_release(&products->matrix);
    close_blocks(&products->blocks);
}

/* A new vector; the halo is NaN until it comes. */
static void set_x(struct products *products, uint64_t round)
{
    const struct spmv_halo *halo = &products->blocks.halo;
    for (int64_t i = 0; i < halo->global_rows; i++) {
        double value = 2 * random_uniform(SEED + round, (uint64_t)i) - 1;
        products->x[i] = products->precision == SPARSE_DOUBLE ? value : (float)value;
    }
    for (int64_t i = 0; i < products->matrix.columns; i++)
        sparse_value_set(products->local_x, products->precision, i,
                         i < halo->rows ? products->x[halo->first_row + i] : NAN);
    check_cuda(cudaMemcpy(products->device_x, products->local_x,
                          (size_t)products->matrix.columns * products->value_bytes,
                          cudaMemcpyHostToDevice));
}

static void expect_vector(struct products *products)
{
    const struct spmv_halo *halo = &products->blocks.halo;
    check_cuda(cudaMemcpy(products->local_x, products->device_x,
                          (size_t)products->matrix.columns * products->value_bytes,
                          cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < products->matrix.columns; i++)
        expect(
            sparse_value_at(products->local_x, products->precision, i) ==
            products->x[i < halo->rows ? halo->first_row + i : halo->halo_column[i - halo->rows]]);
}

/* With the rows of the whole matrix as the reference. */
static void expect_product(struct products *products)
{
    const struct sparse_coo *mine = &products->blocks.mine;
    sparse_multiply_device(&products->matrix, 1, products->device_x, 0, products->device_y, NULL);
    check_cuda(cudaMemcpy(products->local_y, products->device_y,
                          (size_t)mine->rows * products->value_bytes, cudaMemcpyDeviceToHost));
    sparse_reference(mine, 1, products->x, 0, products->exact, products->magnitude);
    expect(sparse_error_ratio(mine, products->local_y, products->precision == SPARSE_DOUBLE,
                              products->exact, products->magnitude) <= 1);
}

static void expect_report(struct spmv_exchange *exchange, int strategy,
                          const struct products *products, int times)
{
    struct spmv_exchange_report report = spmv_exchange_report(exchange, true);
    const struct spmv_halo *halo = &products->blocks.halo;
    size_t values = products->value_bytes, count = (size_t)times;
    size_t vector = (size_t)products->matrix.columns * values;
    size_t halo_bytes = (size_t)halo->halo * values, send_bytes = (size_t)halo->send * values;
    bool is_alone = halo->neighbour_count == 0;
    expect(report.exchanges == times && report.total_s > 0);
    expect(report.malloc_s + report.memcpy_s + report.free_s + report.pack_s + report.mpi_s <=
           report.total_s);
    expect(report.sent_bytes == count * send_bytes);
    if (strategy == SPMV_SYNC && !is_alone)
        expect(report.to_device_bytes == count * vector &&
               report.from_device_bytes == count * vector);
    if (strategy == SPMV_INDEX_STANDARD)
        expect(report.to_device_bytes == count * halo_bytes &&
               report.from_device_bytes == count * send_bytes);
    if (strategy == SPMV_SG || strategy == SPMV_PINNED || strategy == SPMV_INDEX_PINNED)
        expect(report.to_device_bytes ==
                   count * (halo_bytes + (size_t)(halo->halo + halo->send) * sizeof(int32_t)) &&
               report.from_device_bytes == count * send_bytes);
    if (strategy == SPMV_OPEN_MPI)
        expect(report.to_device_bytes == 0 && report.from_device_bytes == 0);
    expect(spmv_exchange_report(exchange, false).exchanges == 0);
}

static void try_strategy(struct products *products, int strategy)
{
    enum { ROUNDS = 2 };
    struct spmv_exchange *exchange = spmv_exchange_open(
        (enum spmv_strategy)strategy, &products->blocks.halo, products->precision, 20);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        set_x(products, round);
        spmv_exchange_run(exchange, products->device_x, NULL);
        expect_vector(products);
    }
    expect_product(products);
    expect_report(exchange, strategy, products, ROUNDS);
    spmv_exchange_close(exchange);
}

struct trial {
    const char *matrix;
    bool even;
};

static int failed_checks[SPMV_STRATEGIES];

static void try_strategies(const struct trial *trial, enum sparse_precision precision,
                           MPI_Comm communicator)
{
    struct products products;
    open_products(&products, trial->matrix, trial->even, precision, communicator);
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++) {
        if (!works(strategy))
            continue;
        test_failed_checks = 0;
        try_strategy(&products, strategy);
        failed_checks[strategy] += test_failed_checks;
    }
    close_products(&products);
}

/* All matrices with 1 to all ranks, each precision with every other one. */
static void strategies_are_right(void)
{
    static const struct trial trials[] = {{"pde:7", true},         {"banded:200:20", true},
                                          {"random:120:6", true},  {"diagonal:40", true},
                                          {"dense_row:90", true},  {"random:120:6", false},
                                          {"dense_row:90", false}, {"power:150", true}};
    for (int count = 1; count <= ranks.count; count++) {
        MPI_Comm communicator = first_ranks(count);
        if (communicator == MPI_COMM_NULL)
            continue;
        for (int i = 0; i < (int)(sizeof trials / sizeof *trials); i++)
            try_strategies(&trials[i], (i + count) % 2 ? SPARSE_DOUBLE : SPARSE_FLOAT,
                           communicator);
        check_mpi(MPI_Comm_free(&communicator));
    }
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++) {
        test_failed_checks = failed_checks[strategy];
        say(spmv_strategies[strategy].name);
    }
}

/* ---- repeated products ---- */

/* x after some products, own elements, values of double. */
static double *repeat(const char *name, int strategy, MPI_Comm communicator, int64_t *first,
                      int64_t *rows)
{
    struct spmv_distributed distributed;
    if (!spmv_distributed_open(&distributed, name, SPARSE_CSR, SPARSE_DOUBLE, SEED, communicator,
                               &error))
        fail("%s: %s", name, error.text);
    struct spmv_exchange *exchange =
        spmv_exchange_open((enum spmv_strategy)strategy, &distributed.halo, SPARSE_DOUBLE, 20);
    *first = distributed.halo.first_row;
    *rows = distributed.halo.rows;
    double *x = allocate_or_fail((unsigned long)*rows, sizeof *x);
    expect(spmv_distributed_wrong(&distributed, exchange) == 0);
    spmv_distributed_set(&distributed, 0);
    spmv_distributed_run(&distributed, exchange, 7);
    check_cuda(cudaMemcpy(x, distributed.x, (size_t)*rows * sizeof *x, cudaMemcpyDeviceToHost));
    spmv_exchange_close(exchange);
    spmv_distributed_close(&distributed);
    return x;
}

/* Each rank computes everything by itself, too. The halo changes the order of the sums, and seven
 * products let the elements grow. */
static void repeated_products(void)
{
    static const char *const names[] = {"pde:8", "random:130:5", "banded:300:3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t zero, all, first, rows;
        double *alone = repeat(names[i], SPMV_SYNC, MPI_COMM_SELF, &zero, &all), largest = 0;
        for (int64_t k = 0; k < all; k++)
            largest = fmax(largest, fabs(alone[k]));
        for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++) {
            if (!works(strategy))
                continue;
            double *mine = repeat(names[i], strategy, MPI_COMM_WORLD, &first, &rows);
            double difference = 0;
            for (int64_t k = 0; k < rows; k++)
                difference = fmax(difference, fabs(mine[k] - alone[first + k]));
            printf("# %s by strategy %d: %.1e of %.1e\n", names[i], strategy, difference, largest);
            expect(difference <= 1e-12 * largest);
            free(mine);
        }
        free(alone);
    }
}

/* An exchange that brings the wrong elements, or a halo that does not come, is seen. */
static void wrong_exchanges_are_found(void)
{
    struct spmv_distributed distributed;
    if (!spmv_distributed_open(&distributed, "pde:8", SPARSE_HLL, SPARSE_DOUBLE, SEED,
                               MPI_COMM_WORLD, &error))
        fail("%s", error.text);
    struct spmv_halo wrong = distributed.halo;
    wrong.send_index = allocate_or_fail((unsigned long)wrong.send + 1, sizeof(int32_t));
    for (int64_t i = 0; i < wrong.send; i++)
        wrong.send_index[i] = (int32_t)((distributed.halo.send_index[i] + 1) % wrong.rows);
    struct spmv_exchange *exchange =
        spmv_exchange_open(SPMV_INDEX_PINNED, &wrong, SPARSE_DOUBLE, 20);
    if (wrong.halo > 0)
        expect(spmv_distributed_wrong(&distributed, exchange) > wrong.halo);
    spmv_exchange_close(exchange);
    free(wrong.send_index);
    spmv_distributed_close(&distributed);
}

/* ---- what is refused ---- */

static void expect_refusal(const char *name, bool even, const char *sentence)
{
    struct blocks blocks;
    bool opened = open_blocks(&blocks, name, even, MPI_COMM_WORLD);
    expect(!opened && strstr(error.text, sentence));
    if (!opened && !strstr(error.text, sentence))
        printf("# %s\n", error.text);
    close_blocks(&blocks);
}

/* Ranks that do not fit together: `shift` rows from where rank 1 should begin. */
static void expect_gap(int64_t shift, const char *sentence)
{
    struct blocks blocks = {0};
    int64_t first = spmv_block_first(100, ranks.rank, ranks.count);
    int64_t rows = spmv_block_first(100, ranks.rank + 1, ranks.count) - first;
    expect(sparse_matrix_of(&blocks.all, "diagonal:100", SEED, &error));
    expect(sparse_coo_rows(&blocks.mine, &blocks.all, first, rows, &error));
    expect(!spmv_halo_open(&blocks.halo, &blocks.local, &blocks.mine,
                           first + (ranks.rank == 1 ? shift : 0), 100, MPI_COMM_WORLD, &error));
    expect(strstr(error.text, sentence));
    close_blocks(&blocks);
}

static void refusals(void)
{
    struct spmv_distributed distributed;
    expect_refusal("diagonal:1", true, " ranks for a matrix of 1 rows: start at most 1");
    expect_refusal("rectangular:60", true, "the matrix has 60 rows and 120 columns");
    expect_gap(1, "rank 1 has");
    expect_gap(-1, "rank 1 has");
    expect(!spmv_distributed_open(&distributed, "cube:3", SPARSE_CSR, SPARSE_DOUBLE, SEED,
                                  MPI_COMM_WORLD, &error));
    expect(strncmp(error.text, "rank 0: ", 8) == 0);
    expect(!spmv_distributed_open(&distributed, "pde:1", SPARSE_CSR, SPARSE_DOUBLE, SEED,
                                  MPI_COMM_WORLD, &error));
    expect(strstr(error.text, "ranks for a matrix of 1 rows"));
}

/* ---- a neighbour is lost ---- */

static void lose_rank_1(int signal_of_loss, double wait_limit_s)
{
    struct blocks blocks;
    if (!open_blocks(&blocks, "pde:8", true, MPI_COMM_WORLD))
        fail("%s", error.text);
    struct spmv_exchange *exchange =
        spmv_exchange_open(SPMV_INDEX_PINNED, &blocks.halo, SPARSE_DOUBLE, wait_limit_s);
    void *x = memory_allocate(MEMORY_DEVICE, (size_t)blocks.local.columns * sizeof(double));
    spmv_exchange_run(exchange, x, NULL);
    status_activity = "the halo of the test";
    ranks.barrier();
    if (ranks.rank == 1)
        raise(signal_of_loss);
    spmv_exchange_run(exchange, x, NULL);
    say("a halo of nobody");
}

static void all(void)
{
    descriptors_are_right();
    halo_of_pde();
    say("descriptors");
    strategies_are_right();
    repeated_products();
    say("repeated products");
    wrong_exchanges_are_found();
    say("wrong exchanges");
    refusals();
    say("refusals");
}

static void die(void)
{
    lose_rank_1(SIGKILL, 20);
}

static void stop(void)
{
    lose_rank_1(SIGSTOP, 0.5);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } scenarios[] = {{"all", all}, {"die", die}, {"stop", stop}};
    int gpus = 0;
    size_t count = sizeof scenarios / sizeof *scenarios, i = 0;
    omp_set_num_threads(1); /* the ranks are as many as the cores, or more */
    ranks_start(&argc, &argv);
    status_start_limit(100);
    while (argc == 2 && i < count && strcmp(scenarios[i].name, argv[1]) != 0)
        i++;
    if (argc != 2 || i == count || ranks.count < 2)
        fail("usage: mpirun -np RANKS %s all|die|stop, with 2 ranks or more", argv[0]);
    check_cuda(cudaGetDeviceCount(&gpus));
    check_cuda(cudaSetDevice(ranks.local_rank % gpus));
    scenarios[i].run();
    ranks.stop();
    return test_failures > 0;
}
