/* collective_parts.h: parts of the data of a collective, which one image of the current team gives
 * another as a message, where they are on several nodes. What comes before it is wanted waits; what
 * a collective left that did not end is freed by the next one of its team. */
#ifndef COARRAYS_CAF_COLLECTIVE_PARTS_H
#define COARRAYS_CAF_COLLECTIVE_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

/* Which part of those that an image gives another in one collective. */
struct part_key {
    uint32_t step;
    uint64_t piece;
};

/* Begins a message; the data follow. */
struct part_head {
    uint32_t slot;       /* of the team, on the receiver */
    uint32_t from;       /* index */
    uint64_t collective; /* number in the team */
    uint64_t step, piece;
};

struct part {
    struct part *next;
    struct part_head head;
    size_t bytes;
    _Alignas(16) char data[];
};

/* In the team's collective of the number current_team->collectives. */
enum dm_status part_give(struct part_key key, int to_index, const void *data, size_t bytes);

/* The caller frees it. NULL: it has not come yet. */
struct part *part_find(struct part_key key, int from_index);

void parts_start(void);
void parts_end(void);

#endif
