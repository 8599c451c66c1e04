/* spill_file.h: a file without a name, in which blocks are kept at slots of their own size. */
#ifndef PREFETCH_SIP_SPILL_FILE_H
#define PREFETCH_SIP_SPILL_FILE_H

#include <stdint.h>

#include "prefetch/sip/store.h"

struct spill_file;

/* Where a block lies; bytes 0: it has no place yet. */
struct spill_slot {
    uint64_t offset, bytes;
};

/* directory NULL: $TMPDIR or /tmp. limit_bytes 0: as much as there is. DM_NO_MEMORY. */
enum dm_status spill_file_create(struct spill_file **file, const char *directory,
                                 uint64_t limit_bytes);
void spill_file_destroy(struct spill_file *file);

/* Writes `bytes` bytes to the slot, which gets a place if it has none. Not STORE_OK: a new slot
 * stays empty, an old one keeps its place and holds nothing of use. */
enum store_outcome spill_file_write(struct spill_file *file, struct spill_slot *slot,
                                    const void *data, uint64_t bytes);
/* Reads the whole slot. */
enum store_outcome spill_file_read(struct spill_file *file, const struct spill_slot *slot,
                                   void *data);
/* Gives the slot's place back and empties it. */
void spill_file_release(struct spill_file *file, struct spill_slot *slot);

uint64_t spill_file_used_bytes(const struct spill_file *file);

#endif
