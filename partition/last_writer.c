/* last_writer.c: copies by the thesis's rule, and chains of launches that write parts of a buffer.
 */
#include "last_writer.h"

#include <stdlib.h>
#include <string.h>

#include "device_copies.h"

/* ---- copies between two launches ---- */

static bool add_pair(struct device_copies *list, int from, int to, const struct intervals *writes,
                     const struct intervals *reads, bool coalesce, int64_t unit)
{
    struct intervals common = {0};
    bool done = intervals_intersect(&common, &writes[from], &reads[to]) &&
                device_copies_add(list, from, to, &common, coalesce, unit);
    intervals_free(&common);
    return done;
}

bool last_writer_copies(int devices, const struct intervals *writes, const struct intervals *reads,
                        bool coalesce, int64_t unit, struct device_copy **copies, size_t *count,
                        char reason[PARTITION_REASON])
{
    *copies = NULL;
    *count = 0;
    if (!device_copies_unit_is_valid(coalesce, unit, reason))
        return false;
    struct device_copies list = {0};
    for (int to = 0; to < devices; to++)
        for (int from = 0; from < devices; from++)
            if (from != to && !add_pair(&list, from, to, writes, reads, coalesce, unit)) {
                free(list.items);
                return device_copies_no_memory(reason);
            }
    *copies = list.items;
    *count = list.count;
    return true;
}

/* ---- chains of launches ---- */

/* Where the launch is in the chain; count if it is not. */
static size_t find_link(const struct chain *chain, const void *launch)
{
    size_t i = 0;
    while (i < chain->count && chain->links[i].launch != launch)
        i++;
    return i;
}

static bool make_room(struct chain *chain)
{
    if (chain->count < chain->capacity)
        return true;
    size_t capacity = chain->capacity ? 2 * chain->capacity : 8;
    struct chain_link *links = realloc(chain->links, capacity * sizeof *links);
    if (!links)
        return false;
    chain->links = links;
    chain->capacity = capacity;
    return true;
}

bool chain_add(struct chain *chain, const void *launch, const struct intervals *writes)
{
    size_t older = find_link(chain, launch);
    if (older == chain->count) {
        if (!make_room(chain))
            return false;
        chain->count++;
    }
    memmove(chain->links + 1, chain->links, older * sizeof *chain->links);
    chain->links[0] = (struct chain_link){launch, writes};
    return true;
}

/* Gives a device what it wrote and no later launch has written. */
static bool add_owner(struct intervals *owner, const struct intervals *writes,
                      struct intervals *covered)
{
    struct intervals last = {0};
    bool done = intervals_subtract(&last, writes, covered) && intervals_add(owner, &last) &&
                intervals_add(covered, &last);
    intervals_free(&last);
    return done;
}

bool chain_owners(const struct chain *chain, struct intervals *owner)
{
    struct intervals covered = {0};
    bool done = true;
    for (int device = 0; device < chain->devices; device++)
        owner[device].count = 0;
    for (size_t i = 0; i < chain->count; i++)
        for (int device = 0; done && device < chain->devices; device++)
            done = add_owner(&owner[device], &chain->links[i].writes[device], &covered);
    intervals_free(&covered);
    return done;
}

void chain_free(struct chain *chain)
{
    free(chain->links);
    *chain = (struct chain){0};
}
