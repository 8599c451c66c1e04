/* last_writer.h: the thesis's rule for what must be copied between two launches: the launch that
 * wrote a buffer last wrote all of it that counts. */
#ifndef LAST_WRITER_H
#define LAST_WRITER_H

#include "intervals.h"

/* What each of `devices` devices has to get before it reads reads[d], when writes[d] is what each
 * wrote in the launch before: writes[g] intersected with reads[h] for every g != h. DM_INVALID: a
 * unit below 1; DM_NO_MEMORY. */
enum dm_status last_writer_copies(int devices, const struct partition_intervals *writes,
                                  const struct partition_intervals *reads, bool coalesce,
                                  int64_t unit, struct partition_copy **copies, size_t *count);

/* The last-writer map of a buffer (omega) after a chain of launches (chi), newest first, in which
 * launch i wrote writes[i][d] on device d: owner[d] = bytes that device d wrote last. A launch that
 * occurs again replaces its older occurrence: chain_add drops that one and keeps omega. Both fail
 * with DM_NO_MEMORY. */
struct chain {
    int devices;
    size_t count, capacity;
    struct chain_link {
        const void *launch;                       /* identity */
        const struct partition_intervals *writes; /* of each device; not owned */
    } * links;
};
enum dm_status chain_add(struct chain *chain, const void *launch,
                         const struct partition_intervals *writes);
enum dm_status chain_owners(const struct chain *chain, struct partition_intervals *owner);
void chain_free(struct chain *chain);

#endif
