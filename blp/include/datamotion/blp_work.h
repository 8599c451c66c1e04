/* blp_work.h: what a persistent kernel is told, and which slices, units and pieces follow from it.
 * Part of blp_device.h; nothing here is for callers.
 *
 * Terms:
 *   task   `task_size` consecutive iterations, numbered from 0
 *   unit   what one block computes at once: a part of a stage of a task. Stages are the dependent
 *          steps of an iteration; a stage is computed in `parts` parts. Units are in the order of
 *          tasks, then stages, then parts.
 *   group  task_size consecutive slices of an array, counted from the first slice of the window of
 *          task 0. The window of task t lies in the groups t to t + halo.
 *   piece  a share of a group that one copy block moves at once; at most BLP_PIECES per group of a
 *          split array, and BLP_PARTS_MAX of a whole one.
 * Host code plans with the same functions that the kernel uses. */
#ifndef DATAMOTION_BLP_WORK_H
#define DATAMOTION_BLP_WORK_H

#include <datamotion/blp.h>

#ifdef __cplusplus
#define BLP_HOST_DEVICE static inline __host__ __device__
#else
#define BLP_HOST_DEVICE static inline
#endif

/* Of a group. Of a whole array there are up to BLP_PARTS_MAX, enough for each of many small blocks
 * to have one, since the first tasks wait for whole arrays. */
enum { BLP_PIECES = 32 };
enum { BLP_WORD_BITS = 32 };

/* Loads that each thread of a copy block has in flight before it stores. With 8 blocks of 1024
 * threads and 128 bits these are 512 KiB; PCIe 5.0 needs about 110 KiB (55 GB/s for 2 us). */
enum { BLP_LOADS = 4 };

/* Batches of such loads that each thread makes for a piece, so that waiting and raising a flag cost
 * less beside them: about 4 us against 2 us per batch on an H200. On the software GPU threads
 * run one after the other between barriers, which costs more. */
#if defined(SOFTGPU)
enum { BLP_BATCHES = 16 };
#else
enum { BLP_BATCHES = 4 };
#endif

/* An array; vectors are those of the copies, of 4 or 16 bytes. */
struct blp_array {
    void *host;            /* as the device addresses it; NULL for scratch */
    struct dm_slices view; /* first == 0 */
    enum dm_region_direction direction;
    enum dm_region_split split;
    bool ring; /* fewer slots than slices */
    long offset, length;
    long units; /* of a slice: vectors; of DM_REGION_COLUMNS: rows */
    long width; /* DM_REGION_COLUMNS: vectors of a panel in one row; else 1 */
    long
        host_pitch; /* DM_REGION_COLUMNS: vectors from one row to the next in host memory; else 0 */
    long halo;      /* groups of a task's window beyond that of its own number */
    int pieces;     /* of a group */
};

/* Streams on which engines copy in each direction, in turn: while one raises a flag the other one
 * copies on. */
enum { BLP_LANES = 2 };

/* What copy engines and blocks tell one another. Engines copy batches of tasks. A lane's word says
 * how far it got: when batch b is copied it becomes base + b + 1. Words of a round that is over
 * have smaller values, so that nobody has to clear them. */
struct blp_engines {
    bool in, out;      /* the directions that engines copy */
    size_t bytes;      /* of a batch, as requested; 0: chosen */
    long batch;        /* tasks of a batch */
    unsigned base;     /* of this round */
    unsigned *arrived; /* BLP_LANES words, raised behind copies in */
    unsigned *left;    /* BLP_LANES words, raised behind copies out of rings */
    /* Of task t: how many of its last units and copies out are over; when all `ends` are, done[t],
     * in host memory, becomes `run`. NULL: the host need not know. */
    unsigned *ended, *done;
    unsigned ends, run;
};

/* Flags of one kind. With the operation `exchange` a flag has a word per piece, with `or` a bit per
 * piece, else one word that counts pieces. */
struct blp_flags {
    unsigned *words;
    int width; /* words per flag */
    enum blp_write write;
    enum blp_read read;
};

enum blp_counter { BLP_QUEUE, BLP_UNITS_DONE, BLP_SUMS_DONE, BLP_RECORDS, BLP_COUNTERS };

/* A trace entry as the device writes it. Times in ns of the device's clock. */
struct blp_record {
    int block, role, array;
    long task, first, end;
    long long start, ready, finished;
};

