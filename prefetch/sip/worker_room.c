/* Memory for one more block, within the worker's limit. */
#include "common/error.h"
#include "prefetch/sip/get.h"

/* Which fetched blocks may go. */
enum candidates {
    THAT_WERE_READ,
    THAT_ARRIVED, /* also those prefetched that nobody has read yet */
    ALL           /* also those on their way */
};

static bool is_candidate(const struct table_block *block, enum candidates candidates,
                         uint64_t first_statement)
{
    if (!block->has_data || block->statement >= first_statement)
        return false;
    return candidates == ALL ||
           (block->state == FETCH_HERE && (candidates == THAT_ARRIVED || block->read));
}

/* Of those that were read, the one that was not used for longest. Of the others, the one that was
 * requested last: it is needed last. */
static struct table_block *find_victim(const struct worker *worker, enum candidates candidates,
                                       uint64_t first_statement)
{
    const struct block_list *fetched = &worker->table.fetched;
    bool forwards = candidates == THAT_WERE_READ;
    struct table_block *block = forwards ? fetched->oldest : fetched->newest;
    while (block && !is_candidate(block, candidates, first_statement))
        block = forwards ? block->newer : block->older;
    return block;
}

static enum dm_status evict_until(struct worker *worker, size_t bytes, uint64_t first_statement,
                                  enum candidates last)
{
    const struct block_table *table = &worker->table;
    enum candidates candidates = THAT_WERE_READ;
    while (table->bytes + bytes > table->limit_bytes && candidates <= last) {
        struct table_block *block = find_victim(worker, candidates, first_statement);
        if (block)
            TRY(get_evict(worker, block));
        else
            candidates++;
    }
    return DM_OK;
}

enum dm_status worker_room_ahead(struct worker *worker, size_t bytes, uint64_t first_statement,
                                 bool *room)
{
    *room = false;
    TRY(evict_until(worker, bytes, first_statement, THAT_WERE_READ));
    *room = worker->table.bytes + bytes <= worker->table.limit_bytes;
    return DM_OK;
}

enum dm_status worker_room(struct worker *worker, size_t bytes, uint64_t first_statement)
{
    const struct block_table *table = &worker->table;
    TRY(evict_until(worker, bytes, first_statement, ALL));
    if (table->bytes + bytes <= table->limit_bytes)
        return DM_OK;
    return worker_fail(worker, DM_NO_MEMORY,
                       "a block of %zu bytes does not fit into the worker's memory: %zu of %zu "
                       "bytes hold blocks that are in use; give workers more memory",
                       bytes, table->bytes, table->limit_bytes);
}
