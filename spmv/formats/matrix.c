#include <string.h>
#include <unistd.h>

#include "format.h"

const struct spmv_operations *const sparse_operations[SPMV_FORMATS] = {
    [SPMV_COO] = &sparse_coo_operations, [SPMV_CSR] = &sparse_csr_operations,
    [SPMV_CSC] = &sparse_csc_operations, [SPMV_ELL] = &sparse_ell_operations,
    [SPMV_ELG] = &sparse_elg_operations, [SPMV_HLL] = &sparse_hll_operations,
    [SPMV_HYB] = &sparse_hyb_operations,
};

static bool is_format(enum spmv_format format)
{
    return (unsigned)format < SPMV_FORMATS;
}

const char *spmv_format_name(enum spmv_format format)
{
    return is_format(format) ? sparse_operations[format]->name : "unknown";
}

const char *spmv_format_meaning(enum spmv_format format)
{
    return is_format(format) ? sparse_operations[format]->meaning : "";
}

enum spmv_format spmv_format_of(const char *name)
{
    if (strcmp(name, "hlg") == 0)
        return SPMV_HLL;
    int format = 0;
    while (format < SPMV_FORMATS && strcmp(sparse_operations[format]->name, name) != 0)
        format++;
    return format;
}

/* A stored zero costs as much as an entry, so the sentence says how many there would be. */
static enum dm_status refuse_size(const struct spmv_matrix *matrix, double bytes, double limit)
{
    double padding = matrix->stored > 0 ? 1 - (double)matrix->entries / (double)matrix->stored : 0;
    return dm_fail(
        DM_NO_MEMORY,
        "format %s of a matrix of %lld rows and %lld entries needs %.3g GB (%.3g values, "
        "%.1f %% of them padding), and the limit is %.3g GB%s",
        matrix->operations->name, (long long)matrix->rows, (long long)matrix->entries, bytes / 1e9,
        (double)matrix->stored, 100 * padding, limit / 1e9,
        padding > 0 ? ": choose csr, hll or hyb" : "");
}

/* malloc may promise more than there is, so the size is compared with the machine's memory too. */
enum dm_status sparse_matrix_fits(const struct spmv_matrix *matrix)
{
    double bytes = (double)matrix->value_bytes + (double)matrix->index_bytes;
    double limit = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (matrix->options.memory_limit > 0 && (double)matrix->options.memory_limit < limit)
        limit = (double)matrix->options.memory_limit;
    return bytes <= limit ? DM_OK : refuse_size(matrix, bytes, limit);
}

static double gigabytes(const struct spmv_matrix *matrix)
{
    return (double)(matrix->value_bytes + matrix->index_bytes) / 1e9;
}

static enum dm_status build(struct spmv_matrix *matrix, const struct spmv_coo *coo)
{
    matrix->operations->size(coo, &matrix->options, &matrix->value_bytes, &matrix->index_bytes,
                             &matrix->stored);
    TRY(sparse_matrix_fits(matrix));
    enum dm_status status = matrix->operations->build(matrix, coo);
    return status == DM_NO_MEMORY ? dm_fail(status, "there is no memory for format %s of %.3g GB",
                                            matrix->operations->name, gigabytes(matrix))
                                  : status;
}

enum dm_status spmv_matrix_create(struct spmv_matrix *matrix, enum spmv_format format,
                                  const struct spmv_coo *coo, const struct spmv_options *options)
{
    *matrix = (struct spmv_matrix){0};
    if (!is_format(format))
        return dm_fail(DM_INVALID, "format %d: there are formats 0 to %d", (int)format,
                       SPMV_FORMATS - 1);
    *matrix = (struct spmv_matrix){
        .operations = sparse_operations[format],
        .options = options ? *options : (struct spmv_options){.precision = SPMV_DOUBLE},
        .rows = coo->rows,
        .columns = coo->columns,
        .entries = coo->entries,
    };
    enum dm_status status = build(matrix, coo);
    if (status != DM_OK)
        spmv_matrix_release(matrix);
    return status;
}

static void drop_device(struct spmv_matrix *matrix)
{
    if (matrix->device)
        matrix->operations->drop_device(matrix);
    matrix->device = NULL;
}

void spmv_matrix_release(struct spmv_matrix *matrix)
{
    if (!matrix)
        return;
    drop_device(matrix);
    if (matrix->host)
        matrix->operations->drop(matrix);
    *matrix = (struct spmv_matrix){0};
}

enum dm_status spmv_matrix_change(struct spmv_matrix *matrix, enum spmv_format format)
{
    struct spmv_coo coo = {0};
    struct spmv_matrix changed;
    TRY(spmv_matrix_to_coo(matrix, &coo));
    enum dm_status status = spmv_matrix_create(&changed, format, &coo, &matrix->options);
    spmv_coo_close(&coo);
    if (status != DM_OK)
        return status;
    spmv_matrix_release(matrix);
    *matrix = changed;
    return DM_OK;
}

enum dm_status spmv_matrix_to_coo(const struct spmv_matrix *matrix, struct spmv_coo *coo)
{
    *coo = (struct spmv_coo){0};
    if (!matrix->host)
        return dm_fail(DM_INVALID, "the matrix in format %s lies on the device alone",
                       matrix->operations->name);
    enum dm_status status = matrix->operations->to_coo(matrix, coo);
    if (status != DM_OK)
        spmv_coo_close(coo);
    return status;
}

/* Rows of y are written while others still read x. */
static bool overlap(const struct spmv_matrix *matrix, const void *x, const void *y)
{
    size_t each = spmv_value_bytes(matrix->options.precision);
    uintptr_t x_first = (uintptr_t)x, y_first = (uintptr_t)y;
    return x_first < y_first + (size_t)matrix->rows * each &&
           y_first < x_first + (size_t)matrix->columns * each;
}

static enum dm_status refuse_overlap(void)
{
    return dm_fail(DM_INVALID, "a sparse product: x and y overlap, give y memory of its own");
}

enum dm_status spmv_multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                             double beta, void *y)
{
    if (!matrix->host)
        return dm_fail(DM_INVALID, "spmv_multiply: the matrix lies on the device alone");
    if (overlap(matrix, x, y))
        return refuse_overlap();
    return matrix->operations->multiply_host(matrix, alpha, x, beta, y);
}

enum dm_status sparse_on_device(enum dm_status status, const struct spmv_matrix *matrix)
{
    return status == DM_NO_MEMORY
               ? dm_fail(status, "format %s of %.3g GB does not fit on the device",
                         matrix->operations->name, gigabytes(matrix))
               : status;
}

enum dm_status spmv_matrix_to_device(struct spmv_matrix *matrix)
{
    if (matrix->device)
        return DM_OK;
    enum dm_status status = sparse_on_device(matrix->operations->upload(matrix), matrix);
    if (status != DM_OK)
        drop_device(matrix);
    return status;
}

enum dm_status spmv_multiply_device(const struct spmv_matrix *matrix, double alpha, const void *x,
                                    double beta, void *y, cudaStream_t stream)
{
    if (!matrix->device)
        return dm_fail(DM_INVALID, "spmv_multiply_device: call spmv_matrix_to_device before");
    if (overlap(matrix, x, y))
        return refuse_overlap();
    return matrix->operations->multiply_device(matrix, alpha, x, beta, y, stream);
}
