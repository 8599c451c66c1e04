/* format.h: what a format is, and what the formats share: values of two precisions, offsets,
 * memory.
 *
 *     struct spmv_coo --create--> struct spmv_matrix --operations--> csr | ell | hll | ...
 *                                       |      ^ to_coo                 host and device
 *                                   multiply_host, to_device, multiply_device
 *
 * The State pattern of Fanfarillo 2016, 3.2, in C: `operations` is the state, and
 * spmv_matrix_change replaces it in place. A format is one table of functions in a file of its own.
 */
#ifndef SPMV_FORMATS_FORMAT_H
#define SPMV_FORMATS_FORMAT_H

#include <datamotion/spmv.h>

#include "common/error.h"
#include "common/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sparse_csr_device;

struct spmv_operations {
    const char *name; /* "csr"; on a device HLL is called "hlg" in figures, as in the thesis */
    const char *meaning;
    /* Bytes that the format of this matrix needs: values, indices. Called before build. */
    void (*size)(const struct spmv_coo *coo, const struct spmv_options *options,
                 size_t *value_bytes, size_t *index_bytes, int64_t *stored);
    /* After an error here, in upload and in convert the caller drops what there is. */
    enum dm_status (*build)(struct spmv_matrix *matrix, const struct spmv_coo *coo);
    /* Without padding; finished. */
    enum dm_status (*to_coo)(const struct spmv_matrix *matrix, struct spmv_coo *coo);
    enum dm_status (*multiply_host)(const struct spmv_matrix *matrix, double alpha, const void *x,
                                    double beta, void *y);
    enum dm_status (*upload)(struct spmv_matrix *matrix); /* fills matrix->device */
    /* Fills the sizes and matrix->device from a CSR on the device; all else is set. NULL: CSR
     * itself. */
    enum dm_status (*convert)(struct spmv_matrix *matrix, const struct sparse_csr_device *csr,
                              cudaStream_t stream);
    enum dm_status (*multiply_device)(const struct spmv_matrix *matrix, double alpha, const void *x,
                                      double beta, void *y, cudaStream_t stream);
    void (*drop_device)(struct spmv_matrix *matrix);
    void (*drop)(struct spmv_matrix *matrix); /* the host's side */
};

/* By enum spmv_format. */
extern const struct spmv_operations *const sparse_operations[SPMV_FORMATS];
extern const struct spmv_operations sparse_coo_operations, sparse_csr_operations,
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
static inline double sparse_value_at(const void *values, enum spmv_precision precision, int64_t k)
{
    return precision == SPMV_DOUBLE ? ((const double *)values)[k] : ((const float *)values)[k];
}

static inline void sparse_value_set(void *values, enum spmv_precision precision, int64_t k,
                                    double value)
{
    if (precision == SPMV_DOUBLE)
        ((double *)values)[k] = value;
    else
        ((float *)values)[k] = (float)value;
}

static inline bool sparse_starts_are_wide(const struct spmv_options *options, int64_t end)
{
    return options->wide_starts || end > INT32_MAX;
}

/* The first entry of a finished list that is in `row` or behind it; `entries` if there is none. */
int64_t sparse_first_entry(const struct spmv_coo *coo, int64_t row);

/* The bytes of `count` + 1 offsets up to `end`, and the array itself, not filled. */
size_t sparse_starts_bytes(const struct spmv_options *options, int64_t count, int64_t end);
enum dm_status sparse_starts_open(struct sparse_starts *starts, const struct spmv_options *options,
                                  int64_t count, int64_t end);

/* Host memory for `count` elements, at least one, into the pointer at `memory`, which is NULL after
 * an error; not cleared, or zeros. Freed by free. */
enum dm_status sparse_host_memory(void *memory, int64_t count, size_t each);
enum dm_status sparse_host_zeros(void *memory, int64_t count, size_t each);

/* DM_NO_MEMORY: the format, whose sizes are set, is larger than the limit of the options or the
 * machine's memory. */
enum dm_status sparse_matrix_fits(const struct spmv_matrix *matrix);

/* The status of what put a format on the device: for lack of memory the sentence names the format
 * and its size. */
enum dm_status sparse_on_device(enum dm_status status, const struct spmv_matrix *matrix);

/* Memory of the current device (bytes may be 0), into the pointer at `device`; and with a copy of
 * host memory. The pointer is NULL after an error. Freed by sparse_device_release. */
enum dm_status sparse_device_memory(void *device, size_t bytes);
enum dm_status sparse_device_copy(void *device, const void *host, size_t bytes);
void sparse_device_release(void *device);

/* A copy between host and device that has arrived for all streams. */
enum dm_status sparse_copy(void *to, const void *from, size_t bytes);

/* ---- kernels that several formats use (shared.cu) ---- */

/* y <- beta y, zeros for beta 0 whatever y was. */
enum dm_status sparse_scale_launch(enum spmv_precision precision, int64_t rows, double beta,
                                   void *y, cudaStream_t stream);

/* y <- y + alpha A x for entries in ascending order of rows; device pointers. */
enum dm_status sparse_coo_launch(enum spmv_precision precision, int64_t entries, const int32_t *row,
                                 const int32_t *column, const void *value, double alpha,
                                 const void *x, void *y, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
