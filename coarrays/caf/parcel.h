/* parcel.h: puts of elements that lie far apart in the memory of another image of this node.
 *
 * Each element is a cache line and often a page of its own, which the image put to has in its cache
 * and will want back there. So the elements are packed into shared memory, a parcel, and that image
 * puts them in place when it next synchronises: each side goes through its own lines only, and what
 * travels between the caches is dense.
 *
 * Parcels are in no hurry, as nobody else may use that memory without an order between the two
 * (Fortran 2018, 11.6.2). Whoever has such an order finds them: the image itself at the end of each
 * statement that synchronises, others when they get from or put to its memory; they deliver what
 * lies there first. SYNC MEMORY, which messages of other libraries may follow, delivers this
 * image's own. */
#ifndef COARRAYS_CAF_PARCEL_H
#define COARRAYS_CAF_PARCEL_H

#include <stdatomic.h>

#include "memory.h"
#include "section.h"

/* parcels_at[image]: how many lie there; NULL where none are ever sent. */
extern _Atomic int **parcels_at;

static inline bool parcels_lie_at(int image)
{
    return __builtin_expect(
        parcels_at && atomic_load_explicit(parcels_at[image], memory_order_acquire) != 0, 0);
}

/* Whether the put was taken as a parcel; else it is to be done at once. */
bool parcel_send(struct caf_coarray *to, int image, size_t offset, const struct section *section,
                 const void *from);

/* Before these bytes of a near image's part are used: delivers what lies there, unless it is this
 * image's own and other bytes. Call it if parcels_lie_at(). */
enum dm_status parcels_settle(const struct caf_coarray *coarray, int image, size_t low,
                              size_t high);

/* Delivers all that lies at a near image. */
enum dm_status parcels_deliver(int image);

/* At the end of statements that synchronise. */
enum dm_status parcels_receive(void);

/* Delivers what this image has sent. */
enum dm_status parcels_complete(void);

/* This image uses another one's memory by pointer from now on: it delivers what lies at others,
 * too, when it synchronises. */
void parcels_by_pointer(void);

/* Collective. */
enum dm_status parcels_start(void);
void parcels_end(void);

#endif
