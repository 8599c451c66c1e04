/* managed_limit.h: how much managed memory a program may allocate, and a device that is made
 * smaller. */
#ifndef COMMON_REGIONS_MANAGED_LIMIT_H
#define COMMON_REGIONS_MANAGED_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Managed memory stays below this percentage of the device's free memory, as some drivers hang the
 * device beyond its size. */
enum { MANAGED_PERCENT_MAX = 80 };

/* DM_OK if `bytes` of managed memory are within that share of what is free on the current device,
 * or if `oversubscribe` says that more is wanted, else DM_NO_MEMORY. */
enum dm_status managed_check_limit(size_t bytes, bool oversubscribe);

/* DM_OK if the host has as much memory available and a tenth more, for pages that come back from
 * the device or are page-locked; else DM_NO_MEMORY. */
enum dm_status managed_check_host(size_t bytes);

/* Leaves `capacity_bytes` of the current device's memory free by allocating the rest, so that
 * managed memory beyond that is evicted. *ballast is NULL if no more than that is free. */
enum dm_status managed_take_ballast(size_t capacity_bytes, void **ballast);
void managed_release_ballast(void *ballast);

#ifdef __cplusplus
}
#endif
#endif
