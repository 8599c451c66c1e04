/* spmv_fma: how far results with and without fused multiply-add lie apart (Fanfarillo 2016, 2.6.1).
 */
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "spmv/bench/fma.h"
#include "spmv/bench/generate.h"
#include "spmv/bench/matrix_list.h"
#include "spmv/bench/problem.h"
#include "spmv/bench/reference.h"

enum variant_index { CPU, CPU_FMA, GPU };
static const struct variant variants[] = {
    {"cpu", "CSR on the CPU; products and sums are rounded separately"},
    {"cpu-fma", "the same with fused multiply-add: a product and its sum are rounded once"},
    {"gpu", "HLG on the GPU, one thread per row: the same order of sums; fused on a real GPU"},
    {0},
};

struct row {
    const char *matrix;
    int64_t different;
    double error_ratio;
};
static const struct column columns[] = {
    PARAMETER(struct row, matrix, "kind and size, see --matrices"),
    METRIC(struct row, different, "elements of y that differ from those of variant cpu in any bit"),
    METRIC(struct row, error_ratio, "largest error / its bound, see -h; at most 1 is right"),
    {0},
};

static struct option_words matrices = {.list = "pde:32,random:20000"};
static const struct program_option options[] = {
    {"matrices", OPTION_WORDS, &matrices, "LIST",
     "matrices, separated by commas: kind:size[:parameter] or a Matrix Market file", 0, 0},
    {0},
};

/* One matrix with its vectors. */
struct input {
    const char *name;
    struct spmv_problem problem;
    struct spmv_matrix csr, hlg;
    double *plain; /* y of variant cpu */
};

struct product {
    int variant;
    struct input *input;
    int64_t different;
    double error_ratio;
};

static void open_input(const struct run *run, struct input *input, const char *name)
{
    struct spmv_coo coo;
    struct spmv_problem *problem = &input->problem;
    input->name = name;
    check_status(sparse_matrix_of(&coo, name, run->settings.seed));
    check_status(spmv_matrix_create(&input->csr, SPMV_CSR, &coo, NULL));
    check_status(spmv_matrix_create(&input->hlg, SPMV_HLL, &coo, NULL));
    check_status(spmv_matrix_to_device(&input->hlg));
    spmv_problem_open(problem, &coo, SPMV_DOUBLE, 1, 0, run->settings.seed);
    spmv_problem_open_device(problem);
    input->plain = allocate_or_fail((size_t)problem->coo.rows, sizeof *input->plain);
    sparse_fma_multiply(&input->csr, false, problem->x, input->plain);
}

static void close_input(struct input *input)
{
    free(input->plain);
    spmv_matrix_release(&input->csr);
    spmv_matrix_release(&input->hlg);
    spmv_problem_close(&input->problem);
}

static bool open_product(struct run *run, void *task)
{
    (void)run;
    return ((struct product *)task)->variant != CPU_FMA || sparse_fma_available();
}

static double time_product(void *task)
{
    const struct product *product = task;
    struct spmv_problem *problem = &product->input->problem;
    if (product->variant == GPU)
        return spmv_problem_time(problem, &product->input->hlg, true, 1);
    double start_s = clock_now_s();
    sparse_fma_multiply(&product->input->csr, product->variant == CPU_FMA, problem->x, problem->y);
    return clock_now_s() - start_s;
}

static int64_t count_different(const double *a, const double *b, int64_t count)
{
    int64_t different = 0;
    for (int64_t i = 0; i < count; i++)
        different += memcmp(&a[i], &b[i], sizeof a[i]) != 0;
    return different;
}

/* One more product, whose result is left in y; also what the rows say about it. */
static void judge(struct product *product)
{
    struct spmv_problem *problem = &product->input->problem;
    if (product->variant == GPU) {
        product->error_ratio = spmv_problem_error_ratio(problem, &product->input->hlg, true);
    } else {
        spmv_problem_reset(problem, false);
        time_product(product);
        product->error_ratio =
            sparse_error_ratio(&problem->coo, problem->y, true, problem->exact, problem->magnitude);
    }
    product->different = count_different(problem->y, product->input->plain, problem->coo.rows);
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    *(struct row *)row = (struct row){.matrix = ((const struct product *)task)->input->name};
}

static void relate(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    struct product *product = compared->tasks[task];
    if (repetition == 0 && !compared->run->settings.check)
        judge(product);
    ((struct row *)row)->different = product->different;
    ((struct row *)row)->error_ratio = product->error_ratio;
}

static long is_wrong(struct run *run, void *task)
{
    (void)run;
    judge(task);
    return !(((struct product *)task)->error_ratio <= 1);
}

static const struct comparison comparison = {.task_bytes = TASK(struct product),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_product,
                                             .sample = time_product,
                                             .row = fill_row,
                                             .relate = relate,
                                             .verify = is_wrong};

static void run_all(struct run *run)
{
    spmv_check_matrices("matrices", &matrices);
    for (size_t i = 0; i < matrices.count; i++) {
        struct input input;
        open_input(run, &input, matrices.values[i]);
        compare_variants(run, &comparison, &(struct product){.input = &input});
        close_input(&input);
    }
    if (program_wants_variant(run, CPU_FMA) && !sparse_fma_available())
        record_waived(run, variants[CPU_FMA].name, "this CPU has no fused multiply-add");
}

const struct program program = {
    .name = "spmv_fma",
    .summary = "counts the results that fused multiply-add changes",
    .details =
        "All variants add up a row from its first entry to its last (variant gpu: a row of up to\n"
        "256 entries), so that only rounding differs. The software GPU does not fuse. time_s is\n"
        "that of one product, by the host's clock or by device events. error_ratio is\n"
        "compared with the bound of any dot product, (entries of the row + 2) eps sum |a x|; the\n"
        "exact result is computed in extended precision.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
