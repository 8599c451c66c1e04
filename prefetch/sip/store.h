/* store.h: the blocks of a server: in memory up to a limit, the coldest on disk.
 *
 * Blocks that will not be used soon are swapped to disk and back without anybody noticing (Peshne
 * 2018, 3.2). Blocks of served arrays go first, then the least recently used. A block that could
 * not be written to disk stays in memory: what was stored is never lost while the server lives, and
 * it stays readable: where the disk is full, a block that is read changes places with one in
 * memory. The file has no name, so nothing is left behind.
 *
 * A store belongs to one thread. */
#ifndef PREFETCH_SIP_STORE_H
#define PREFETCH_SIP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

struct block_id {
    int array;
    int64_t number; /* row-major within the array */
};

/* How an operation ended. A server decides by it whether a request waits, and tells the worker, who
 * makes a sentence of it. */
enum store_outcome {
    STORE_OK,
    STORE_MISSING,    /* no such block */
    STORE_NO_MEMORY,  /* all blocks in memory are in use, or the limit is smaller than the block */
    STORE_NO_SPACE,   /* the disk is full */
    STORE_DISK_ERROR, /* reading or writing failed */
    STORE_WRONG_SIZE  /* the block has another number of elements */
};

struct store_config {
    size_t limit_bytes;          /* maximum of bytes in memory, without residents */
    const char *spill_directory; /* where the file for cold blocks is made; NULL: $TMPDIR or /tmp */
    size_t spill_limit_bytes; /* maximum on disk; 0: as much as there is. More is STORE_NO_SPACE. */
};

struct store_counters {
    uint64_t blocks;                   /* there now */
    uint64_t memory_bytes, disk_bytes; /* now */
    uint64_t spills, loads;            /* blocks written to and read from disk */
    uint64_t spilled_bytes, loaded_bytes;
};

enum store_intent {
    STORE_READ,
    STORE_WRITE, /* the old contents do not matter; a new block is made if there is none */
    STORE_UPDATE /* a new block is made of zeros if there is none */
};

/* Who wrote a block since the last barrier, to find conflicting statements: see conflict.h. */
struct store_stamp {
    int epoch;                         /* of the last put; -1: none */
    int writer, statement;             /* the last put in that epoch */
    int other_writer, other_statement; /* the last of another writer in that epoch; -1: none */
    bool added;                        /* all puts in that epoch were put += */
};

struct store;

/* The file for cold blocks is made when the first one leaves memory. DM_NO_MEMORY, as all here that
 * returns a status. */
enum dm_status store_create(struct store **store, const struct store_config *config);
void store_destroy(struct store *store);

/* Makes blocks of an array live at fixed places in foreign memory (a window): a block at
 * place(context, id), NULL if it has none there. They are neither counted nor moved. Before the
 * array's first block. */
enum dm_status store_set_resident(struct store *store, int array,
                                  double *(*place)(void *context, struct block_id id),
                                  void *context);

/* Says that an array's blocks are to leave memory first. Before the array's first block. */
enum dm_status store_set_served(struct store *store, int array);

/* The block's data, in memory and staying there until released; may be acquired several times.
 * stamp (may be NULL) points to the block's stamp, to read and set. */
enum store_outcome store_acquire(struct store *store, struct block_id id, size_t elements,
                                 enum store_intent intent, double **data,
                                 struct store_stamp **stamp);
/* changed: the data were written since it was acquired. False: the block is not acquired; nothing
 * was done. */
bool store_release(struct store *store, struct block_id id, bool changed);

/* Whether the block has been put; with no data moved. stamp may be NULL. */
bool store_has(struct store *store, struct block_id id, struct store_stamp *stamp);

/* Forgets all blocks of an array. False, and nothing done: some are acquired. */
bool store_drop_array(struct store *store, int array);

/* Numbers of the array's blocks, ascending; count 0 and *numbers NULL if none. free() them. */
enum dm_status store_list(const struct store *store, int array, int64_t **numbers, size_t *count);

/* Writes all changed blocks of served arrays to disk, and leaves them in memory (server_barrier).
 */
enum store_outcome store_flush(struct store *store);

void store_counters(const struct store *store, struct store_counters *counters);
const char *store_outcome_text(enum store_outcome status);

#endif
