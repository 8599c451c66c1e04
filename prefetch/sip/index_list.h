/* index_list.h: the index sets that a loop is going to visit, made only as far as somebody looks.
 *
 * The list is a bounded buffer: index_list_update consumes at the front, looking at the last entry
 * produces one more, and each GET statement has a position of its own that roams ahead (Peshne
 * 2018, 4.2.2, algorithms 4.2 to 4.6, figures 4-1 and 4-2). How index sets follow one another is
 * the source's business, so every kind of loop can be prefetched, and the distance may differ per
 * statement and change at any time.
 *
 * Filled in where the printed algorithms are silent: the list starts with the loop's first set; it
 * grows only while the source has more; a position moves on by one with each set it returned; when
 * the front is consumed, a position that would lie before it is moved to it. */
#ifndef PREFETCH_SIP_INDEX_LIST_H
#define PREFETCH_SIP_INDEX_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

enum { INDEX_SET_MAX = 8 }; /* indices of a loop */

struct index_set {
    int value[INDEX_SET_MAX];
};

/* Where index sets come from. Both functions are pure: they depend on nothing that changes while
 * the loop runs. */
struct index_source {
    bool (*first)(const void *context, struct index_set *set);
    bool (*next)(const void *context, const struct index_set *current, struct index_set *next);
    const void *context;
};

/* What happened to the list, for figures 4-1 and 4-2. */
enum index_list_event { INDEX_LIST_UPDATE, INDEX_LIST_PEEK, INDEX_LIST_PREFETCH };
struct index_list_observer {
    /* Every update and prefetch that gets a set is a PEEK followed by its own event. site: of a
     * PREFETCH, else -1. before, length: entries before and after the event. front: number of the
     * first entry after the event, counted from the loop's start. position: number of the entry
     * that was looked at. */
    void (*see)(void *context, enum index_list_event event, int site, size_t before, size_t length,
                uint64_t front, uint64_t position);
    void *context;
};

struct index_list;

/* The list of a loop that starts now, for `sites` statements (0 to sites - 1). `observer` may be
 * NULL. The source's context must outlive the list. DM_NO_MEMORY: *list is NULL. */
enum dm_status index_list_open(struct index_list **list, const struct index_source *source,
                               int sites, const struct index_list_observer *observer);
void index_list_close(struct index_list *list);

/* Algorithm 4.6: the next set becomes the current one. False: the loop is over. Exact even if there
 * is no memory to look ahead. */
bool index_list_update(struct index_list *list, struct index_set *current);

/* Algorithm 4.5: the set after the one this site got last; at first, or if the loop has passed it,
 * the one after the current set. False: the loop has no more, or there is no memory to look further
 * ahead now. */
bool index_list_prefetch(struct index_list *list, int site, struct index_set *set);

/* How many sets the site is ahead of the current one: sets it got that update has not made current
 * yet. */
size_t index_list_ahead(const struct index_list *list, int site);

/* Entries now; 0: nothing left. */
size_t index_list_length(const struct index_list *list);

#endif
