/* spmv_formats: sparse products in every format on the CPU and the GPU, and what bounds them. */
#include "option_lists.h"
#include "program.h"
#include "sparse_generate.h"
#include "spmv_cusparse.h"
#include "spmv_side.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const struct variant variants[] = {
    {"csr-cpu", "rows compressed, on the CPU"},
    {"coo-cpu", "value, row and column of each entry"},
    {"csc-cpu", "columns compressed"},
    {"ell-cpu", "a rectangle as wide as the longest row"},
    {"elg-cpu", "the same with row lengths, so that padding is skipped"},
    {"hll-cpu", "a rectangle for every 32 rows, with row lengths"},
    {"hyb-cpu", "ELL for the usual length of rows, COO for the rest"},
    {"csr-gpu", "rows compressed, on the GPU"},
    {"coo-gpu", "value, row and column of each entry"},
    {"csc-gpu", "columns compressed"},
    {"ell-gpu", "a rectangle as wide as the longest row"},
    {"elg-gpu", "the same with row lengths, so that padding is skipped"},
    {"hlg-gpu", "a rectangle for every 32 rows, with row lengths"},
    {"hyb-gpu", "ELL for the usual length of rows, COO for the rest"},
    {"cusparse-csr1", "cuSPARSE: CSR by its first algorithm"},
    {"cusparse-csr2", "cuSPARSE: CSR by its second, deterministic algorithm"},
    {"cusparse-coo", "cuSPARSE: COO"},
    {"cusparse-sell", "cuSPARSE: sliced ELL with slices of 32 rows"},
    {"copy-cpu", "the limit: a streaming copy of as many bytes, on the CPU"},
    {"triad-cpu", "STREAM's triad on the CPU, in doubles, arrays far larger than the caches"},
    {"copy-gpu", "the copy on the GPU"},
    {"gemm-cpu", "a dense product on the CPU by OpenBLAS"},
    {"gemm-gpu", "a dense product on the GPU: by cuBLAS, by an own kernel on the software GPU"},
    {0},
};

