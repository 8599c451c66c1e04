/* spmv.h: products of a sparse matrix and a vector on the CPU, on the GPU, and on both together.
 * Link with -ldatamotion-spmv (pkg-config datamotion-spmv).
 *
 *     Matrix Market file --read--.
 *     entries, one by one  --add--+-> list of entries --create--> matrix in a format --> products
 *                                     (COO)           <--to_coo--  host and device
 *
 * Rows, columns and entries count from 0. Functions that change an object, or write y, must not run
 * at the same time as others with the same object; everything else may. Products on the host use as
 * many OpenMP threads as omp_get_max_threads() says.
 *
 * Errors are reported as datamotion/status.h says. What uses the device can also fail with DM_LOST,
 * if the device was lost, and DM_FAILED; what was opened can be closed then. Source: Fanfarillo,
 * Parallel programming techniques for heterogeneous exascale computing platforms (University of
 * Rome Tor Vergata, 2016), chapters 2 and 3. */
#ifndef DATAMOTION_SPMV_H
#define DATAMOTION_SPMV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a matrix as a list of entries ----
 *
 * The hub between files, programs that assemble matrices, and formats. */

/* There may be more than 2^31 entries. All members zero: an empty list, which may be closed. */
struct spmv_coo {
    int64_t rows, columns; /* 1 .. 2^31 - 1 */
    int64_t entries;
    int32_t *row, *column; /* `entries` each */
    double *value;
    int64_t capacity;
    int64_t duplicates; /* entries that spmv_coo_finish added to others of the same place */
};

/* A matrix without entries, with room for `entries`. DM_INVALID: a size is out of range;
 * DM_NO_MEMORY. The list is empty after an error. */
DM_API enum dm_status spmv_coo_open(struct spmv_coo *coo, int64_t rows, int64_t columns,
                                    int64_t entries);

/* Appends an entry; makes room when needed. DM_INVALID: the place is outside the matrix;
 * DM_NO_MEMORY. */
DM_API enum dm_status spmv_coo_add(struct spmv_coo *coo, int64_t row, int64_t column, double value);

/* Sorts by row, then by column, and adds up entries of one place (they are counted). All functions
 * that take a list require it to be finished. DM_NO_MEMORY: there is none for a second list. */
DM_API enum dm_status spmv_coo_finish(struct spmv_coo *coo);

DM_API void spmv_coo_close(struct spmv_coo *coo);

/* Makes `part` the rows [first, first + count) as a matrix of their own, with all columns.
 * DM_INVALID: there are no such rows; DM_NO_MEMORY. `part` is empty after an error. */
DM_API enum dm_status spmv_coo_rows(struct spmv_coo *part, const struct spmv_coo *coo,
                                    int64_t first, int64_t count);

/* DM_INVALID if floats cannot hold all values: the sentence names the first that is too large. */
DM_API enum dm_status spmv_coo_fits_float(const struct spmv_coo *coo);

/* ---- Matrix Market files, plain or compressed with gzip ----
 *
 * Format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
 * Coordinate and array files; fields real, integer, pattern (all ones), but not complex; symmetries
 * general, symmetric, skew-symmetric, hermitian (of real values: as symmetric). Comments and blank
 * lines may stand anywhere before and between the entries. */

/* Reads line by line, so that the file may be larger than memory beside the matrix. The list is
 * finished; what symmetry implies is stored, zeros of an array file are not.
 *
 * DM_INVALID: `FILE: line 17: expected a column from 1 to 20, found 21`, also for numbers that are
 * not finite, entries above the diagonal where the symmetry implies them, and sizes that the file
 * or the memory of this machine cannot hold, before memory is taken. DM_FAILED: the file cannot be
 * read. DM_NO_MEMORY. The list is empty after an error. */
DM_API enum dm_status spmv_market_read(struct spmv_coo *coo, const char *path);

/* The same from `bytes` of memory; `name` stands in messages. */
DM_API enum dm_status spmv_market_parse(struct spmv_coo *coo, const char *text, size_t bytes,
                                        const char *name);

/* Writes `coordinate real general` with 17 significant digits; compressed if the path ends in .gz.
 * Lines of `comment` (NULL: none) come first. The file appears under its name when it is complete;
 * an unfinished one is removed. DM_INVALID: a value is not finite, or something else than a file
 * has the name; DM_FAILED: the file cannot be written; DM_NO_MEMORY. */
