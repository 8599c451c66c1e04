/* last_writer.h: the thesis's rule for what must be copied between two launches: the launch that
 * wrote a buffer last wrote all of it that counts. */
#ifndef LAST_WRITER_H
#define LAST_WRITER_H

#include "validity.h"

/* What each of `devices` devices has to get before it reads reads[d], when writes[d] is what each
 * wrote in the launch before: writes[g] intersected with reads[h] for every g != h. */
bool last_writer_copies(int devices, const struct intervals *writes, const struct intervals *reads,
                        bool coalesce, int64_t unit, struct device_copy **copies, size_t *count,
                        char reason[PARTITION_REASON]);

/* The last-writer map of a buffer (omega) after a chain of launches (chi), newest first, in which
 * launch i wrote writes[i][d] on device d: owner[d] = bytes that device d wrote last. A launch that
 * occurs again replaces its older occurrence: chain_add drops that one and keeps omega. */
struct chain {
    int devices;
    size_t count, capacity;
    struct chain_link {
        const void *launch;             /* identity */
        const struct intervals *writes; /* of each device; not owned */
    } * links;
};
bool chain_add(struct chain *chain, const void *launch, const struct intervals *writes);
bool chain_owners(const struct chain *chain, struct intervals *owner);
void chain_free(struct chain *chain);

#endif