static const struct column columns[] = {
    {"matrix", COLUMN_PARAMETER, "KIND:SIZE or file; dense: the factors of the dense product"},
    {"rows", COLUMN_PARAMETER, "rows of the matrix"},
    {"entries", COLUMN_PARAMETER, "entries of the matrix"},
    {"precision", COLUMN_PARAMETER, "double or float"},
    {"gflops", COLUMN_METRIC, "2 entries / time_s in 10^9 / s; dense: 2 rows^3 / time_s"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes of the formula / time_s in 10^9 byte/s"},
    {"stored_ratio", COLUMN_METRIC, "values that the format stores / entries"},
    {"value_bytes", COLUMN_METRIC, "bytes of the format's values"},
    {"index_bytes", COLUMN_METRIC, "bytes of the format's indices"},
    {"convert_s", COLUMN_METRIC, "s from COO on the host until the first product can start"},
    {"convert_products", COLUMN_METRIC, "convert_s / time_s"},
    {"reformat_s", COLUMN_METRIC, "s from CSR on the GPU until the first product can start there"},
    {"reformat_products", COLUMN_METRIC, "reformat_s / time_s"},
    {"deviation", COLUMN_METRIC, "coefficient of variation of the row lengths"},
    {"longest_row", COLUMN_METRIC, "entries of the longest row"},
    {"error_ratio", COLUMN_METRIC, "largest error / error bound of the precision"},
    {0},
};
enum {
    MATRIX,
    ROWS,
    ENTRIES,
    PRECISION,
    GFLOPS,
    BANDWIDTH,
    STORED,
    VALUE_BYTES,
    INDEX_BYTES,
    CONVERT,
    CONVERT_PRODUCTS,
    REFORMAT,
    REFORMAT_PRODUCTS,
    DEVIATION,
    LONGEST_ROW,
    ERROR_RATIO,
    COLUMNS
};
_Static_assert(COLUMNS == sizeof columns / sizeof *columns - 1, "every column has a number");

static const char *matrices = "pde:32", *precisions = "double";
static int64_t turns, threads, inner;
static double size_limit = 16;

static const struct option options[] = {
    {"matrices", OPTION_TEXT, &matrices, "LIST", "matrices: KIND:SIZE, KIND:SIZE:PARAMETER or file",
     0, 0},
    {"precisions", OPTION_TEXT, &precisions, "LIST", "double, float or both", 0, 0},
    {"copies", OPTION_INTEGER, &turns, "N",
     "copies of matrix and vectors that take turns; 0: as many as twice the last-level cache "
     "holds, at most 8",
     0, SPMV_TURNS_MOST},
    {"inner", OPTION_INTEGER, &inner, "N",
     "products per sample; 0: as many as take 1 ms, at most 100", 0, 1e6},
    {"threads", OPTION_INTEGER, &threads, "N", "OpenMP threads; 0: as many as cores", 0, 1024},
    {"size-limit", OPTION_REAL, &size_limit, "RATIO",
     "a format is waived if it is larger than this many times the bytes of the formula", 0.1, 1e6},
    {0},
};

/* One matrix in one precision. */
struct matrix {
    const char *name;
    const struct sparse_coo *coo;
    struct sparse_profile profile;
    struct spmv_task task;
};

static const char *name_of(enum sparse_precision precision)
{
    return precision == SPARSE_DOUBLE ? "double" : "float";
}

static enum sparse_precision precision_of(const char *name)
{
    if (strcmp(name, "double") == 0)
        return SPARSE_DOUBLE;
    if (strcmp(name, "float") == 0)
        return SPARSE_FLOAT;
    fail("--precisions: `%s` is neither double nor float", name);
}

static void fill_matrix(struct value *values, const struct matrix *matrix, double bandwidth)
{
    const struct sparse_coo *coo = matrix->coo;
    for (int i = 0; i < COLUMNS; i++)
        values[i] = none();
    values[MATRIX] = text(matrix->name);
    values[ROWS] = integer(coo->rows);
    values[ENTRIES] = integer(coo->entries);
    values[PRECISION] = text(name_of(matrix->task.options.precision));
    values[BANDWIDTH] = real(1e-9 * bandwidth);
    if (matrix->profile.mean > 0)
        values[DEVIATION] = real(matrix->profile.deviation / matrix->profile.mean);
    values[LONGEST_ROW] = integer(matrix->profile.longest);
}

static void fill_way(struct value *values, const struct spmv_copies *copies, double time_s)
{
    const struct spmv_copy *copy = &copies->copy[0];
    double entries = (double)copies->task->coo->entries;
    values[GFLOPS] = real(2e-9 * entries / time_s);
    if (entries > 0)
        values[STORED] = real((double)copy->stored / entries);
    values[VALUE_BYTES] = integer((int64_t)copy->value_bytes);
    values[INDEX_BYTES] = integer((int64_t)copy->index_bytes);
    values[CONVERT] = real(copies->convert_s);
    values[CONVERT_PRODUCTS] = real(copies->convert_s / time_s);
    if (isnan(copies->reformat_s))
        return;
    values[REFORMAT] = real(copies->reformat_s);
    values[REFORMAT_PRODUCTS] = real(copies->reformat_s / time_s);
}

/* The errors of a part; the error ratio of a way. */
static long verify(struct spmv_part *part, double *ratio)
{
    long errors = 0;
    if (part->kind == SPMV_PART_COPY)
        return spmv_stream_copy_verify(&part->stream_copy);
    if (part->kind == SPMV_PART_TRIAD)
        return spmv_triad_verify(&part->triad);
    *ratio = spmv_copies_verify(&part->copies, &errors);
    return errors + part->copies.reformat_errors;
}

static void record_part(struct run *run, const struct matrix *matrix, struct spmv_part *part,
                        const struct subject *subject)
{
    double ratio = NAN;
    long errors = run->settings.check ? verify(part, &ratio) : 0;
    double bytes = part->kind == SPMV_PART_TRIAD ? spmv_triad_bytes(&part->triad)
                                                 : (double)spmv_task_bytes(&matrix->task);
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[COLUMNS];
        double time_s = subject->times_s[i];
        fill_matrix(values, matrix, bytes / time_s);
        if (part->kind == SPMV_PART_WAY)
            fill_way(values, &part->copies, time_s);
        if (!isnan(ratio))
            values[ERROR_RATIO] = real(ratio);
        record_row(run, subject->variant, (int)i, values, time_s, errors);
    }
}

/* CPU and GPU are measured one after the other: threads that wait for their next product would
 * disturb the other side. */
static void run_side(struct run *run, const struct matrix *matrix, bool on_device)
{
    struct spmv_side *side = allocate_or_fail(1, sizeof *side);
    *side =
        (struct spmv_side){.on_device = on_device, .turns = (size_t)turns, .inner = (size_t)inner};
    spmv_side_open(side, run, matrix->name, &matrix->task);
    measure(run, side->subjects, side->count);
    for (size_t i = 0; i < side->count; i++)
        record_part(run, matrix, &side->parts[i], &side->subjects[i]);
    spmv_side_close(side);
    measure_free(side->subjects, side->count);
    free(side);
}

