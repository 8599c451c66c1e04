/* region.h: a loop to be offloaded, whose iterations read and write windows of slices of arrays.
 *
 * The description is what the pipeline directive of Cui (chapters 3 and 4) says about a loop: its
 * range, and for each array the split dimension, the window that one iteration needs and the
 * direction of the copy. It says nothing about how the loop is executed; pipeline/, unified_memory/
 * and blp/ do that in different ways, with the same kernels. */
#ifndef COMMON_REGION_H
#define COMMON_REGION_H

#include <stdbool.h>
#include <stddef.h>

#include "common/workloads/slices.h"

#include "gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REGION_ARRAYS = 8, REGION_NO_SWAP = -1 };

enum region_direction {
    REGION_SCRATCH = 0, /* lives on the device only; kernels write it before they read it */
    REGION_TO = 1,
    REGION_FROM = 2,
    REGION_TOFROM = 3
};

enum region_split {
    REGION_WHOLE,  /* on the device from the first iteration to the last: one slice */
    REGION_ROWS,   /* slices lie one after the other in memory: contiguous copies */
    REGION_COLUMNS /* a slice is a panel of columns of a row-major matrix: pitched 2-D copies */
};

struct region_array {
    const char *name;
    void *host; /* NULL for REGION_SCRATCH */
    enum region_direction direction;
    enum region_split split;
    long slices;        /* slices in the array; 1 for REGION_WHOLE */
    size_t slice_bytes; /* REGION_COLUMNS: bytes of a panel in one row. A multiple of 4 */
    size_t rows;        /* REGION_COLUMNS: rows of the matrix; else 1 */
    size_t pitch_bytes; /* REGION_COLUMNS: bytes from one row to the next in host memory; else 0 */
    /* Iteration i touches the slices [i + offset, i + offset + length). What is copied back is
     * written by one iteration only: length 1 for REGION_FROM and REGION_TOFROM. */
    long offset, length;
};

struct region;

/* Enqueues the kernels of iterations [begin, end) on the stream. views[a] is array a as it lies on
 * the device; slices outside the windows of these iterations must not be touched. Every element of
 * the slices that are copied back must be written, borders included. */
typedef cudaError_t region_launch(const struct region *region, const struct slices *views,
                                  long begin, long end, cudaStream_t stream);

struct region {
    const char *name;
    long begin, end; /* iterations of the loop */
    struct region_array arrays[REGION_ARRAYS];
    int array_count;
    /* The kernels of an iteration need results of earlier iterations (in scratch or whole arrays):
     * chunks are computed one after the other. */
    bool ordered;
    region_launch *launch;
    const void *context; /* the launch function's own; must outlive the region */
    dim3 block;          /* threads of a block for launch; {0, 0, 0}: its default */

    /* An outer loop around the region. After each of its rounds but the last the host pointers of
     * the arrays swap[0] (REGION_TO) and swap[1] (REGION_FROM), of the same shape, are exchanged,
     * unless REGION_NO_SWAP; then `between` is called, if not NULL, with all results of the round
     * in host memory. The region itself keeps the pointers of the first round. */
    long rounds;
    int swap[2];
    void (*between)(const struct region *region, long round, void *context);
    void *between_context;
};

/* A region with one round, no swap and no arrays. */
struct region region_make(const char *name, long begin, long end, region_launch *launch,
                          const void *context);

/* Adds an array and returns its index; ends the program when there are REGION_ARRAYS already. */
int region_add(struct region *region, struct region_array array);

/* NULL if the region makes sense, else one sentence that says which array is wrong, how, and what
 * is needed: no iterations, windows that leave the array (also: arrays of too few slices for the
 * loop), windows of length < 1, results that overlap, no host memory, host memory of two arrays
 * that overlaps while one is written, a swap of unequal arrays. The text is the caller's thread's
 * until the next call. */
const char *region_complaint(const struct region *region);

/* Host memory of an array in a round, with the swaps so far. */
void *region_host(const struct region *region, int array, long round);

/* The slices [*first, *end) of an array that iterations [begin, end) touch. Whole arrays: [0, 1).
 */
void region_window(const struct region_array *array, long begin, long end, long *first,
                   long *last_end);

/* Bytes of one slice on the device: slice_bytes * rows. */
size_t region_slice_size(const struct region_array *array);

/* Bytes that must be copied to (REGION_TO) or from (REGION_FROM) the device in one round, each
 * slice in the windows counted once. */
size_t region_bytes(const struct region *region, enum region_direction direction);

/* Bytes of all arrays as a whole: what an execution without ring buffers needs on the device. */
size_t region_footprint(const struct region *region);

/* The view of an array that lies as a whole at `device`. pitch_bytes is that of the device's memory
 * (REGION_COLUMNS), else 0. */
struct slices region_whole_view(const struct region_array *array, void *device, size_t pitch_bytes);

#ifdef __cplusplus
}
#endif
#endif
