/* critical.h: CRITICAL constructs (Fortran 2018, 11.1.6): at most one image of all executes one, in
 * whatever teams they are. */
#ifndef COARRAYS_CAF_CRITICAL_H
#define COARRAYS_CAF_CRITICAL_H

#include <datamotion/coarrays.h>

/* The lock at `offset` of a coarray stands for the construct. DM_LOST with CAF_FAILED_IMAGE, as of
 * caf_lock: it has been entered, after an image that failed in it. */
enum dm_status critical_enter(struct caf_coarray *coarray, size_t offset);
enum dm_status critical_leave(struct caf_coarray *coarray, size_t offset);

#endif
