#include "prefetch/sip/index_list.h"

#include <stdlib.h>

#include "common/error.h"

enum { FIRST_CAPACITY = 4 }; /* a power of two, at least 2: update always finds room for one more */

struct index_list {
    struct index_source source;
    struct index_list_observer observer;
    struct index_set *entries; /* a ring: entry number n stands at n % capacity */
    size_t capacity, length;   /* the capacity is a power of two */
    uint64_t front;            /* number of the first entry, counted from the loop's start */
    bool ended;                /* the last entry is the loop's last set */
    int sites;
    uint64_t
        position[]; /* by site: number of the set to return next, if it is not before the front */
};

enum dm_status index_list_open(struct index_list **opened, const struct index_source *source,
                               int sites, const struct index_list_observer *observer)
{
    size_t bytes = sizeof(struct index_list) + (size_t)sites * sizeof(uint64_t);
    struct index_list *list = calloc(1, bytes);
    *opened = NULL;
    if (!list)
        return error_no_memory(bytes);
    list->source = *source;
    if (observer)
        list->observer = *observer;
    list->sites = sites;
    list->capacity = FIRST_CAPACITY;
    list->entries = malloc(list->capacity * sizeof *list->entries);
    if (!list->entries) {
        free(list);
        return error_no_memory(FIRST_CAPACITY * sizeof *list->entries);
    }
    list->ended = !source->first(source->context, &list->entries[0]);
    list->length = !list->ended;
    *opened = list;
    return DM_OK;
}

void index_list_close(struct index_list *list)
{
    if (list)
        free(list->entries);
    free(list);
}

static struct index_set *entry(const struct index_list *list, uint64_t number)
{
    return &list->entries[number & (list->capacity - 1)];
}

static uint64_t end(const struct index_list *list)
{
    return list->front + list->length;
}

static bool make_room(struct index_list *list)
{
    if (list->length < list->capacity)
        return true;
    size_t capacity = 2 * list->capacity;
    struct index_set *entries = malloc(capacity * sizeof *entries);
    if (!entries)
        return false;
    for (uint64_t number = list->front; number < end(list); number++)
        entries[number & (capacity - 1)] = *entry(list, number);
    free(list->entries);
    list->entries = entries;
    list->capacity = capacity;
    return true;
}

/* Appends the set after the last one, if there is one and memory for it. */
static void extend(struct index_list *list)
{
    if (list->ended || !make_room(list))
        return;
    uint64_t new = end(list);
    if (list->source.next(list->source.context, entry(list, new - 1), entry(list, new)))
        list->length++;
    else
        list->ended = true;
}

static void tell(const struct index_list *list, enum index_list_event event, int site,
                 size_t before, uint64_t position)
{
    if (list->observer.see)
        list->observer.see(list->observer.context, event, site, before, list->length, list->front,
                           position);
}

/* Algorithm 4.4: the entry of that number; one more is made if it is the last. */
static struct index_set peek(struct index_list *list, uint64_t number)
{
    size_t before = list->length;
    if (number + 1 == end(list))
        extend(list);
    tell(list, INDEX_LIST_PEEK, -1, before, number);
    return *entry(list, number);
}

bool index_list_update(struct index_list *list, struct index_set *current)
{
    if (list->length == 0)
        return false;
    *current = peek(list, list->front);
    list->front++;
    list->length--;
    tell(list, INDEX_LIST_UPDATE, -1, list->length + 1, list->front - 1);
    return true;
}

/* Where the site goes on: not before the front, also if it skipped iterations. */
static uint64_t position_of(const struct index_list *list, int site)
{
    return list->position[site] > list->front ? list->position[site] : list->front;
}

bool index_list_prefetch(struct index_list *list, int site, struct index_set *set)
{
    uint64_t number = position_of(list, site);
    if (number == end(list))
        return false;
    *set = peek(list, number);
    list->position[site] = number + 1;
    tell(list, INDEX_LIST_PREFETCH, site, list->length, number);
    return true;
}

size_t index_list_ahead(const struct index_list *list, int site)
{
    return (size_t)(position_of(list, site) - list->front);
}

size_t index_list_length(const struct index_list *list)
{
    return list->length;
}
