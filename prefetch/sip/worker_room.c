/* Memory for one more block, within the worker's limit. */
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

bool worker_room(struct worker *worker, size_t bytes, uint64_t first_statement, bool needed)
{
    struct block_table *table = &worker->table;
    enum candidates last = needed ? ALL : THAT_WERE_READ, candidates = THAT_WERE_READ;
    while (table->bytes + bytes > table->limit_bytes && candidates <= last) {
        struct table_block *block = find_victim(worker, candidates, first_statement);
        if (!block)
            candidates++;
        else if (!get_evict(worker, block))
            return false;
    }
    if (table->bytes + bytes <= table->limit_bytes)
        return true;
    if (needed)
        worker_fail(worker,
                    "a block of %zu bytes does not fit into the worker's memory: %zu of %zu bytes "
                    "hold blocks that are in use; give it more with --worker-memory",
                    bytes, table->bytes, table->limit_bytes);
    return false;
}
