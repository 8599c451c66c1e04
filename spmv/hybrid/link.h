/* link.h: one direction of the exchange between CPU and GPU: the elements that the other
 * side needs are packed and copied into its halo.
 *
 * Elements that lie side by side, as those of a mesh do, are copied straight out of the vector. */
#ifndef SPMV_HYBRID_LINK_H
#define SPMV_HYBRID_LINK_H

#include <datamotion/spmv.h>

#include "common/memory.h"

#include "part.h"

struct hybrid_link {
    bool to_device;
    int64_t count;
    size_t value_bytes;
    enum spmv_precision precision;
    int64_t from_first, to_first; /* own elements of the sender, halo of the receiver */
    int64_t range_first;          /* first of `count` own elements in a row; -1: they are packed */
    int32_t *index;               /* own elements to be packed, where they are packed */
    void *packed;                 /* page-locked or on the device, as the sender */
    cudaStream_t stream;
    cudaEvent_t sent;       /* the last copy */
    cudaEvent_t begin, end; /* of packing and copying, where they are timed */
};

/* From `sender` to the halo of `receiver`. Close the link also after an error. */
enum dm_status hybrid_link_open(struct hybrid_link *link, bool to_device,
                                const struct hybrid_part *sender,
                                const struct hybrid_part *receiver, enum spmv_precision precision);

/* Packs and copies from the sender's vector to the receiver's, after the event `after`; the host
 * packs at once, all else is asynchronous. With `timed` hybrid_link_time tells how long it took. */
enum dm_status hybrid_link_send(struct hybrid_link *link, const void *from, void *to,
                                cudaEvent_t after, bool timed);

/* The host waits until the copy is done: then the halo is there, and what was sent may change. */
enum dm_status hybrid_link_wait(const struct hybrid_link *link);

/* Seconds of the last send that was timed and is done; 0: there is nothing to send. */
enum dm_status hybrid_link_time(const struct hybrid_link *link, double *time_s);

void hybrid_link_close(struct hybrid_link *link);

/* NULL is taken. */
static inline void hybrid_event_close(cudaEvent_t event)
{
    if (event)
        cudaEventDestroy(event);
}

#endif
