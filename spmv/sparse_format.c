#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/memory.h"

#include "sparse_format_internal.h"

const struct sparse_operations *const sparse_operations[SPARSE_FORMATS] = {
    [SPARSE_COO] = &sparse_coo_operations, [SPARSE_CSR] = &sparse_csr_operations,
    [SPARSE_CSC] = &sparse_csc_operations, [SPARSE_ELL] = &sparse_ell_operations,
    [SPARSE_ELG] = &sparse_elg_operations, [SPARSE_HLL] = &sparse_hll_operations,
    [SPARSE_HYB] = &sparse_hyb_operations,
};

enum sparse_format sparse_format_of(const char *name)
{
    if (strcmp(name, "hlg") == 0)
        return SPARSE_HLL;
    int format = 0;
    while (format < SPARSE_FORMATS && strcmp(sparse_operations[format]->name, name) != 0)
        format++;
    return format;
}

void *sparse_host_memory(int64_t count, size_t each)
{
    return malloc(sparse_bytes(count > 0 ? count : 1, each));
}

size_t sparse_starts_bytes(const struct sparse_options *options, int64_t count, int64_t end)
{
    return sparse_bytes(count + 1,
                        sparse_starts_are_wide(options, end) ? sizeof(int64_t) : sizeof(int32_t));
}

bool sparse_starts_open(struct sparse_starts *starts, const struct sparse_options *options,
                        int64_t count, int64_t end)
{
    *starts =
        (struct sparse_starts){.count = count, .is_wide = sparse_starts_are_wide(options, end)};
    starts->offset = malloc(sparse_starts_bytes(options, count, end));
    return starts->offset != NULL;
}

bool sparse_no_memory(const char *what, size_t bytes, struct sparse_error *error)
{
    return sparse_refuse(error, "there is no memory for %s of %.3g GB", what, (double)bytes / 1e9);
}

/* A stored zero costs as much as an entry, so the sentence says how many there would be. */
static bool refuse_size(const struct sparse_matrix *matrix, double bytes, double limit,
                        struct sparse_error *error)
{
    double padding = matrix->stored > 0 ? 1 - (double)matrix->entries / (double)matrix->stored : 0;
    return sparse_refuse(error,
                         "format %s of a matrix of %lld rows and %lld entries needs %.3g GB (%.3g "
                         "values, %.1f %% of them padding), and the limit is %.3g GB%s",
                         matrix->operations->name, (long long)matrix->rows,
                         (long long)matrix->entries, bytes / 1e9, (double)matrix->stored,
                         100 * padding, limit / 1e9, padding > 0 ? ": choose csr, hll or hyb" : "");
}

/* malloc may promise more than there is, so the size is compared with the machine's memory too. */
bool sparse_matrix_fits(const struct sparse_matrix *matrix, struct sparse_error *error)
{
    double bytes = (double)matrix->value_bytes + (double)matrix->index_bytes;
    double limit = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (matrix->options.memory_limit > 0 && (double)matrix->options.memory_limit < limit)
        limit = (double)matrix->options.memory_limit;
    return bytes <= limit || refuse_size(matrix, bytes, limit, error);
}

bool sparse_matrix_create(struct sparse_matrix *matrix, enum sparse_format format,
                          const struct sparse_coo *coo, const struct sparse_options *options,
                          struct sparse_error *error)
{
    *matrix = (struct sparse_matrix){
        .operations = sparse_operations[format],
        .options = options ? *options : (struct sparse_options){.precision = SPARSE_DOUBLE},
        .rows = coo->rows,
        .columns = coo->columns,
        .entries = coo->entries,
    };
    matrix->operations->size(coo, &matrix->options, &matrix->value_bytes, &matrix->index_bytes,
                             &matrix->stored);
    if (sparse_matrix_fits(matrix, error) && matrix->operations->build(matrix, coo, error))
        return true;
    *matrix = (struct sparse_matrix){0};
    return false;
}

static void drop_device(struct sparse_matrix *matrix)
{
    if (matrix->device)
        matrix->operations->drop_device(matrix);
    matrix->device = NULL;
}

void sparse_matrix_release(struct sparse_matrix *matrix)
{
    drop_device(matrix);
    if (matrix->host)
        matrix->operations->drop(matrix);
    *matrix = (struct sparse_matrix){0};
}

bool sparse_matrix_change(struct sparse_matrix *matrix, enum sparse_format format,
                          struct sparse_error *error)
{
    struct sparse_coo coo = {0};
    struct sparse_matrix changed;
    bool done = sparse_matrix_to_coo(matrix, &coo, error) &&
                sparse_matrix_create(&changed, format, &coo, &matrix->options, error);
    sparse_coo_close(&coo);
    if (!done)
        return false;
    sparse_matrix_release(matrix);
    *matrix = changed;
    return true;
}

bool sparse_matrix_to_coo(const struct sparse_matrix *matrix, struct sparse_coo *coo,
                          struct sparse_error *error)
{
    if (!matrix->host)
        return sparse_refuse(error, "the matrix in format %s lies on the device alone",
                             matrix->operations->name);
    return matrix->operations->to_coo(matrix, coo, error);
}

/* Rows of y are written while others still read x. */
static void check_apart(const struct sparse_matrix *matrix, const void *x, const void *y)
{
    size_t each = sparse_value_bytes(matrix->options.precision);
    uintptr_t x_first = (uintptr_t)x, y_first = (uintptr_t)y;
    if (x_first < y_first + (size_t)matrix->rows * each &&
        y_first < x_first + (size_t)matrix->columns * each)
        fail("a sparse product: x and y overlap, give y memory of its own");
}

void sparse_multiply(const struct sparse_matrix *matrix, double alpha, const void *x, double beta,
                     void *y)
{
    if (!matrix->host)
        fail("sparse_multiply: the matrix lies on the device alone");
    check_apart(matrix, x, y);
    matrix->operations->multiply_host(matrix, alpha, x, beta, y);
}

bool sparse_no_device_memory(const struct sparse_matrix *matrix, struct sparse_error *error)
{
    return sparse_refuse(error, "format %s of %.3g GB does not fit on the device",
                         matrix->operations->name,
                         (double)(matrix->value_bytes + matrix->index_bytes) / 1e9);
}

bool sparse_matrix_to_device(struct sparse_matrix *matrix, struct sparse_error *error)
{
    if (matrix->device || matrix->operations->upload(matrix))
        return true;
    return sparse_no_device_memory(matrix, error);
}

void sparse_multiply_device(const struct sparse_matrix *matrix, double alpha, const void *x,
                            double beta, void *y, cudaStream_t stream)
{
    if (!matrix->device)
        fail("sparse_multiply_device: call sparse_matrix_to_device before");
    check_apart(matrix, x, y);
    matrix->operations->multiply_device(matrix, alpha, x, beta, y, stream);
}

bool sparse_device_memory(void **device, size_t bytes)
{
    *device = NULL;
    cudaError_t error = cudaMalloc(device, bytes > 0 ? bytes : 1);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError(); /* the next check must not find it */
        *device = NULL;
        return false;
    }
    check_cuda(error);
    return true;
}

bool sparse_device_copy(void **device, const void *host, size_t bytes)
{
    if (!sparse_device_memory(device, bytes))
        return false;
    memory_copy(*device, host, bytes);
    return true;
}

void sparse_device_release(void *device)
{
    check_cuda(cudaFree(device));
}
