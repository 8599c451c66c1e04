/* unified_capacity.h: how much managed memory a program may ask for, and a device that is made
 * smaller. */
#ifndef UNIFIED_CAPACITY_H
#define UNIFIED_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Managed memory is asked for up to this share of the device's free memory, as some drivers hang
 * the device beyond its size. In per cent. */
enum { UNIFIED_SHARE_MOST = 80 };

/* NULL if `bytes` of managed memory are within that share of what is free on the current device or
 * `oversubscribe` says that more is wanted, else one sentence (the thread's until the next call).
 */
const char *unified_capacity_complaint(size_t bytes, bool oversubscribe);

/* Leaves `capacity_bytes` of the current device's memory free by allocating the rest, so that
 * managed memory beyond that is evicted. Returns what unified_ballast_release wants; NULL if no
 * more than that is free. Ends the program if the device refuses. */
void *unified_ballast_take(size_t capacity_bytes);
void unified_ballast_release(void *ballast);

#ifdef __cplusplus
}
#endif
#endif
