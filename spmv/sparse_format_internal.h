/* sparse_format_internal.h: what the formats share: their tables, values of two precisions, memory
 * on the device. */
#ifndef SPMV_SPARSE_FORMAT_INTERNAL_H
#define SPMV_SPARSE_FORMAT_INTERNAL_H

#include "sparse_format.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct sparse_operations sparse_coo_operations, sparse_csr_operations,
    sparse_csc_operations, sparse_ell_operations, sparse_elg_operations, sparse_hll_operations,
    sparse_hyb_operations;

/* Where the rows (or hacks, or columns) of a compressed format begin: count + 1 offsets, 32 bits
 * wide if all of them fit, since they are read with every product. */
struct sparse_starts {
    int64_t count;
    bool is_wide;
    void *offset;
};

static inline int64_t sparse_start(const struct sparse_starts *starts, int64_t i)
{
    return starts->is_wide ? ((const int64_t *)starts->offset)[i]
                           : ((const int32_t *)starts->offset)[i];
}

static inline void sparse_start_set(struct sparse_starts *starts, int64_t i, int64_t offset)
{
    if (starts->is_wide)
        ((int64_t *)starts->offset)[i] = offset;
    else
        ((int32_t *)starts->offset)[i] = (int32_t)offset;
}

/* count * each, or SIZE_MAX where that is more than a size_t holds. */
static inline size_t sparse_bytes(int64_t count, size_t each)
{
    size_t bytes;
    return __builtin_mul_overflow((size_t)count, each, &bytes) ? SIZE_MAX : bytes;
}

/* Value k of an array of either precision. */
static inline double sparse_value_at(const void *values, enum sparse_precision precision, int64_t k)
{
    return precision == SPARSE_DOUBLE ? ((const double *)values)[k] : ((const float *)values)[k];
}

static inline void sparse_value_set(void *values, enum sparse_precision precision, int64_t k,
                                    double value)
{
    if (precision == SPARSE_DOUBLE)
        ((double *)values)[k] = value;
    else
        ((float *)values)[k] = (float)value;
}

static inline bool sparse_starts_are_wide(const struct sparse_options *options, int64_t end)
{
    return options->wide_starts || end > INT32_MAX;
}

/* The bytes of `count` + 1 offsets up to `end`, and the array itself, not filled. False: no memory.
 */
size_t sparse_starts_bytes(const struct sparse_options *options, int64_t count, int64_t end);
bool sparse_starts_open(struct sparse_starts *starts, const struct sparse_options *options,
                        int64_t count, int64_t end);

/* Host memory for `count` elements, at least one, not cleared. NULL: there is not enough. */
void *sparse_host_memory(int64_t count, size_t each);

/* Sets the sentence to what lacks memory and returns false. */
bool sparse_no_memory(const char *what, size_t bytes, struct sparse_error *error);

/* False: the format, whose sizes are set, is larger than the limit of the options or the machine's
 * memory. */
bool sparse_matrix_fits(const struct sparse_matrix *matrix, struct sparse_error *error);

/* Sets the sentence to a format that does not fit on the device and returns false. */
bool sparse_no_device_memory(const struct sparse_matrix *matrix, struct sparse_error *error);

/* Memory of the current device (bytes may be 0); and with a copy of host memory. False: no memory
 * there, and *device is NULL. Freed by sparse_device_release. */
bool sparse_device_memory(void **device, size_t bytes);
bool sparse_device_copy(void **device, const void *host, size_t bytes);
void sparse_device_release(void *device);

/* y <- y + alpha A x on the host for entries in ascending order of rows. All threads of a parallel
 * region call it; each takes as many entries, and no row is shared. */
void sparse_coo_share(enum sparse_precision precision, int64_t entries, const int32_t *row,
                      const int32_t *column, const void *value, double alpha, const void *x,
                      void *y);

/* ---- kernels that several formats use (sparse_shared.cu); they end the program if a launch fails
 * ---- */

/* y <- beta y, zeros for beta 0 whatever y was. */
void sparse_scale_launch(enum sparse_precision precision, int64_t rows, double beta, void *y,
                         cudaStream_t stream);

/* y <- y + alpha A x for entries in ascending order of rows; device pointers. */
void sparse_coo_launch(enum sparse_precision precision, int64_t entries, const int32_t *row,
                       const int32_t *column, const void *value, double alpha, const void *x,
                       void *y, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
