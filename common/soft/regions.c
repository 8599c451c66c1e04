/* regions.c: the allocations of managed memory, and access to them by the runtime's own copies. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "managed.h"

struct managed_region **regions;
size_t region_count;
static pthread_mutex_t registration = PTHREAD_MUTEX_INITIALIZER;

/* Index of the first region that starts above the address. */
static size_t upper(const void *address)
{
    size_t low = 0, high = region_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (regions[middle]->base <= (const char *)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct unit *region_unit(const void *address)
{
    size_t rank = upper(address);

    if (rank == 0)
        return NULL;
    struct managed_region *region = regions[rank - 1];
    size_t offset = (size_t)((const char *)address - region->base);
    return offset < region->bytes ? &region->units[offset / UNIT_BYTES] : NULL;
}

/* `bytes` is a multiple of the page size. */
struct managed_region *managed_make(void *base, size_t bytes)
{
    size_t count = (bytes + UNIT_BYTES - 1) / UNIT_BYTES;
    struct managed_region *region = malloc(sizeof *region);
    struct unit *units = calloc(count, sizeof *units);

    pthread_mutex_lock(&registration); /* region_count changes under this lock alone */
    struct managed_region **larger = malloc((region_count + 1) * sizeof *larger);
    if (!region || !units || !larger) {
        pthread_mutex_unlock(&registration);
        free(region);
        free(units);
        free(larger);
        return NULL;
    }
    *region = (struct managed_region){base, bytes, count, units};
    for (size_t i = 0; i < count; i++)
        units[i] = (struct unit){.region = region,
                                 .device = -1,
                                 .protection = PROT_READ | PROT_WRITE,
                                 .preferred = cudaInvalidDeviceId,
                                 .last_prefetch = cudaInvalidDeviceId};
    residency_acquire();
    size_t rank = upper(base);
    struct managed_region **old = regions;
    if (rank > 0)
        memcpy(larger, old, rank * sizeof *larger);
    larger[rank] = region;
    if (rank < region_count)
        memcpy(larger + rank + 1, old + rank, (region_count - rank) * sizeof *larger);
    regions = larger;
    region_count++;
    residency_new_region();
    residency_release();
    pthread_mutex_unlock(&registration);
    free(old);
    return region;
}

void managed_destroy(struct managed_region *region)
{
    struct managed_region **empty = NULL;

    pthread_mutex_lock(&registration);
    residency_acquire();
    residency_forget(region);
    size_t rank = upper(region->base);
    memmove(regions + rank - 1, regions + rank, (region_count - rank) * sizeof *regions);
    if (--region_count == 0) {
        empty = regions;
        regions = NULL;
    }
    residency_release();
    pthread_mutex_unlock(&registration);
    free(empty);
    free(region->units);
    free(region);
}

/* ---- ranges ---- */

static size_t first_unit(const struct managed_region *region, const void *start)
{
    return (size_t)((const char *)start - region->base) / UNIT_BYTES;
}

static size_t end_unit(const struct managed_region *region, const void *start, size_t bytes)
{
    return ((size_t)((const char *)start - region->base) + bytes - 1) / UNIT_BYTES + 1;
}

/* A copy reads and writes units where they are, without faults. What it writes into a duplicate
 * ends the device's copy; units that nobody had touched come to be on the host. */
void managed_open(struct managed_region *region, const void *start, size_t bytes, bool write)
{
    size_t first = first_unit(region, start), end = end_unit(region, start, bytes);

    residency_acquire();
    for (size_t i = first; i < end; i++) {
        struct unit *unit = &region->units[i];
        unit->open_count++;
        if (write)
            residency_keep_one(unit, false);
        if (write && unit->device < 0)
            unit->on_host = true;
    }
    residency_protect(region, first, end);
    residency_release();
}

void managed_close(struct managed_region *region, const void *start, size_t bytes)
{
    size_t first = first_unit(region, start), end = end_unit(region, start, bytes);

    residency_acquire();
    for (size_t i = first; i < end; i++)
        region->units[i].open_count--;
    residency_protect(region, first, end);
    residency_release();
}

/* What does not fit on the device stays on the host. */
void managed_prefetch(struct managed_region *region, const void *start, size_t bytes, int device)
{
    size_t first = first_unit(region, start), end = end_unit(region, start, bytes);

    residency_acquire();
    residency_settle(region, first, end);
    for (size_t i = first; i < end; i++) {
        struct unit *unit = &region->units[i];
        if (device == cudaCpuDeviceId)
            residency_to_host(unit);
        else
            residency_to_device(unit, device);
        unit->last_prefetch = device;
    }
    residency_protect(region, first, end);
    residency_release();
}

/* The pages are given back, so that nobody finds old contents by mistake. */
void managed_discard(struct managed_region *region, const void *start, size_t bytes)
{
    const size_t offset = (size_t)((const char *)start - region->base);
    const size_t last = whole_pages(offset + bytes);
    const size_t first = (offset + UNIT_BYTES - 1) / UNIT_BYTES,
                 end = last >= region->bytes ? region->count : last / UNIT_BYTES;

    if (first >= end)
        return;
    residency_acquire();
    for (size_t i = first; i < end; i++)
        residency_discard(&region->units[i]);
    const size_t stop = end * UNIT_BYTES < region->bytes ? end * UNIT_BYTES : region->bytes;
    madvise(region->base + first * UNIT_BYTES, stop - first * UNIT_BYTES, MADV_DONTNEED);
    residency_protect(region, first, end);
    residency_release();
}

static void advise(struct unit *unit, enum cudaMemoryAdvise advice, int device)
{
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
        unit->read_mostly = true;
        break;
    case cudaMemAdviseUnsetReadMostly:
        unit->read_mostly = false;
        residency_keep_one(unit, unit->preferred != cudaCpuDeviceId);
        break;
    case cudaMemAdviseSetPreferredLocation:
        unit->preferred = device;
        unit->mapped_by = 0;
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        unit->preferred = cudaInvalidDeviceId;
        unit->mapped_by = 0;
        break;
    case cudaMemAdviseSetAccessedBy:
        unit->accessed_by |= 1u << (device == cudaCpuDeviceId ? MAX_DEVICES : device);
        break;
    case cudaMemAdviseUnsetAccessedBy:
        unit->accessed_by &= ~(1u << (device == cudaCpuDeviceId ? MAX_DEVICES : device));
        break;
    }
}

void managed_advise(struct managed_region *region, const void *start, size_t bytes,
                    enum cudaMemoryAdvise advice, int device)
{
    size_t first = first_unit(region, start), end = end_unit(region, start, bytes);

    residency_acquire();
    for (size_t i = first; i < end; i++)
        advise(&region->units[i], advice, device);
    residency_protect(region, first, end);
    residency_release();
}

void managed_hints(struct managed_region *region, const void *start, size_t bytes,
                   struct managed_hints *hints)
{
    size_t first = first_unit(region, start), end = end_unit(region, start, bytes);

    residency_acquire();
    const struct unit *unit = &region->units[first];
    *hints = (struct managed_hints){unit->read_mostly, unit->preferred, unit->last_prefetch,
                                    unit->accessed_by};
    for (size_t i = first + 1; i < end; i++) {
        unit = &region->units[i];
        hints->read_mostly = hints->read_mostly && unit->read_mostly;
        if (unit->preferred != hints->preferred)
            hints->preferred = cudaInvalidDeviceId;
        if (unit->last_prefetch != hints->last_prefetch)
            hints->last_prefetch = cudaInvalidDeviceId;
        hints->accessed_by &= unit->accessed_by;
    }
    residency_release();
}
