#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "prefetch/sip/store_memory.h"

enum dm_status store_create(struct store **created, const struct store_config *config)
{
    struct store *store = calloc(1, sizeof *store);
    *created = NULL;
    if (!store)
        return error_no_memory(sizeof *store);
    enum dm_status status =
        spill_file_create(&store->file, config->spill_directory, config->spill_limit_bytes);
    if (status != DM_OK) {
        free(store);
        return status;
    }
    store->limit = config->limit_bytes;
    for (int i = 0; i < 2; i++)
        store->rings[i].hotter = store->rings[i].colder = &store->rings[i];
    *created = store;
    return DM_OK;
}

void store_destroy(struct store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->table.chain_count; i++)
        for (struct store_entry *entry = store->table.chains[i], *next; entry; entry = next) {
            next = entry->chain;
            if (!entry->resident)
                free(entry->data);
            free(entry);
        }
    free(store->table.chains);
    free(store->rules);
    spill_file_destroy(store->file);
    free(store);
}

/* ---- arrays ---- */

static enum dm_status rule_of_new(struct store *store, int array, struct array_rule **rule)
{
    if (array >= store->rule_count) {
        size_t bytes = ((size_t)array + 1) * sizeof *store->rules;
        struct array_rule *rules = realloc(store->rules, bytes);
        if (!rules)
            return error_no_memory(bytes);
        memset(&rules[store->rule_count], 0,
               (size_t)(array + 1 - store->rule_count) * sizeof *rules);
        store->rules = rules;
        store->rule_count = array + 1;
    }
    *rule = &store->rules[array];
    return DM_OK;
}

enum dm_status store_set_resident(struct store *store, int array,
                                  double *(*place)(void *context, struct block_id id),
                                  void *context)
{
    struct array_rule *rule = NULL;
    TRY(rule_of_new(store, array, &rule));
    rule->place = place;
    rule->context = context;
    return DM_OK;
}

enum dm_status store_set_served(struct store *store, int array)
{
    struct array_rule *rule = NULL;
    TRY(rule_of_new(store, array, &rule));
    rule->served = true;
    return DM_OK;
}

static double *place_of(const struct store *store, struct block_id id)
{
    if (id.array >= store->rule_count || !store->rules[id.array].place)
        return NULL;
    return store->rules[id.array].place(store->rules[id.array].context, id);
}

/* ---- blocks ---- */

static enum store_outcome create(struct store *store, struct block_id id, size_t elements,
                                 struct store_entry **created)
{
    struct store_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return STORE_NO_MEMORY;
    *entry = (struct store_entry){.id = id, .elements = elements, .stamp.epoch = -1};
    entry->data = place_of(store, id);
    entry->resident = entry->data != NULL;
    enum store_outcome status = STORE_OK;
    if (!store_table_insert(&store->table, entry)) {
        free(entry);
        return STORE_NO_MEMORY;
    }
    if (!entry->resident)
        status = store_provide(store, entry);
    if (status != STORE_OK) {
        store_table_remove(&store->table, entry);
        free(entry);
        return status;
    }
    *created = entry;
    return STORE_OK;
}

/* Makes an existing block ready in memory, out of the ring. */
static enum store_outcome bring(struct store *store, struct store_entry *entry,
                                enum store_intent intent)
{
    if (!entry->data)
        return store_load(store, entry, intent != STORE_WRITE);
    if (entry->acquired == 0 && !entry->resident)
        store_unlink(entry);
    return STORE_OK;
}