DM_API enum dm_status spmv_market_write(const struct spmv_coo *coo, const char *path,
                                        const char *comment);

/* ---- formats ---- */

enum spmv_precision { SPMV_FLOAT, SPMV_DOUBLE };
#define spmv_value_bytes(precision) ((precision) == SPMV_DOUBLE ? sizeof(double) : sizeof(float))

enum spmv_format {
    SPMV_COO, /* value, row, column of each entry */
    SPMV_CSR, /* rows compressed: where each begins */
    SPMV_CSC, /* columns compressed */
    SPMV_ELL, /* a rectangle as wide as the longest row, padded with zeros that are computed */
    SPMV_ELG, /* the same and the length of each row: padding is skipped */
    SPMV_HLL, /* "hacks" of rows, each a rectangle as wide as its longest row, row lengths */
    SPMV_HYB, /* ELL for the usual length of rows, COO for the rest (Bell and Garland) */
    SPMV_FORMATS
};

/* "coo", "csr", ..., and a few words about it; "unknown" and "" if there is no such format. */
DM_API const char *spmv_format_name(enum spmv_format format);
DM_API const char *spmv_format_meaning(enum spmv_format format);

/* The format of that name, or SPMV_FORMATS. "hlg", as HLL on a device is called in the thesis, is
 * SPMV_HLL. */
DM_API enum spmv_format spmv_format_of(const char *name);

struct spmv_options {
    enum spmv_precision precision;
    int hack_rows;       /* rows of a hack of HLL, a multiple of 32; 0: 32 */
    size_t memory_limit; /* a format that needs more bytes is an error; 0: the machine's memory */
    bool wide_starts;    /* 64-bit row starts even where 32 bits would do */
};

struct spmv_operations; /* the functions of a format */

/* Members may be read, and are changed by the functions below alone. All members zero: no matrix,
 * which may be released. */
struct spmv_matrix {
    const struct spmv_operations *operations;
    struct spmv_options options;
    int64_t rows, columns;
    int64_t entries;                 /* of the matrix */
    int64_t stored;                  /* values that the format keeps, padding included */
    size_t value_bytes, index_bytes; /* of the format, on one side */
    void *host, *device; /* the format's own; device is NULL before spmv_matrix_to_device, host if
                            the matrix was converted on the device */
};

/* Builds the format from a finished list, of which nothing is referred to afterwards. options NULL:
 * double precision, all defaults. DM_NO_MEMORY: the format would not fit, and the sentence says how
 * much of it is padding; DM_INVALID: no such format, or hack_rows is invalid. */
DM_API enum dm_status spmv_matrix_create(struct spmv_matrix *matrix, enum spmv_format format,
                                         const struct spmv_coo *coo,
                                         const struct spmv_options *options);
DM_API void spmv_matrix_release(struct spmv_matrix *matrix);

/* Another format in place, through COO; a copy on the device is dropped. Errors as above, and
 * DM_INVALID for a matrix that was converted on the device. The old format stays after an error. */
DM_API enum dm_status spmv_matrix_change(struct spmv_matrix *matrix, enum spmv_format format);

/* The entries without padding, as a finished list. DM_INVALID: the matrix was converted on the
 * device; DM_NO_MEMORY. */
DM_API enum dm_status spmv_matrix_to_coo(const struct spmv_matrix *matrix, struct spmv_coo *coo);

/* Copies the format to the current device. DM_NO_MEMORY: it does not fit there; DM_FAILED. */
DM_API enum dm_status spmv_matrix_to_device(struct spmv_matrix *matrix);

/* Makes `to` the matrix of `from`, a CSR that lies on the current device, in another format, with
 * from's options. Its arrays are, bit for bit, those that spmv_matrix_create and
 * spmv_matrix_to_device give; it has no host side, so it can be multiplied on the device and
 * released, and that is all. The work is done on the stream and complete on return; the host waits
 * for it at most twice.
 *
 * A matrix that is assembled or already used on a GPU need not go back to be rearranged: over the
 * bus that takes hundreds of products, here it takes a few.
 *
 * DM_INVALID: `from` is no CSR on the device; DM_NO_MEMORY: the format does not fit; DM_FAILED.
 * `to` is empty after an error. */
