/* summa_internal.h: what the files of summa.h share. */
#ifndef COARRAYS_HETERO_SUMMA_INTERNAL_H
#define COARRAYS_HETERO_SUMMA_INTERNAL_H

#include <mpi.h>

#include "common/memory.h"

#include "accelerated.h"
#include "summa.h"
#include "summa_product.h"

/* The panels that are multiplied and those that come meanwhile. */
enum { SUMMA_SLOTS = 2 };

/* A or B. */
struct summa_operand {
    int along;                      /* A's panels come from images of the grid row: SUMMA_COLUMN */
    int lines;                      /* elements of a panel for each index of the inner dimension */
    double *block;                  /* this image's part, as the GPU addresses it */
    struct accelerated *coarray;    /* of it, or NULL: then memory of the GPU */
    double *panel[SUMMA_SLOTS];     /* GPU memory for what comes */
    double *staging[SUMMA_SLOTS];   /* MPI: host memory for it */
    const double *use[SUMMA_SLOTS]; /* where the panel is: panel[], or within block */
};

struct summa {
    enum summa_variant variant;
    struct summa_layout layout;
    struct summa_operand operands[2];
    double *c;
    struct summa_product *product;
    cudaStream_t copies, products;
    cudaEvent_t ready[SUMMA_SLOTS]; /* the panels are there */
    cudaEvent_t done[SUMMA_SLOTS];  /* and multiplied */
    MPI_Request *requests;          /* of one fetch, for all images of the row and the column */
    int request_count;
};

/* The owner of the panel, as a place along the operand's dimension, and the panel's first index
 * within the owner's block. */
static inline int summa_owner(const struct summa_operand *operand, const struct summa_panel *panel)
{
    return operand->along == SUMMA_COLUMN ? panel->a_owner : panel->b_owner;
}
static inline size_t summa_offset(const struct summa *summa, const struct summa_operand *operand,
                                  const struct summa_panel *panel)
{
    int parts = summa->layout.grid[operand->along];
    int first = summa_begin(summa->layout.order, parts, summa_owner(operand, panel));
    return (size_t)(panel->begin - first) * (size_t)operand->lines;
}
static inline size_t summa_length(const struct summa_operand *operand,
                                  const struct summa_panel *panel)
{
    return (size_t)(panel->end - panel->begin) * (size_t)operand->lines;
}

/* The image at place `i` along the operand's dimension of this image's row or column; from 1. */
static inline int summa_image(const struct summa *summa, const struct summa_operand *operand, int i)
{
    int place[2] = {summa->layout.place[SUMMA_ROW], summa->layout.place[SUMMA_COLUMN]};
    place[operand->along] = i;
    return place[SUMMA_ROW] * summa->layout.grid[SUMMA_COLUMN] + place[SUMMA_COLUMN] + 1;
}

/* Brings the panels into a slot: started on the stream `copies` when it returns. */
enum dm_status summa_fetch_caf(struct summa *summa, const struct summa_panel *panel, int slot);
enum dm_status summa_fetch_mpi(struct summa *summa, const struct summa_panel *panel, int slot);

#endif
