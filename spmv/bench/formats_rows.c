/* The rows of spmv_formats: what was measured becomes columns, and is verified. */
#include "formats_rows.h"

#include <math.h>

const struct column spmv_formats_columns[] = {
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
_Static_assert(COLUMNS == sizeof spmv_formats_columns / sizeof *spmv_formats_columns - 1,
               "every column has a number");

static const char *name_of(enum spmv_precision precision)
{
    return precision == SPMV_DOUBLE ? "double" : "float";
}

static void fill_matrix(struct value *values, const struct spmv_formats_matrix *matrix,
                        double bandwidth)
{
    const struct spmv_coo *coo = matrix->coo;
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

void spmv_formats_record_part(struct run *run, const struct spmv_formats_matrix *matrix,
                              struct spmv_part *part, const struct subject *subject)
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
        record_values(run, subject->variant, (int)i, values, time_s, errors);
    }
}

void spmv_formats_record_dense(struct run *run, struct spmv_dense *dense,
                               const struct subject *subject)
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
        record_values(run, subject->variant, (int)i, values, time_s, ratio > 1);
    }
}
