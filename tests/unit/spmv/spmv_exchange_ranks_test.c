/* spmv_exchange_ranks_test.c: the exchange of a halo by every strategy. The scenario all compares
 * products, with as many ranks as there are and with fewer; in die and stop a neighbour is lost. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "spmv/bench/reference.h"
#include "spmv/formats/format.h"
#include "spmv/exchange/exchange.h"

#include "spmv_ranks_test.h"

/* ---- products ---- */

/* One rank's side of the products that are compared with the reference. */
struct products {
    struct blocks blocks;
    struct spmv_matrix matrix;
    enum spmv_precision precision;
    size_t value_bytes;
    double *x; /* all of it */
    double *exact, *magnitude;
    void *local_x, *local_y; /* on the host */
    void *device_x, *device_y;
};

static void open_products(struct products *products, const char *name, bool even,
                          enum spmv_precision precision, MPI_Comm communicator)
{
    struct spmv_options options = {.precision = precision};
    *products =
        (struct products){.precision = precision, .value_bytes = spmv_value_bytes(precision)};
    if (!open_blocks(&products->blocks, name, even, communicator) ||
        spmv_matrix_create(&products->matrix, SPMV_HLL, &products->blocks.local, &options) !=
            DM_OK ||
        spmv_matrix_to_device(&products->matrix) != DM_OK)
        fail("%s: %s", name, dm_message());
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
    spmv_matrix_release(&products->matrix);
    close_blocks(&products->blocks);
}

/* A new vector; the halo is NaN until it comes. */
static void set_x(struct products *products, uint64_t round)
{
    const struct spmv_halo *halo = &products->blocks.halo;
    for (int64_t i = 0; i < halo->global_rows; i++) {
        double value = 2 * random_uniform(SEED + round, (uint64_t)i) - 1;
        products->x[i] = products->precision == SPMV_DOUBLE ? value : (float)value;
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
    const struct spmv_coo *mine = &products->blocks.mine;
    expect_ok(spmv_multiply_device(&products->matrix, 1, products->device_x, 0, products->device_y,
                                   NULL));
    check_cuda(cudaMemcpy(products->local_y, products->device_y,
                          (size_t)mine->rows * products->value_bytes, cudaMemcpyDeviceToHost));
    sparse_reference(mine, 1, products->x, 0, products->exact, products->magnitude);
    expect(sparse_error_ratio(mine, products->local_y, products->precision == SPMV_DOUBLE,
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
    struct spmv_exchange *exchange;
    check_status(spmv_exchange_open(&exchange, (enum spmv_strategy)strategy, &products->blocks.halo,
                                    products->precision, 20));
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        set_x(products, round);
        expect_ok(spmv_exchange_run(exchange, products->device_x, NULL));
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

static void try_strategies(const struct trial *trial, enum spmv_precision precision,
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
            try_strategies(&trials[i], (i + count) % 2 ? SPMV_DOUBLE : SPMV_FLOAT, communicator);
        check_mpi(MPI_Comm_free(&communicator));
    }
    for (int strategy = 0; strategy < SPMV_STRATEGIES; strategy++) {
        test_failed_checks = failed_checks[strategy];
        say(spmv_strategy_name((enum spmv_strategy)strategy));
    }
}

/* ---- a neighbour is lost ---- */

static void lose_rank_1(int signal_of_loss, double wait_limit_s)
{
    struct blocks blocks;
    if (!open_blocks(&blocks, "pde:8", true, MPI_COMM_WORLD))
        fail("%s", dm_message());
    struct spmv_exchange *exchange;
    check_status(spmv_exchange_open(&exchange, SPMV_INDEX_PINNED, &blocks.halo, SPMV_DOUBLE, 20));
    void *x = memory_allocate(MEMORY_DEVICE, (size_t)blocks.local.columns * sizeof(double));
    expect_ok(spmv_exchange_run(exchange, x, NULL));
    exchange->wait_limit_s = wait_limit_s; /* what must arrive has done so */
    status_activity = "the halo of the test";
    ranks.barrier();
    if (ranks.rank == 1)
        raise(signal_of_loss);
    enum dm_status status = spmv_exchange_run(exchange, x, NULL);
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", dm_message());
    expect_error(spmv_exchange_run(exchange, x, NULL), DM_TIMEOUT, "an exchange failed before");
    spmv_exchange_close(exchange);
    if (status != DM_OK)
        fail("%s", sentence);
    say("a halo of nobody");
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
    } scenarios[] = {{"all", strategies_are_right}, {"die", die}, {"stop", stop}};
    size_t count = sizeof scenarios / sizeof *scenarios, i = 0;
    start_ranks(&argc, &argv);
    while (argc == 2 && i < count && strcmp(scenarios[i].name, argv[1]) != 0)
        i++;
    if (argc != 2 || i == count)
        fail("usage: mpirun -np RANKS %s all|die|stop", argv[0]);
    scenarios[i].run();
    ranks.stop();
    return test_failures > 0;
}
