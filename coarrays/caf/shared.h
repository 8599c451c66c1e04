/* shared.h: memory that the images of a node have in common.
 *
 * Each image makes its part as an anonymous file (memfd); the others map it through
 * /proc/PID/fd/FD. So there is no name to clean up after a crash, and no limit of /dev/shm. */
#ifndef COARRAYS_CAF_SHARED_H
#define COARRAYS_CAF_SHARED_H

#include <stdbool.h>
#include <stddef.h>

struct shared {
    size_t bytes;   /* of each part, a multiple of the page size */
    void **part;    /* part[place]: that image's part, mapped here */
    int descriptor; /* of the own part */
};

/* Makes and maps. Collective over the node's images; equal bytes. False on all of them if one of
 * them could not (then nothing is left), with the reason in *reason on the image that could not and
 * NULL on the others. Memory is zero. Refuses what is more than the machine has free. */
bool shared_create(struct shared *shared, size_t bytes, const char **reason);

/* Unmaps. Not collective, but nobody may use this image's part afterwards. */
void shared_destroy(struct shared *shared);

#endif
