/* get.h: blocks from servers: requested early, waited for when a statement reads them.
 *
 * `get a[i,j]` requests the block and, while its site is less than K sets of the loop ahead, the
 * blocks that coming iterations get (Peshne 2018, 4.2.2; algorithm 4.5 gives the sets). A statement
 * that reads the block waits, if it has not arrived.
 *
 * Fetched blocks are copies to read. They go at barriers, when the worker puts the block, when the
 * array is deleted, and the least recently used when memory is short; the last are fetched again
 * without anybody noticing. Where the loop stops looking ahead, at its own last set, prefetching
 * stops: it never crosses the end of a loop. */
#ifndef PREFETCH_SIP_GET_H
#define PREFETCH_SIP_GET_H

#include "prefetch/sip/worker.h"

/* The statement get or request at a site. */
enum dm_status get_statement(struct worker *worker, int operand, int site);

/* The block for a statement that reads it, arrived. DM_INVALID: no get named it, it was never put,
 * ...
 */
enum dm_status get_read(struct worker *worker, int array, int64_t number,
                        struct table_block **block);

/* Looks which blocks have arrived. */
enum dm_status get_poll(struct worker *worker);

/* Drops this worker's copy of a block, if it has one. */
enum dm_status get_forget(struct worker *worker, int array, int64_t number);

/* Drops all copies of blocks of an array; array -1: of all arrays. */
enum dm_status get_forget_all(struct worker *worker, int array);

/* Evicts a fetched block: it may be read again. */
enum dm_status get_evict(struct worker *worker, struct table_block *block);

#endif
