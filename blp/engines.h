/* engines.h: the copies that a plan leaves to copy engines, and how the host keeps them busy. */
#ifndef BLP_ENGINES_H
#define BLP_ENGINES_H

#include <datamotion/blp_work.h>

/* Streams, events and page-locked words of a plan. {0} at first. */
struct engines {
    const struct dm_region *region;
    long batches;
    unsigned *values; /* of the flags: what a lane's word becomes behind each batch */
    unsigned *done;   /* of each task, written by the kernel; NULL: nobody has to know */
    cudaStream_t in[BLP_LANES], out[BLP_LANES];
    cudaEvent_t joined[2 * BLP_LANES];
    cudaEvent_t *left; /* of each batch: copied out; NULL: no copy in has to wait for it */
    long rounds;       /* that were started so far */
    int copies;        /* calls of the last run */
};

/* Completes work->engines, of a plan whose memory is placed. After an error, engines_close. */
enum dm_status engines_open(struct engines *engines, struct blp_work *work,
                            const struct dm_region *region);
void engines_close(struct engines *engines);

/* Copies the columns of the first task in again, on a stream; *rows: how many rows these have, 0:
 * no array has columns that are copied in. */
enum dm_status engines_copy_columns(struct engines *engines, const struct blp_work *work,
                                    cudaStream_t stream, long *rows);

/* ---- a round: begin; the kernel is launched on `stream`; feed; end ---- */

/* Sets what the kernel of this round must know, and enqueues the first copies in. `progress` is the
 * caller's, for the other two. */
struct engines_progress {
    long round;
    long in, out;    /* next batches to be enqueued */
    long tasks_done; /* all tasks before this one are over */
};
enum dm_status engines_begin(struct engines *engines, struct blp_work *work, long round,
                             struct engines_progress *progress);

/* Enqueues all other copies as the kernel gets on. DM_FAILED: also if it ended too early. */
enum dm_status engines_feed(struct engines *engines, const struct blp_work *work,
                            cudaStream_t stream, struct engines_progress *progress);

/* Makes `stream` wait for all copies, those of whole arrays to the host included. */
enum dm_status engines_end(struct engines *engines, const struct blp_work *work,
                           cudaStream_t stream, const struct engines_progress *progress);

#endif