static void run_matrix(struct run *run, const char *name, const struct option_words *wanted)
{
    struct sparse_coo coo;
    struct sparse_error error;
    if (!sparse_matrix_of(&coo, name, run->settings.seed, &error))
        fail("%s", error.text);
    struct matrix matrix = {.name = name, .coo = &coo, .profile = sparse_coo_profile(&coo)};
    for (size_t i = 0; i < wanted->count; i++) {
        matrix.task.options = (struct sparse_options){.precision = precision_of(wanted->values[i])};
        spmv_task_open(&matrix.task, &coo, run->settings.seed);
        matrix.task.options.memory_limit =
            (size_t)(size_limit * (double)spmv_task_bytes(&matrix.task));
        run_side(run, &matrix, false);
        run_side(run, &matrix, true);
        spmv_task_close(&matrix.task);
    }
    sparse_coo_close(&coo);
}

static void record_dense(struct run *run, struct spmv_dense *dense, const struct subject *subject)
{
    int64_t rows = dense->rows;
    double ratio = run->settings.check ? spmv_dense_verify(dense, run->settings.seed) : NAN;
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[COLUMNS] = {text("dense"), integer(rows), integer(rows * rows),
                                        text(name_of(dense->precision)),
                                        real(2e-9 * (double)(rows * rows * rows) / time_s)};
        if (!isnan(ratio))
            values[ERROR_RATIO] = real(ratio);
        record_row(run, subject->variant, (int)i, values, time_s, ratio > 1);
    }
}

static void run_dense(struct run *run, bool on_device, enum sparse_precision precision)
{
    const char *variant = on_device ? "gemm-gpu" : "gemm-cpu";
    struct spmv_dense dense;
    if (!program_wants(run, variant))
        return;
    spmv_dense_open(&dense, on_device, precision, run->settings.seed);
    struct spmv_repeat repeat = {
        .operate = spmv_dense_operate, .context = &dense, .turns = 1, .on_device = on_device};
    spmv_repeat_open(&repeat, (size_t)inner);
    struct subject subject = {.variant = variant, .sample = spmv_repeat_sample, .context = &repeat};
    measure(run, &subject, 1);
    record_dense(run, &dense, &subject);
    spmv_repeat_close(&repeat);
    spmv_dense_close(&dense);
    measure_free(&subject, 1);
}

static void waive_cusparse(struct run *run)
{
    for (const struct variant *variant = variants; variant->name; variant++)
        if (strncmp(variant->name, "cusparse-", 9) == 0 && program_wants(run, variant->name))
            record_waived(run, variant->name, "cuSPARSE needs an NVIDIA GPU: build with GPU=cuda");
}

static void run_all(struct run *run)
{
    struct option_words names = option_read_words("matrices", matrices);
    struct option_words wanted = option_read_words("precisions", precisions);
    for (size_t i = 0; i < wanted.count; i++)
        precision_of(wanted.values[i]);
    if (threads)
        omp_set_num_threads((int)threads);
    for (size_t i = 0; i < names.count; i++)
        run_matrix(run, names.values[i], &wanted);
    for (size_t i = 0; i < wanted.count; i++) {
        run_dense(run, false, precision_of(wanted.values[i]));
        run_dense(run, true, precision_of(wanted.values[i]));
    }
    if (!spmv_cusparse_ways[0].variant)
        waive_cusparse(run);
    option_free_words(&names);
    option_free_words(&wanted);
}

static const struct program program = {
    .name = "spmv_formats",
    .summary = "computes y = A x in every format on the CPU and the GPU",
    .details =
        "time_s is that of one product, the mean over the products of a sample: on the CPU by the\n"
        "clock, on the GPU between two events. Copies of matrix and vectors take turns, so that "
        "no\n"
        "cache keeps them. The formula counts what a product must move, whatever the format: each\n"
        "entry's value and 4 bytes of column, 4 bytes per row, and both vectors once. The copy\n"
        "moves as many bytes, half of them read; the triad moves its own, 24 counted for each of\n"
        "its elements, and its time_s is that of one pass. Products are compared with sums in\n"
        "extended precision. convert_s is the less of two conversions; on the GPU it includes the\n"
        "upload, for cuSPARSE also its preprocessing. reformat_s is the median of three "
        "conversions\n"
        "on the GPU, memory included; CSR, the CPU's formats and cuSPARSE have none. Source:\n"
        "Fanfarillo, 3.2 and 3.4.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
