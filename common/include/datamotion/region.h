/* region.h: a loop to be offloaded, whose iterations read and write windows of slices of arrays.
 *
 * The description is what the pipeline directive of Cui (chapters 3 and 4) says about a loop: its
 * range, and for each array the split dimension, the window that one iteration needs and the
 * direction of the copy. It says nothing about how the loop is executed; pipeline/, unified_memory/
 * and blp/ do that in different ways, with the same kernels. */
#ifndef DATAMOTION_REGION_H
#define DATAMOTION_REGION_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/slices.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DM_REGION_ARRAYS = 8, DM_REGION_NO_SWAP = -1 };

enum dm_region_direction {
    DM_REGION_SCRATCH = 0, /* lives on the device only; kernels write it before they read it */
    DM_REGION_TO = 1,
    DM_REGION_FROM = 2,
    DM_REGION_TOFROM = 3
};

enum dm_region_split {
    DM_REGION_WHOLE,  /* on the device from the first iteration to the last: one slice */
    DM_REGION_ROWS,   /* slices lie one after the other in memory: contiguous copies */
    DM_REGION_COLUMNS /* a slice is a panel of columns of a row-major matrix: pitched 2-D copies */
};

struct dm_region_array {
    const char *name;
    void *host; /* NULL for DM_REGION_SCRATCH */
    enum dm_region_direction direction;
    enum dm_region_split split;
    long slices;        /* slices in the array; 1 for DM_REGION_WHOLE */
    size_t slice_bytes; /* DM_REGION_COLUMNS: bytes of a panel in one row */
    size_t rows;        /* DM_REGION_COLUMNS: rows of the matrix; else 1 */
    size_t
        pitch_bytes; /* DM_REGION_COLUMNS: bytes from one row to the next in host memory; else 0 */
    /* Iteration i touches the slices [i + offset, i + offset + length). What is copied back is
     * written by one iteration only: length 1 for DM_REGION_FROM and DM_REGION_TOFROM. */
    long offset, length;
};

struct dm_region;

/* Enqueues the kernels of iterations [begin, end) on the stream. views[a] is array a as it lies on
 * the device; slices outside the windows of these iterations must not be touched. Every element of
 * the slices that are copied back must be written, borders included. */
typedef cudaError_t dm_region_launch(const struct dm_region *region, const struct dm_slices *views,
                                     long begin, long end, cudaStream_t stream);

struct dm_region {
    const char *name;
    long begin, end; /* iterations of the loop */
    struct dm_region_array arrays[DM_REGION_ARRAYS];
    int array_count;
    /* The kernels of an iteration need results of earlier iterations (in scratch or whole arrays):
     * chunks are computed one after the other. */
    bool ordered;
    dm_region_launch *launch;
    const void *context; /* the launch function's own; must outlive the region */
    dim3 block;          /* threads of a block for launch; {0, 0, 0}: its default */

    /* An outer loop around the region. After each of its rounds but the last the host pointers of
     * the arrays swap[0] (DM_REGION_TO) and swap[1] (DM_REGION_FROM), of the same shape, are
     * swapped, unless DM_REGION_NO_SWAP; then `between` is called, if not NULL, with all results of
     * the round in host memory. The region itself keeps the pointers of the first round. */
    long rounds;
    int swap[2];
    void (*between)(const struct dm_region *region, long round, void *context);
    void *between_context;
};

/* A region with one round, no swap and no arrays. */
DM_API struct dm_region dm_region_make(const char *name, long begin, long end,
                                       dm_region_launch *launch, const void *context);

/* Adds an array and returns its index. Arrays beyond DM_REGION_ARRAYS are counted but not kept:
 * dm_region_check reports them. */
DM_API int dm_region_add(struct dm_region *region, struct dm_region_array array);

/* DM_OK if the region makes sense, else DM_INVALID with a sentence that says which array is wrong,
 * how, and what is needed: too many arrays, no iterations, windows that leave the array (also:
 * arrays of too few slices for the loop), windows of length < 1, results that overlap, no host
 * memory, host memory of two arrays that overlaps while one is written, a swap of unequal arrays.
 */
DM_API enum dm_status dm_region_check(const struct dm_region *region);

/* Host memory of an array in a round, with the swaps so far. */
DM_API void *dm_region_host(const struct dm_region *region, int array, long round);

/* The slices [*first, *last_end) of an array that iterations [begin, end) touch. Whole arrays:
 * [0, 1). */
DM_API void dm_region_window(const struct dm_region_array *array, long begin, long end, long *first,
                             long *last_end);

/* Bytes of one slice on the device: slice_bytes * rows. */
DM_API size_t dm_region_slice_size(const struct dm_region_array *array);

/* Bytes that must be copied to (DM_REGION_TO) or from (DM_REGION_FROM) the device in one round,
 * each slice in the windows counted once. */
DM_API size_t dm_region_bytes(const struct dm_region *region, enum dm_region_direction direction);

/* Bytes of all arrays as a whole: what an execution without ring buffers needs on the device. */
DM_API size_t dm_region_footprint(const struct dm_region *region);

/* The view of an array that lies as a whole at `device`. pitch_bytes is that of the device's memory
 * (DM_REGION_COLUMNS), else 0. */
DM_API struct dm_slices dm_region_whole_view(const struct dm_region_array *array, void *device,
                                             size_t pitch_bytes);

#ifdef __cplusplus
}
#endif
#endif