struct blp_work {
    struct blp_array arrays[DM_REGION_ARRAYS];
    int array_count;
    long begin, end, task_size, tasks;
    int parts, stages;
    int blocks, in_blocks, out_blocks, threads;
    int vector_bytes;
    bool interleaved, dynamic;
    long groups;               /* of any array at most: tasks and the largest halo */
    struct blp_flags arrived;  /* of array a, group g: a * groups + g */
    struct blp_flags finished; /* of task t: t */
    struct blp_flags staged;   /* of task t, stage s but the last: s * tasks + t */
    unsigned *uses;            /* of array a, group g: uses that are still to come */
    unsigned *counters;        /* enum blp_counter */
    long flag_words;           /* of all of these and engines.ended, from arrived.words on */
    struct blp_engines engines;
    /* In host memory: the number of a unit that was computed, and of those of earlier rounds. NULL:
     * the host does not look at it. */
    unsigned *progress, progress_before;
    /* An array whose every element sums over all iterations (y of atax): each computing block has a
     * partial sum of its own, and they are added when all tasks are done. */
    int summed; /* the array, or -1 */
    float *partial;
    long partial_words; /* of one block */
    /* Items of copy blocks: pieces, or with interleaved copies the same piece of all arrays. First
     * come those of whole arrays that are copied in, then for each task those of the groups that no
     * earlier task needs, at last those of whole arrays that are copied out. */
    long in_whole, in_first, in_each; /* in_first: for task 0, in_each: for each other */
    long out_each, out_whole;
    struct blp_record *records; /* NULL: no trace */
};

BLP_HOST_DEVICE int blp_compute_blocks(const struct blp_work *work)
{
    return work->blocks - work->in_blocks - work->out_blocks;
}

/* Blocks that may have a partial sum: in a dynamic execution any. */
BLP_HOST_DEVICE int blp_summing_blocks(const struct blp_work *work)
{
    return work->dynamic ? work->blocks : blp_compute_blocks(work);
}

BLP_HOST_DEVICE bool blp_copies(const struct blp_array *array, enum dm_region_direction direction)
{
    return ((int)array->direction & (int)direction) != 0;
}

/* Iterations [*begin, *end) of a task. */
BLP_HOST_DEVICE void blp_iterations(const struct blp_work *work, long task, long *begin, long *end)
{
    *begin = work->begin + task * work->task_size;
    *end = *begin + work->task_size < work->end ? *begin + work->task_size : work->end;
}

/* The first slice of the window of task 0. */
BLP_HOST_DEVICE long blp_first_slice(const struct blp_work *work, const struct blp_array *array)
{
    return array->split == DM_REGION_WHOLE ? 0 : work->begin + array->offset;
}

/* Slices [*first, *end) of a group, none if there is no such group. A whole array is group 0. */
BLP_HOST_DEVICE void blp_group(const struct blp_work *work, const struct blp_array *array,
                               long group, long *first, long *end)
{
    long size = array->split == DM_REGION_WHOLE ? 1 : work->task_size;
    long last = array->split == DM_REGION_WHOLE ? 1 : work->end - 1 + array->offset + array->length;
    *first = blp_first_slice(work, array) + group * size;
    *end = *first + size < last ? *first + size : last;
    *first = *first < *end ? *first : *end;
}

/* Slices [*first, *end) in the window of a task and of no earlier one. */
BLP_HOST_DEVICE void blp_new_slices(const struct blp_work *work, const struct blp_array *array,
                                    long task, long *first, long *end)
{
    long begin, end_iteration, more = array->offset + array->length - 1;
    blp_iterations(work, task, &begin, &end_iteration);
    *first = task ? begin + more : blp_first_slice(work, array);
    *end = array->split == DM_REGION_WHOLE ? 1 : end_iteration + more;
}

BLP_HOST_DEVICE long blp_units(const struct blp_work *work)
{
    return work->tasks * work->stages * work->parts;
}

/* How often a group is used before its slots may be overwritten: by each unit of each task that has
 * it in its window, and by each piece that is copied out. Source: Cui, 4.3.6. */
BLP_HOST_DEVICE unsigned blp_use_count(const struct blp_work *work, const struct blp_array *array,
                                       long group)
{
    long first = group > array->halo ? group - array->halo : 0;
    long last = group < work->tasks ? group : work->tasks - 1;
    long uses = (last - first + 1) * work->stages * work->parts;
    bool pieces = blp_copies(array, DM_REGION_FROM) && !work->engines.out;
    return (unsigned)(uses + (pieces ? array->pieces : 0));
}

/* Whether engines may copy in to an array's slots only when blocks have copied them out. */
BLP_HOST_DEVICE bool blp_holds_engine_back(const struct blp_work *work,
                                           const struct blp_array *array)
{
    return work->engines.in && !work->engines.out && array->ring &&
           array->direction == DM_REGION_TOFROM;
}

