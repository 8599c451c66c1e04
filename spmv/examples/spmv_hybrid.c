/* spmv_hybrid.c: a matrix from a file, its rows split between CPU and GPU by measured times.
 *
 * Build: cc -std=c11 spmv_hybrid.c $(pkg-config --cflags --libs datamotion-spmv) -o spmv_hybrid
 *
 * Run: printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '4 4 5' '1 1 1' \
 *          '2 2 1' '3 3 1' '4 4 1' '4 1 2' >m.mtx && ./spmv_hybrid m.mtx
 *
 * Prints: 6 entries; the CPU gets 1 rows, the GPU 3; y = 9 2 3 6 */
#include <datamotion/spmv.h>

#include <stdio.h>
#include <stdlib.h>

static void check(enum dm_status status)
{
    if (status == DM_OK)
        return;
    fprintf(stderr, "%s\n", dm_message());
    exit(1);
}

int main(int argc, char **argv)
{
    /* As if measured: rows, and seconds of a product on each device alone. */
    static const double rows[] = {1000, 2000, 4000}, cpu_s[] = {3e-5, 6e-5, 12e-5},
                        gpu_s[] = {1e-5, 2e-5, 4e-5};
    const struct spmv_split_samples cpu = {3, rows, cpu_s}, gpu = {3, rows, gpu_s};
    struct spmv_split_models models = {.cpu_samples = cpu};
    struct spmv_coo coo;
    struct spmv_hybrid *hybrid;

    if (argc != 2)
        return 1;
    check(spmv_market_read(&coo, argv[1]));
    check(spmv_split_fit_line(&cpu, &models.cpu_line));
    check(spmv_split_fit_line(&gpu, &models.gpu));
    const struct spmv_split split = spmv_split_linear(&models, coo.rows, true);

    double *x = malloc((size_t)coo.rows * sizeof *x);
    for (int64_t i = 0; i < coo.rows; i++)
        x[i] = (double)(i + 1);
    check(spmv_hybrid_open(&hybrid, &coo, split.cpu_rows, SPMV_HLL, NULL));
    check(spmv_hybrid_set(hybrid, x));
    check(spmv_hybrid_run(hybrid, 1, 2));
    check(spmv_hybrid_result(hybrid, x));
    printf("%lld entries; the CPU gets %lld rows, the GPU %lld; y =", (long long)coo.entries,
           (long long)split.cpu_rows, (long long)split.gpu_rows);
    for (int64_t i = 0; i < coo.rows; i++)
        printf(" %g", x[i]);
    printf("\n");
    spmv_hybrid_close(hybrid);
    spmv_coo_close(&coo);
    free(x);
    return 0;
}
