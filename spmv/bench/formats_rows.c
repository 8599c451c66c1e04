/* The rows of spmv_formats: what was measured becomes columns, and is verified. */
#include "formats_rows.h"

#include <math.h>

struct row {
    const char *matrix;
    int64_t rows, entries;
    const char *precision;
    double gflops, bandwidth_gbs, stored_ratio;
    int64_t value_bytes, index_bytes;
    double convert_s, convert_products, reformat_s, reformat_products, deviation;
    int64_t longest_row;
    double error_ratio;
};
const struct column spmv_formats_columns[] = {
    PARAMETER(struct row, matrix, "KIND:SIZE or file; dense: the factors of the dense product"),
    PARAMETER(struct row, rows, "rows of the matrix"),
    PARAMETER(struct row, entries, "entries of the matrix"),
    PARAMETER(struct row, precision, "double or float"),
    METRIC(struct row, gflops, "2 entries / time_s in 10^9 / s; dense: 2 rows^3 / time_s"),
    METRIC(struct row, bandwidth_gbs, "bytes of the formula / time_s in 10^9 byte/s"),
    METRIC(struct row, stored_ratio, "values that the format stores / entries"),
    METRIC(struct row, value_bytes, "bytes of the format's values"),
    METRIC(struct row, index_bytes, "bytes of the format's indices"),
    METRIC(struct row, convert_s, "s from COO on the host until the first product can start"),
    METRIC(struct row, convert_products, "convert_s / time_s"),
    METRIC(struct row, reformat_s, "s from CSR on the GPU until the first product can start there"),
    METRIC(struct row, reformat_products, "reformat_s / time_s"),
    METRIC(struct row, deviation, "coefficient of variation of the row lengths"),
    METRIC(struct row, longest_row, "entries of the longest row"),
    METRIC(struct row, error_ratio, "largest error / error bound of the precision"),
    {0},
};

static const char *name_of(enum spmv_precision precision)
{
    return precision == SPMV_DOUBLE ? "double" : "float";
}

/* A row in which all that not each part has is empty. */
static struct row row_of(const char *matrix, int64_t rows, int64_t entries,
                         enum spmv_precision precision, double error_ratio)
{
    return (struct row){.matrix = matrix,
                        .rows = rows,
                        .entries = entries,
                        .precision = name_of(precision),
                        .gflops = NAN,
                        .bandwidth_gbs = NAN,
                        .stored_ratio = NAN,
                        .value_bytes = NO_VALUE,
                        .index_bytes = NO_VALUE,
                        .convert_s = NAN,
                        .convert_products = NAN,
                        .reformat_s = NAN,
                        .reformat_products = NAN,
                        .deviation = NAN,
                        .longest_row = NO_VALUE,
                        .error_ratio = error_ratio};
}

static void fill_way(struct row *row, const struct spmv_copies *copies, double time_s)
{
    const struct spmv_copy *copy = &copies->copy[0];
    double entries = (double)copies->task->coo->entries;
    row->gflops = 2e-9 * entries / time_s;
    row->stored_ratio = entries > 0 ? (double)copy->stored / entries : (double)NAN;
    row->value_bytes = (int64_t)copy->value_bytes;
    row->index_bytes = (int64_t)copy->index_bytes;
    row->convert_s = copies->convert_s;
    row->convert_products = copies->convert_s / time_s;
    row->reformat_s = copies->reformat_s;
    row->reformat_products = copies->reformat_s / time_s;
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
    const struct spmv_coo *coo = matrix->coo;
    const struct sparse_profile *profile = &matrix->profile;
    double ratio = NAN;
    long errors = run->settings.check ? verify(part, &ratio) : 0;
    double bytes = part->kind == SPMV_PART_TRIAD ? spmv_triad_bytes(&part->triad)
                                                 : (double)spmv_task_bytes(&matrix->task);
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct row row =
            row_of(matrix->name, coo->rows, coo->entries, matrix->task.options.precision, ratio);
        row.bandwidth_gbs = 1e-9 * bytes / time_s;
        row.deviation = profile->mean > 0 ? profile->deviation / profile->mean : (double)NAN;
        row.longest_row = profile->longest;
        if (part->kind == SPMV_PART_WAY)
            fill_way(&row, &part->copies, time_s);
        record_row(run, subject->variant, (int)i, &row, time_s, errors);
    }
}

void spmv_formats_record_dense(struct run *run, struct spmv_dense *dense,
                               const struct subject *subject)
{
    int64_t rows = dense->rows;
    double ratio = run->settings.check ? spmv_dense_verify(dense, run->settings.seed) : (double)NAN;
    struct row row = row_of("dense", rows, rows * rows, dense->precision, ratio);
    for (size_t i = 0; i < subject->count; i++) {
        row.gflops = 2e-9 * (double)(rows * rows * rows) / subject->times_s[i];
        record_row(run, subject->variant, (int)i, &row, subject->times_s[i], ratio > 1);
    }
}
