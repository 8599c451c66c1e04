/* conduit.h: what carries data, atomic operations and messages to images that loads and stores do
 * not reach. Chosen by CAF_CONDUIT when the library starts:
 *
 *   mpi  MPI's windows and messages (conduit_mpi.c, messages_mpi.c). Allocations, teams and long
 *        collectives are MPI's collective calls then, which need all images.
 *   ucx  the calls of UCX (conduit_ucx.c). What images do together is done by this library's own
 *        messages (team_far.c, collective_tree.c), so that it goes on without images that fail.
 *
 * Used only where runtime.windows. Images have their numbers in the initial team. */
#ifndef COARRAYS_CAF_CONDUIT_H
#define COARRAYS_CAF_CONDUIT_H

#include "memory.h"
#include "messages.h"

struct conduit {
    const char *name;
    /* Collective over all images, between which MPI runs. DM_UNAVAILABLE, on all images, if it
     * cannot be had here. */
    enum dm_status (*start)(void);
    /* When no image needs another any more. */
    void (*end)(void);

    /* Makes a segment's memory reachable for the images of the current team, or ends that; in
     * the same order on all of them. The same status on all; after a failure nothing is left. */
    enum dm_status (*open)(struct segment *segment, size_t bytes);
    enum dm_status (*close)(struct segment *segment);

    /* A put that may travel on after the call, also out of `from`, until finish (`from` may be
     * changed) and flush (it has arrived). A get arrives with finish. */
    enum dm_status (*put)(struct segment *segment, int image, size_t displacement, const char *from,
                          size_t bytes);
    enum dm_status (*get)(struct segment *segment, int image, size_t displacement, char *to,
                          size_t bytes);
    enum dm_status (*finish)(struct segment *segment, int image, bool is_put);
    enum dm_status (*flush)(struct segment *segment, int image);

    /* On a word of 32 bits, complete on return; DM_LOST where the image has failed. `add` 0 reads.
     */
    enum dm_status (*fetch_add)(struct segment *segment, int image, size_t displacement,
                                int32_t add, int32_t *old);
    enum dm_status (*compare_swap)(struct segment *segment, int image, size_t displacement,
                                   int32_t compare, int32_t value, int32_t *old);
    bool atomic_with_cpu; /* these, and the processor's atomics on the same word */

    /* Messages in order; the target hands each to messages_deliver in its progress. */
    enum dm_status (*send)(int image, enum message_kind kind, const void *body, size_t bytes);
    enum dm_status (*progress)(bool *found);
    /* Ends the messages: all that were sent to this image have been delivered. Collective. */
    enum dm_status (*settle)(void);
};

extern const struct conduit conduit_mpi, conduit_ucx;

/* That of this run. */
extern const struct conduit *conduit;

/* Byte `offset` of a coarray in its segment. */
static inline size_t far_displacement(const struct caf_coarray *coarray, size_t offset)
{
    return coarray->offset + offset;
}

#endif
