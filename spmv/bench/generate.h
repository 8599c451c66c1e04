/* generate.h: matrices of known structure, the same for a seed on every machine.
 *
 * A matrix is named `kind:size` or `kind:size:parameter`, or is the path of a Matrix Market file.
 * The absolute values of a row of a generated matrix add up to 1 at most, so that the vectors of
 * iterated products neither run away nor vanish quickly. */
#ifndef SPMV_BENCH_GENERATE_H
#define SPMV_BENCH_GENERATE_H

#include <datamotion/spmv.h>

struct sparse_generator {
    const char *name;    /* "pde" */
    const char *meaning; /* with what size and parameter are */
    double parameter;    /* the default; NAN: there is none */
    enum dm_status (*generate)(struct spmv_coo *coo, int64_t size, double parameter, uint64_t seed);
};
/* Ended by {0}. pde (N^3 rows, advection-diffusion on the unit cube, centred differences, Dirichlet
 * boundary, at most 7 entries per row), point5 (2-D, N^2 rows), point7, point27 (3-D), banded
 * (parameter: half width, whole), fem (3 x 3 blocks on a 3-D mesh of N^3 nodes), power (row lengths
 * by a power law, parameter: mean length), dense_row (one full row in a diagonal-like matrix),
 * empty_rows (every parameter-th row has entries), random (uniform, parameter: mean length),
 * varied (mean length 32, parameter: coefficient of variation of the row lengths), rectangular
 * (twice as many columns as rows), diagonal. */
extern const struct sparse_generator sparse_generators[];

/* The matrix of that name; or the file. DM_INVALID: unknown kind (the sentence lists them), or an
 * invalid size. */
enum dm_status sparse_matrix_of(struct spmv_coo *coo, const char *name, uint64_t seed);

/* Whether a matrix may have that name, found out at once: its kind, and whether SIZE and PARAMETER
 * are numbers, or that the file is there. DM_INVALID as above. */
enum dm_status sparse_matrix_is_name(const char *name);

/* The rows [first, first + count) of a pde matrix of edge N, without building the rest. */
enum dm_status sparse_generate_pde_rows(struct spmv_coo *coo, int64_t edge, int64_t first,
                                        int64_t count);

#endif
