/* managed.h: the units of managed memory, shared by managed.c (residency and faults), regions.c
 * (the allocations), managed_api.c (allocation and advice) and managed_batch.c (prefetch and
 * discard). */
#ifndef SOFT_MANAGED_H
#define SOFT_MANAGED_H

#include "softgpu/counters.h"

#include "runtime.h"

enum { UNIT_BYTES = 64 * 1024 };

/* What migrates as a whole. It resides on the host, on one device, on both (a duplicate of
 * read-mostly data, then read-only), or nowhere as long as nobody has touched it. */
struct unit {
    struct managed_region *region;
    struct unit *older, *newer; /* by arrival on its device */
    bool on_host;
    bool read_mostly;
    bool forced;         /* touchable until pages are shown anew, whatever the residency */
    int device;          /* -1: on no device */
    int protection;      /* what mprotect was told last */
    unsigned version;    /* counts changes of protection */
    unsigned evicted_in; /* number of the kernel during which it was evicted last; 0: none */
    unsigned open_count; /* copies by the runtime in progress */
    int preferred, last_prefetch; /* device, cudaCpuDeviceId or cudaInvalidDeviceId */
    unsigned accessed_by;         /* bit per device, by advice */
    unsigned mapped_by; /* bit per device, after a fault on a unit at its preferred place */
};

struct managed_region {
    char *base;
    size_t bytes;
    size_t count; /* units */
    struct unit *units;
};

/* regions.c; residency_acquire() guards the list. */
extern struct managed_region **regions; /* by address */
extern size_t region_count;
struct unit *region_unit(const void *address); /* NULL: not managed memory */

/* managed.c; between residency_acquire() and residency_release() */
void residency_acquire(void);
void residency_release(void);
void residency_protect(struct managed_region *region, size_t first, size_t end);
void residency_settle(struct managed_region *region, size_t first, size_t end);
bool residency_to_device(struct unit *unit, int device); /* false: no room, nothing changed */
void residency_to_host(struct unit *unit);
void residency_discard(struct unit *unit);                    /* as if nobody had touched it */
void residency_keep_one(struct unit *unit, bool keep_device); /* ends a duplicate */
void residency_new_region(void);
void residency_forget(struct managed_region *region); /* before it is freed */

/* managed_api.c; the number of a device, or cudaCpuDeviceId; the region that has the range */
cudaError_t managed_device_of(struct cudaMemLocation location, int *device);
cudaError_t managed_range_of(const void *pointer, size_t bytes, struct managed_region **region);

#endif