DM_API enum dm_status spmv_matrix_convert_device(struct spmv_matrix *to, enum spmv_format format,
                                                 const struct spmv_matrix *from,
                                                 cudaStream_t stream);

/* ---- products ---- */

/* y <- alpha A x + beta y on the host. x has `columns` values and y `rows`, of the matrix's
 * precision; y is not read when beta is 0; A and x are read when alpha is 0, so their NaN and
 * infinities count. Each thread takes as many entries; the sum of a row has the same order for any
 * number of threads (except CSC's). DM_INVALID: x and y overlap, or the matrix lies on the device
 * alone; DM_NO_MEMORY: CSC alone, whose threads need memory. */
DM_API enum dm_status spmv_multiply(const struct spmv_matrix *matrix, double alpha, const void *x,
                                    double beta, void *y);

/* The same with device pointers; asynchronous. DM_INVALID: x and y overlap, or the matrix does not
 * lie on the device; DM_FAILED: a kernel cannot be launched. */
DM_API enum dm_status spmv_multiply_device(const struct spmv_matrix *matrix, double alpha,
                                           const void *x, double beta, void *y,
                                           cudaStream_t stream);

/* ---- one product on CPU and GPU together ----
 *
 * The CPU has the first rows in CSR, the GPU the others in a format of its own, and between two
 * products each gets the elements of x that the other has computed (Fanfarillo 2016, 3.2):
 *
 *        host threads: rows [0, c)             GPU: rows [c, n)
 *        x[0, c) own, halo from the GPU  <==>  x[c, n) own, halo from the CPU
 *                       page-locked buffers, both ways at once */

struct spmv_hybrid;

/* Cuts a square matrix after cpu_rows rows (0: GPU alone; all: CPU alone). DM_INVALID: the matrix
 * is not square, or there is no such cut; DM_NO_MEMORY; DM_FAILED. *hybrid is NULL after an error.
 */
DM_API enum dm_status spmv_hybrid_open(struct spmv_hybrid **hybrid, const struct spmv_coo *coo,
                                       int64_t cpu_rows, enum spmv_format gpu_format,
                                       const struct spmv_options *options);

/* Sets x, `rows` values of the matrix's precision. DM_FAILED: a copy failed, as in the next two. */
DM_API enum dm_status spmv_hybrid_set(struct spmv_hybrid *hybrid, const void *x);

/* y <- A x, then x <- y, `times` (at least 1) times, with the exchange before each product; waits
 * for the end. threads: of the CPU's part. The matrix should have a norm near 1, or values run
 * away. */
DM_API enum dm_status spmv_hybrid_run(struct spmv_hybrid *hybrid, int times, int threads);

/* y of the last product (x, if there was none), `rows` values, without changing it. */
DM_API enum dm_status spmv_hybrid_result(struct spmv_hybrid *hybrid, void *y);

/* Elements that cross the bus for one product, each way, and times of the parts in the last run (s
 * per product; 0 for a part that is not there). */
struct spmv_hybrid_report {
    int64_t to_device_elements, from_device_elements;
    double cpu_s, gpu_s, exchange_s;
};
DM_API struct spmv_hybrid_report spmv_hybrid_report(const struct spmv_hybrid *hybrid);

DM_API void spmv_hybrid_close(struct spmv_hybrid *hybrid);

/* ---- how many rows the CPU gets, and how many the GPU, so that both end at the same time ----
 *
 *     install-time samples --fit--> models --split--> rows of the CPU, rows of the GPU
 *
 * Source: Fanfarillo 2016, 3.3.1. No function measures anything or keeps any state. */

/* Times of products of `count` sizes, ascending in rows. */
struct spmv_split_samples {
    size_t count;
    const double *rows, *time_s;
};

/* t = slope rows + offset; residuals of the fit. */
struct spmv_split_line {
    double slope, offset;
    double squared_error; /* sum of squared residuals, s^2 */
    double r2;
    double largest_relative_residual;
};

/* Least squares. DM_INVALID: fewer than two different sizes, sizes that do not ascend, or values
 * that are no times. */
