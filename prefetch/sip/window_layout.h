/* window_layout.h: where each block lies in the servers' windows. Every rank works it out for
 * itself, so nobody asks.
 *
 * Block n of an array lies in slot n / servers of its server: a header of 64 bytes, then the data.
 * All servers have the same layout. Arrays are taken in their order as long as they fit; the others
 * travel as messages. */
#ifndef PREFETCH_SIP_WINDOW_LAYOUT_H
#define PREFETCH_SIP_WINDOW_LAYOUT_H

#include "prefetch/sip/transport.h"

/* What stands before a block's data; filled with 0: the block was never put. */
struct window_header {
    int64_t written; /* 1: the block has been put */
    struct store_stamp stamp;
    char unused[32];
};

struct window_layout {
    int servers, array_count;
    size_t bytes; /* of one server's window */
    struct window_place {
        int64_t slots;     /* on each server; 0: the array is not in the window */
        size_t first;      /* byte of the first slot */
        size_t slot_bytes; /* header and data, a multiple of 64 */
    } * places;            /* by array */
};

/* DM_NO_MEMORY. */
enum dm_status window_layout_create(struct window_layout *layout,
                                    const struct transport_array *arrays, int array_count,
                                    int servers, size_t max_bytes);
void window_layout_destroy(struct window_layout *layout);

/* Byte of the block's header in the window of its server. False: it travels as a message. */
bool window_layout_find(const struct window_layout *layout, struct block_id id, size_t *offset);

#endif
