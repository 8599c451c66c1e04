/* spmv_distributed_ranks_test.c: repeated products by all ranks, checked against one rank alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/memory.h"
#include "spmv/spmv_distributed.h"

#include "spmv_ranks_test.h"

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

static void refusals(void)
{
    struct spmv_distributed distributed;
    expect(!spmv_distributed_open(&distributed, "cube:3", SPARSE_CSR, SPARSE_DOUBLE, SEED,
                                  MPI_COMM_WORLD, &error));
    expect(strncmp(error.text, "rank 0: ", 8) == 0);
    expect(!spmv_distributed_open(&distributed, "pde:1", SPARSE_CSR, SPARSE_DOUBLE, SEED,
                                  MPI_COMM_WORLD, &error));
    expect(strstr(error.text, "ranks for a matrix of 1 rows"));
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
