/* shared.h: memory that the images of a node have in common.
 *
 * Each image makes its part as an anonymous file (memfd); the others map it through
 * /proc/PID/fd/FD. So there is no name to clean up after a crash, and no limit of /dev/shm. */
#ifndef COARRAYS_CAF_SHARED_H
#define COARRAYS_CAF_SHARED_H

#include <stddef.h>

#include <datamotion/status.h>

struct shared {
    size_t bytes;   /* of each part, a multiple of the page size */
    void **part;    /* part[place]: that image's part, mapped here */
    int descriptor; /* of the own part */
};

/* SHARED_ALIKE: every image of the node sees each part at the same address, so that addresses in it
 * mean the same for all. */
enum shared_addresses { SHARED_ANYWHERE, SHARED_ALIKE };

/* Makes and maps. Collective over the node's images; equal bytes. Memory is zero. DM_NO_MEMORY on
 * all of them if one could not, also because it is more than the node has free; then nothing is
 * left. */
enum dm_status shared_create(struct shared *shared, size_t bytes, enum shared_addresses addresses);

/* Unmaps. Not collective, but nobody may use this image's part afterwards. */
void shared_destroy(struct shared *shared);

#endif