enum store_outcome store_acquire(struct store *store, struct block_id id, size_t elements,
                                 enum store_intent intent, double **data,
                                 struct store_stamp **stamp)
{
    struct store_entry *entry = store_table_find(&store->table, id);
    if (!entry && intent == STORE_READ)
        return STORE_MISSING;
    if (elements == 0 || elements > SIZE_MAX / sizeof(double) ||
        (entry && entry->elements != elements))
        return STORE_WRONG_SIZE;
    bool is_new = !entry;
    enum store_outcome status =
        is_new ? create(store, id, elements, &entry) : bring(store, entry, intent);
    if (status != STORE_OK)
        return status;
    if (is_new && intent == STORE_UPDATE)
        memset(entry->data, 0, store_bytes(entry));
    entry->acquired++;
    *data = entry->data;
    if (stamp)
        *stamp = &entry->stamp;
    return STORE_OK;
}

bool store_release(struct store *store, struct block_id id, bool changed)
{
    struct store_entry *entry = store_table_find(&store->table, id);
    if (!entry || entry->acquired == 0)
        return false;
    entry->changed |= changed;
    if (--entry->acquired == 0 && !entry->resident)
        store_link(store, entry);
    return true;
}

bool store_has(struct store *store, struct block_id id, struct store_stamp *stamp)
{
    const struct store_entry *entry = store_table_find(&store->table, id);
    if (entry && stamp)
        *stamp = entry->stamp;
    return entry != NULL;
}

static void forget(struct store *store, struct store_entry *entry)
{
    if (entry->data && !entry->resident) {
        store_unlink(entry);
        store_free_data(store, entry);
    }
    spill_file_release(store->file, &entry->slot);
    store_table_remove(&store->table, entry);
    free(entry);
}

bool store_drop_array(struct store *store, int array)
{
    size_t chain = 0;
    for (struct store_entry *entry = NULL;
         (entry = store_table_next(&store->table, &chain, entry));)
        if (entry->id.array == array && entry->acquired > 0)
            return false;
    struct store_entry *entry = store_table_next(&store->table, &chain, NULL);
    while (entry) {
        struct store_entry *next = store_table_next(&store->table, &chain, entry);
        if (entry->id.array == array)
            forget(store, entry);
        entry = next;
    }
    return true;
}

static int compare_numbers(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

enum dm_status store_list(const struct store *store, int array, int64_t **numbers, size_t *count)
{
    *numbers = NULL;
    *count = 0;
    size_t chain = 0;
    for (struct store_entry *entry = NULL;
         (entry = store_table_next(&store->table, &chain, entry));)
        *count += entry->id.array == array;
    if (*count == 0)
        return DM_OK;
    int64_t *list = malloc(*count * sizeof *list);
    if (!list)
        return error_no_memory(*count * sizeof *list);
    size_t at = 0;
    for (struct store_entry *entry = NULL;
         (entry = store_table_next(&store->table, &chain, entry));)
        if (entry->id.array == array)
            list[at++] = entry->id.number;
    qsort(list, *count, sizeof *list, compare_numbers);
    *numbers = list;
    return DM_OK;
}

enum store_outcome store_flush(struct store *store)
{
    size_t chain = 0;
    for (struct store_entry *entry = NULL;
         (entry = store_table_next(&store->table, &chain, entry));) {
        if (!entry->data || entry->resident || !store_is_served(store, entry->id.array))
            continue;
        enum store_outcome status = store_save(store, entry);
        if (status != STORE_OK)
            return status;
    }
    return STORE_OK;
}

void store_counters(const struct store *store, struct store_counters *counters)
{
    *counters = store->counters;
    counters->blocks = store->table.count;
    counters->memory_bytes = store->memory;
    counters->disk_bytes = spill_file_used_bytes(store->file);
}

const char *store_outcome_text(enum store_outcome status)
{
    switch (status) {
    case STORE_OK:
        return "all is well";
    case STORE_MISSING:
        return "the block was never put";
    case STORE_NO_MEMORY:
        return "there is no room in memory: give the servers more memory";
    case STORE_NO_SPACE:
        return "the disk is full: make room in the spill directory or raise the limit on spilling";
    case STORE_DISK_ERROR:
        return "the spill directory cannot be written or read: choose another one";
    case STORE_WRONG_SIZE:
        return "the block has another number of elements";
    }
    return "unknown";
}
