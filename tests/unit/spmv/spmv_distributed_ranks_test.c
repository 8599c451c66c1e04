/* spmv_distributed_ranks_test.c: repeated products by all ranks, checked against one rank alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/memory.h"
#include "spmv/bench/distributed.h"

#include "spmv_ranks_test.h"

/* x after some products, own elements, values of double. */
static double *repeat(const char *name, int strategy, MPI_Comm communicator, int64_t *first,
                      int64_t *rows)
{
    struct spmv_distributed distributed;
    if (spmv_distributed_open(&distributed, name, SPMV_CSR, SPMV_DOUBLE, SEED, communicator) !=
        DM_OK)
        fail("%s: %s", name, dm_message());
    struct spmv_exchange *exchange;
    check_status(spmv_exchange_open(&exchange, (enum spmv_strategy)strategy, &distributed.halo,
                                    SPMV_DOUBLE, 20));
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
    if (spmv_distributed_open(&distributed, "pde:8", SPMV_HLL, SPMV_DOUBLE, SEED, MPI_COMM_WORLD) !=
        DM_OK)
        fail("%s", dm_message());
    struct spmv_halo wrong = distributed.halo;
    wrong.send_index = allocate_or_fail((unsigned long)wrong.send + 1, sizeof(int32_t));
    for (int64_t i = 0; i < wrong.send; i++)
        wrong.send_index[i] = (int32_t)((distributed.halo.send_index[i] + 1) % wrong.rows);
    struct spmv_exchange *exchange;
    check_status(spmv_exchange_open(&exchange, SPMV_INDEX_PINNED, &wrong, SPMV_DOUBLE, 20));
    if (wrong.halo > 0)
        expect(spmv_distributed_wrong(&distributed, exchange) > wrong.halo);
    spmv_exchange_close(exchange);
    free(wrong.send_index);
    spmv_distributed_close(&distributed);
}

static void refusals(void)
{
    struct spmv_distributed distributed;
    struct spmv_exchange *exchange;
    struct spmv_halo none = {0};
    expect_error(spmv_exchange_check(SPMV_STRATEGIES), DM_INVALID, "strategies 0 to 5");
    expect_error(spmv_exchange_open(&exchange, SPMV_STRATEGIES, &none, SPMV_DOUBLE, 1), DM_INVALID,
                 "strategies 0 to 5");
    expect(!exchange && strcmp(spmv_strategy_name(SPMV_STRATEGIES), "unknown") == 0);
    spmv_exchange_close(NULL);
    spmv_halo_close(NULL);
    expect(spmv_distributed_open(&distributed, "cube:3", SPMV_CSR, SPMV_DOUBLE, SEED,
                                 MPI_COMM_WORLD) != DM_OK);
    expect(strncmp(dm_message(), "rank 0: ", 8) == 0);
    expect_error(
        spmv_distributed_open(&distributed, "pde:1", SPMV_CSR, SPMV_DOUBLE, SEED, MPI_COMM_WORLD),
        DM_INVALID, "ranks for a matrix of 1 rows");
}

int main(int argc, char **argv)
{
    start_ranks(&argc, &argv);
    repeated_products();
    say("repeated products");
    wrong_exchanges_are_found();
    say("wrong exchanges");
    refusals();
    say("refusals");
    ranks.stop();
    return test_failures > 0;
}
