/* summa.h: C = A B by SUMMA, every image with a GPU (Fanfarillo 2016, 7.2.2).
 *
 * The images form a grid. Image (r, c) has block (r, c) of each matrix, on its GPU: rows r of the
 * grid's cuts and columns c. The inner dimension is walked in panels: for each, an image gets the
 * rows of A that it needs from the image of its grid row that has them, the columns of B from one
 * of its grid column, and adds their product to its block of C:
 *
 *     for each panel k     C(r, c) += A(r, k) B(k, c)
 *
 * The next panels come while the GPU multiplies. A and C lie by columns, B by rows, so that a panel
 * is one contiguous block. */
#ifndef COARRAYS_HETERO_SUMMA_H
#define COARRAYS_HETERO_SUMMA_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/status.h>

enum summa_variant {
    SUMMA_MPI,        /* the owner sends: GPU, pageable memory, MPI, pageable memory, GPU */
    SUMMA_MPI_PINNED, /* the same through page-locked memory */
    SUMMA_CAF_PIN,    /* A and B in mapped coarrays; panels are copied to the GPU's memory */
    SUMMA_CAF_UM,     /* A and B in managed coarrays, panels and C in managed memory */
    SUMMA_CAF_DEVICE, /* A and B in coarrays of device memory */
    SUMMA_VARIANTS
};

enum { SUMMA_ROW, SUMMA_COLUMN };

struct summa_layout {
    int order;    /* of the matrices */
    int block;    /* widest panel */
    int grid[2];  /* images: rows, columns */
    int place[2]; /* this image's */
};

/* `images` as a grid that is as square as possible, and the place of `image` (from 1). */
struct summa_layout summa_layout(int order, int block, int images, int image);

/* The first row (column) of block `i` of `parts`; block `parts` begins at the order. */
int summa_begin(int order, int parts, int i);

/* Rows (SUMMA_ROW) or columns (SUMMA_COLUMN) of this image's block, and the first of them. */
int summa_count(const struct summa_layout *layout, int dimension);
int summa_first(const struct summa_layout *layout, int dimension);

/* The inner dimension's [begin, end): at most `block` wide and within one block of A's columns and
 * one of B's rows, which are those of grid column `a_owner` and grid row `b_owner`. Empty at the
 * end of the matrix. */
struct summa_panel {
    int begin, end;
    int a_owner, b_owner;
};
struct summa_panel summa_panel(const struct summa_layout *layout, int begin);

struct summa;

/* Collective, as summa_destroy and summa_run. The image's blocks, A by columns and B by rows, are
 * copied. DM_NO_MEMORY, or as the call of CUDA, MPI or the coarray library that failed; after that
 * only summa_destroy is left. */
enum dm_status summa_create(struct summa **summa, enum summa_variant variant,
                            const struct summa_layout *layout, const double *a, const double *b);
void summa_destroy(struct summa *summa);

/* One product; without `multiply` only the panels come. *time_s: the seconds on this image until
 * the GPU is done, from a synchronisation on that makes A and B known to the other images. */
enum dm_status summa_run(struct summa *summa, bool multiply, double *time_s);

/* This image's block of C, by columns; NaN before the first product. */
enum dm_status summa_result(const struct summa *summa, double *c);

#endif
