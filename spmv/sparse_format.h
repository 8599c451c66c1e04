/* sparse_format.h: one matrix type outside, the storage inside chosen at run time.
 *
 *     struct sparse_coo --create--> struct sparse_matrix --operations--> csr | ell | hll | ...
 *                                       |      ^ to_coo                   host and device
 *                                   multiply_host, to_device, multiply_device
 *
 * The State pattern of Fanfarillo 2016, 3.2, in C: `operations` is the state, and
 * sparse_matrix_change replaces it in place. A format is one table of functions in a file of its
 * own. */
#ifndef SPMV_SPARSE_FORMAT_H
#define SPMV_SPARSE_FORMAT_H

#include "common/gpu.h"

#include "sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sparse_precision { SPARSE_FLOAT, SPARSE_DOUBLE };
#define sparse_value_bytes(precision)                                                              \
    ((precision) == SPARSE_DOUBLE ? sizeof(double) : sizeof(float))

enum sparse_format {
    SPARSE_COO, /* value, row, column of each entry */
    SPARSE_CSR, /* rows compressed: where each begins */
    SPARSE_CSC, /* columns compressed */
    SPARSE_ELL, /* a rectangle as wide as the longest row, padded with zeros that are computed */
    SPARSE_ELG, /* the same and the length of each row: padding is skipped */
    SPARSE_HLL, /* "hacks" of rows, each a rectangle as wide as its longest row, row lengths */
    SPARSE_HYB, /* ELL for the usual length of rows, COO for the rest (Bell and Garland) */
    SPARSE_FORMATS
};

struct sparse_options {
    enum sparse_precision precision;
    int hack_rows;       /* rows of a hack of HLL, a multiple of 32; 0: 32 */
    size_t memory_limit; /* a format that needs more bytes is refused; 0: no limit but malloc's */
    bool wide_starts;    /* 64-bit row starts even where 32 bits would do */
};

struct sparse_matrix;
struct sparse_csr_device;

struct sparse_operations {
    const char *name; /* "csr"; on a device HLL is called "hlg" in figures, as in the thesis */
    const char *meaning;
    /* Bytes that the format of this matrix needs: values, indices. Called before build. */
    void (*size)(const struct sparse_coo *coo, const struct sparse_options *options,
                 size_t *value_bytes, size_t *index_bytes, int64_t *stored);
    bool (*build)(struct sparse_matrix *matrix, const struct sparse_coo *coo,
                  struct sparse_error *error);
    bool (*to_coo)(const struct sparse_matrix *matrix, struct sparse_coo *coo,
                   struct sparse_error *error); /* without padding; finished */
    void (*multiply_host)(const struct sparse_matrix *matrix, double alpha, const void *x,
                          double beta, void *y);
    bool (*upload)(struct sparse_matrix *matrix); /* fills matrix->device; false: no memory there */
    /* Fills the sizes and matrix->device from a CSR on the device, see sparse_convert.h; all else
     * is set. NULL: CSR itself. */
    bool (*convert)(struct sparse_matrix *matrix, const struct sparse_csr_device *csr,
                    cudaStream_t stream, struct sparse_error *error);
    void (*multiply_device)(const struct sparse_matrix *matrix, double alpha, const void *x,
                            double beta, void *y, cudaStream_t stream);
    void (*drop_device)(struct sparse_matrix *matrix);
    void (*drop)(struct sparse_matrix *matrix); /* the host's side */
};
extern const struct sparse_operations *const sparse_operations[SPARSE_FORMATS];

struct sparse_matrix {
    const struct sparse_operations *operations;
    struct sparse_options options;
    int64_t rows, columns;
    int64_t entries;                 /* of the matrix */
    int64_t stored;                  /* values that the format keeps, padding included */
    size_t value_bytes, index_bytes; /* of the format, on one side */
    void *host, *device; /* the format's own; device is NULL before to_device, host if the matrix
                            was converted on the device */
};

/* The format of that name ("hlg" is HLL), or SPARSE_FORMATS. */
enum sparse_format sparse_format_of(const char *name);

/* Builds the format from a finished matrix. False: it would not fit (the sentence says the size of
 * the padding), or no memory. options NULL: double, all defaults. */
bool sparse_matrix_create(struct sparse_matrix *matrix, enum sparse_format format,
                          const struct sparse_coo *coo, const struct sparse_options *options,
                          struct sparse_error *error);
void sparse_matrix_release(struct sparse_matrix *matrix);

/* Another format in place, through COO; a device copy is dropped. False: the old one stays. A
 * matrix that was converted on the device cannot. */
bool sparse_matrix_change(struct sparse_matrix *matrix, enum sparse_format format,
                          struct sparse_error *error);

bool sparse_matrix_to_coo(const struct sparse_matrix *matrix, struct sparse_coo *coo,
                          struct sparse_error *error);

/* y <- alpha A x + beta y. x has `columns` values and y `rows`, of the matrix's precision; y is not
 * read when beta is 0; A and x are read when alpha is 0, so their NaN and infinities count. On the
 * host with as many OpenMP threads as omp_get_max_threads() says, each with as many entries; the
 * sum of a row has the same order for any number of threads (except CSC's). x and y must not
 * overlap, or the program ends. */
void sparse_multiply(const struct sparse_matrix *matrix, double alpha, const void *x, double beta,
                     void *y);

/* Copies the format to the current device. False: no memory there. */
bool sparse_matrix_to_device(struct sparse_matrix *matrix, struct sparse_error *error);

/* As sparse_multiply, device pointers, asynchronous. */
void sparse_multiply_device(const struct sparse_matrix *matrix, double alpha, const void *x,
                            double beta, void *y, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