/* Tasks [*first, *end) of a batch. */
BLP_HOST_DEVICE void blp_batch(const struct blp_work *work, long batch, long *first, long *end)
{
    *first = batch * work->engines.batch;
    *end = *first + work->engines.batch < work->tasks ? *first + work->engines.batch : work->tasks;
}

/* Groups that must have been used, and copied out, before slices [first, end) may be copied to
 * their slots: [*from, *to), none where slots are free at first. */
BLP_HOST_DEVICE void blp_replaced(const struct blp_work *work, const struct blp_array *array,
                                  long first, long end, long *from, long *to)
{
    long lowest = blp_first_slice(work, array), capacity = array->view.capacity;
    *from = *to = 0;
    if (!array->ring || end - capacity <= lowest || first >= end)
        return;
    *from = first - capacity > lowest ? (first - capacity - lowest) / work->task_size : 0;
    *to = (end - 1 - capacity - lowest) / work->task_size + 1;
}

/* Items of a direction in all. */
BLP_HOST_DEVICE long blp_in_items(const struct blp_work *work)
{
    return work->in_whole + work->in_first + (work->tasks - 1) * work->in_each;
}
BLP_HOST_DEVICE long blp_out_items(const struct blp_work *work)
{
    return work->tasks * work->out_each + work->out_whole;
}

/* What a copy block does at once: piece `piece` of one array, or of every array that is copied
 * (array < 0). */
struct blp_piece {
    bool whole; /* of whole arrays; else of groups that a task is the first to need: */
    long task;  /* `tasks` for whole arrays that are copied out */
    long extra; /* task 0 needs the groups 0 to halo: which of them; other tasks: 0 */
    int array, piece;
};

BLP_HOST_DEVICE long blp_group_in(const struct blp_piece *piece, const struct blp_array *array)
{
    if (piece->whole)
        return 0;
    return piece->task ? piece->task + array->halo : piece->extra;
}

/* Whether a piece has to do with array a. */
BLP_HOST_DEVICE bool blp_takes_part(const struct blp_work *work, const struct blp_piece *piece,
                                    int a, enum dm_region_direction direction)
{
    const struct blp_array *array = &work->arrays[a];
    return (piece->array < 0 || piece->array == a) && blp_copies(array, direction) &&
           (array->split == DM_REGION_WHOLE) == piece->whole &&
           (piece->task > 0 || piece->extra <= array->halo);
}

/* Completes a piece: item `item` of those of its task, or of whole arrays. */
BLP_HOST_DEVICE void blp_find_piece(const struct blp_work *work, enum dm_region_direction direction,
                                    struct blp_piece *piece, long item)
{
    for (int a = 0; a < work->array_count; a++) {
        const struct blp_array *array = &work->arrays[a];
        piece->array = work->interleaved ? -1 : a;
        piece->extra = (unsigned)item / (unsigned)array->pieces;
        piece->piece = (int)((unsigned)item % (unsigned)array->pieces);
        long groups = piece->whole || piece->task ? 1 : array->halo + 1;
        bool part =
            blp_copies(array, direction) && (array->split == DM_REGION_WHOLE) == piece->whole;
        if (part && (work->interleaved || piece->extra < groups))
            return;
        item -= part ? groups * array->pieces : 0;
    }
}

/* The item of that number; items are in the order of tasks. Numbers of items are below 2^31,
 * which blp_open checks, so that divisions are of 32 bits: those of 64 take a GPU thread several
 * times as long, and the block waits for them. */
BLP_HOST_DEVICE struct blp_piece blp_item(const struct blp_work *work,
                                          enum dm_region_direction direction, long item)
{
    struct blp_piece piece = {false, 0, 0, 0, 0};
    if (direction == DM_REGION_TO && item < work->in_whole) {
        piece.whole = true;
    } else if (direction == DM_REGION_TO) {
        item -= work->in_whole;
        if (item >= work->in_first) {
            item -= work->in_first;
            piece.task = 1 + (unsigned)item / (unsigned)work->in_each;
            item = (unsigned)item % (unsigned)work->in_each;
        }
    } else if (item < work->tasks * work->out_each) {
        piece.task = (unsigned)item / (unsigned)work->out_each;
        item = (unsigned)item % (unsigned)work->out_each;
    } else {
        piece.whole = true;
        piece.task = work->tasks;
        item -= work->tasks * work->out_each;
    }
    blp_find_piece(work, direction, &piece, item);
    return piece;
}

#endif