DM_API enum dm_status spmv_split_fit_line(const struct spmv_split_samples *samples,
                                          struct spmv_split_line *line);

/* What moves between host and device for one product, added to the GPU's time: bytes of the larger
 * part's halo (thesis: 8 N^2 for N^3 rows, one plane each way). Both ways are used at once, so the
 * slower one counts. A rate of 0: that way costs nothing; without a halo the bus costs nothing. */
struct spmv_split_bus {
    double to_device_bytes_per_s, from_device_bytes_per_s, latency_s;
};
DM_API double spmv_split_bus_time(const struct spmv_split_bus *bus, double halo_elements);

struct spmv_split_models {
    struct spmv_split_line gpu;
    struct spmv_split_line cpu_line;       /* linear algorithm */
    struct spmv_split_samples cpu_samples; /* iterative and hybrid: linear between two samples */
    struct spmv_split_bus bus;
    double halo_elements; /* of one product */
};

/* Time of the models in s: cpu by the line or between the samples (beyond them: the last slope);
 * gpu with the bus. NaN where there are no samples. */
DM_API double spmv_split_cpu_line_time(const struct spmv_split_models *models, double rows);
DM_API double spmv_split_cpu_time(const struct spmv_split_models *models, double rows);
DM_API double spmv_split_gpu_time(const struct spmv_split_models *models, double rows);

/* Share of the sampled sizes up to `rows`, and `rows` itself, at which the GPU is faster; 1: over
 * the whole range, as the iterative algorithm of the thesis requires; 0: nowhere. */
DM_API double spmv_split_gpu_faster(const struct spmv_split_models *models, double rows);

struct spmv_split {
    int64_t cpu_rows, gpu_rows; /* sum: rows */
    double predicted_s;
    int steps;        /* of the iterative algorithm */
    const char *note; /* what the user should know: clamped, GPU slower than CPU, ...; or NULL */
};

/* With keep_both each device keeps at least one row, by the rule of the thesis, so that hybrid
 * behaviour can be observed. Without, one device gets all rows where that is predicted to be faster
 * than the split, as then nothing crosses the bus. Where the models do not tell (a slope that is
 * not above 0, samples that are no times), the faster device gets all it may, and the note says
 * why. */

/* The CPU's rows for which both lines give the same time: x1 = (a2 r + b2 - b1) / (a1 + a2), b2
 * with the bus; neither rounded nor within [0, r]. */
DM_API double spmv_split_linear_rows(const struct spmv_split_models *models, double rows);
DM_API struct spmv_split spmv_split_linear(const struct spmv_split_models *models, int64_t rows,
                                           bool keep_both);

/* One step of the iterative algorithm, for figure 3-1. */
struct spmv_split_step {
    double level_s; /* common time tried */
    double cpu_rows, gpu_rows;
    double imbalance; /* (cpu_rows + gpu_rows - rows) / rows */
};

/* Bisection of the common time level, to half a row; `steps`, if not NULL, gets up to step_limit.
 */
DM_API struct spmv_split spmv_split_iterative(const struct spmv_split_models *models, int64_t rows,
                                              bool keep_both, struct spmv_split_step *steps,
                                              int step_limit);

/* Install time: optimal times of the iterative algorithm over sizes, and a model of them (a power
 * law or a line, whichever has the smaller relative residuals); run time: two equations. */
struct spmv_split_optimum {
    struct spmv_split_line line;
    double factor, exponent; /* t = factor rows^exponent */
    bool is_power;
};

/* halo_elements: of each size; NULL: that of the models for all. DM_INVALID: fewer than two
 * different sizes of at least 2 rows in ascending order, or models that do not tell; DM_NO_MEMORY.
 */
DM_API enum dm_status spmv_split_learn_optimum(const struct spmv_split_models *models,
                                               const double *sizes, const double *halo_elements,
                                               size_t count, struct spmv_split_optimum *optimum);
DM_API double spmv_split_optimal_time(const struct spmv_split_optimum *optimum, double rows);

/* The CPU alone is not considered without keep_both: its model is not needed any more. */
DM_API struct spmv_split spmv_split_hybrid(const struct spmv_split_models *models,
                                           const struct spmv_split_optimum *optimum, int64_t rows,
                                           bool keep_both);

#ifdef __cplusplus
}
#endif
#endif
