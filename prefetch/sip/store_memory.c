#include "prefetch/sip/store_memory.h"

#include <stdlib.h>

enum { BLOCK_ALIGNMENT = 64 };

void store_link(struct store *store, struct store_entry *entry)
{
    struct store_entry *ring = &store->rings[store_is_served(store, entry->id.array)];
    entry->hotter = ring;
    entry->colder = ring->colder;
    ring->colder->hotter = entry;
    ring->colder = entry;
}

void store_unlink(struct store_entry *entry)
{
    entry->hotter->colder = entry->colder;
    entry->colder->hotter = entry->hotter;
}

enum store_outcome store_save(struct store *store, struct store_entry *entry)
{
    if (!entry->changed)
        return STORE_OK;
    enum store_outcome status =
        spill_file_write(store->file, &entry->slot, entry->data, store_bytes(entry));
    if (status != STORE_OK)
        return status;
    entry->changed = false;
    store->counters.spills++;
    store->counters.spilled_bytes += store_bytes(entry);
    return STORE_OK;
}

void store_free_data(struct store *store, struct store_entry *entry)
{
    free(entry->data);
    entry->data = NULL;
    store->memory -= store_bytes(entry);
}

static enum store_outcome evict(struct store *store, struct store_entry *entry)
{
    enum store_outcome status = store_save(store, entry);
    if (status != STORE_OK)
        return status;
    store_unlink(entry);
    store_free_data(store, entry);
    return STORE_OK;
}

/* The coldest block, of served arrays first; NULL: none may leave. */
static struct store_entry *coldest(struct store *store)
{
    for (int served = 1; served >= 0; served--)
        if (store->rings[served].hotter != &store->rings[served])
            return store->rings[served].hotter;
    return NULL;
}

/* For when the disk is full or broken: a block that needs no new place there. */
static enum store_outcome evict_saved(struct store *store, enum store_outcome why)
{
    for (int served = 1; served >= 0; served--)
        for (struct store_entry *ring = &store->rings[served], *entry = ring->hotter; entry != ring;
             entry = entry->hotter)
            if (entry->slot.bytes > 0 && evict(store, entry) == STORE_OK)
                return STORE_OK;
    return why;
}

/* Lets blocks leave until there is room for `bytes` more. */
static enum store_outcome make_room(struct store *store, size_t bytes)
{
    if (bytes > store->limit)
        return STORE_NO_MEMORY;
    while (store->memory > store->limit - bytes) {
        struct store_entry *entry = coldest(store);
        if (!entry)
            return STORE_NO_MEMORY;
        enum store_outcome status = evict(store, entry);
        if (status != STORE_OK)
            status = evict_saved(store, status);
        if (status != STORE_OK)
            return status;
    }
    return STORE_OK;
}

static double *allocate(struct store *store, size_t bytes)
{
    size_t whole = (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    double *data = whole >= bytes ? aligned_alloc(BLOCK_ALIGNMENT, whole) : NULL;
    if (data)
        store->memory += bytes;
    return data;
}

static enum store_outcome read_back(struct store *store, struct store_entry *entry)
{
    enum store_outcome status = spill_file_read(store->file, &entry->slot, entry->data);
    if (status != STORE_OK)
        return status;
    store->counters.loads++;
    store->counters.loaded_bytes += store_bytes(entry);
    return STORE_OK;
}

/* Where nothing can leave, the limit is passed by one block, because what is there must stay of
 * use. Where that is for a full disk, the block gives up its place there, and another one takes it.
 */
enum store_outcome store_load(struct store *store, struct store_entry *entry, bool wanted)
{
    enum store_outcome room = make_room(store, store_bytes(entry));
    if (room == STORE_NO_MEMORY)
        return room;
    entry->data = allocate(store, store_bytes(entry));
    if (!entry->data)
        return STORE_NO_MEMORY;
    enum store_outcome status = wanted ? read_back(store, entry) : STORE_OK;
    if (status != STORE_OK) {
        store_free_data(store, entry);
        return status;
    }
    entry->changed = !wanted;
    if (room == STORE_NO_SPACE) {
        spill_file_release(store->file, &entry->slot);
        entry->changed = true;
        make_room(store, 0);
    }
    return STORE_OK;
}

enum store_outcome store_provide(struct store *store, struct store_entry *entry)
{
    enum store_outcome status = make_room(store, store_bytes(entry));
    if (status != STORE_OK)
        return status;
    entry->data = allocate(store, store_bytes(entry));
    entry->changed = true;
    return entry->data ? STORE_OK : STORE_NO_MEMORY;
}
