/* last_writer.c: copies by the thesis's rule, and chains of launches that write parts of a buffer.
 */
#include "last_writer.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "device_copies.h"

/* ---- copies between two launches ---- */

static enum dm_status add_pair(struct device_copies *list, int from, int to,
                               const struct partition_intervals *writes,
                               const struct partition_intervals *reads, bool coalesce, int64_t unit)
{
    struct partition_intervals common = {0};
    enum dm_status status = intervals_intersect(&common, &writes[from], &reads[to]);
    if (status == DM_OK)
        status = device_copies_add(list, from, to, &common, coalesce, unit);
    partition_intervals_free(&common);
    return status;
}

enum dm_status last_writer_copies(int devices, const struct partition_intervals *writes,
                                  const struct partition_intervals *reads, bool coalesce,
                                  int64_t unit, struct partition_copy **copies, size_t *count)
{
    *copies = NULL;
    *count = 0;
    TRY(device_copies_check_unit(coalesce, unit));
    struct device_copies list = {0};
    enum dm_status status = DM_OK;
    for (int to = 0; to < devices; to++)
        for (int from = 0; status == DM_OK && from < devices; from++)
            if (from != to)
                status = add_pair(&list, from, to, writes, reads, coalesce, unit);
    if (status != DM_OK) {
        free(list.items);
        return status;
    }
    *copies = list.items;
    *count = list.count;
    return DM_OK;
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

static enum dm_status make_room(struct chain *chain)
{
    if (chain->count < chain->capacity)
        return DM_OK;
    size_t capacity = chain->capacity ? 2 * chain->capacity : 8;
    struct chain_link *links = realloc(chain->links, capacity * sizeof *links);
    if (!links)
        return error_no_memory(capacity * sizeof *links);
    chain->links = links;
    chain->capacity = capacity;
    return DM_OK;
}

enum dm_status chain_add(struct chain *chain, const void *launch,
                         const struct partition_intervals *writes)
{
    size_t older = find_link(chain, launch);
    if (older == chain->count) {
        TRY(make_room(chain));
        chain->count++;
    }
    memmove(chain->links + 1, chain->links, older * sizeof *chain->links);
    chain->links[0] = (struct chain_link){launch, writes};
    return DM_OK;
}

/* Gives a device what it wrote and no later launch has written. */
static enum dm_status add_owner(struct partition_intervals *owner,
                                const struct partition_intervals *writes,
                                struct partition_intervals *covered)
{
    struct partition_intervals last = {0};
    enum dm_status status = intervals_subtract(&last, writes, covered);
    if (status == DM_OK)
        status = intervals_add(owner, &last);
    if (status == DM_OK)
        status = intervals_add(covered, &last);
    partition_intervals_free(&last);
    return status;
}

enum dm_status chain_owners(const struct chain *chain, struct partition_intervals *owner)
{
    struct partition_intervals covered = {0};
    enum dm_status status = DM_OK;
    for (int device = 0; device < chain->devices; device++)
        owner[device].count = 0;
    for (size_t i = 0; i < chain->count; i++)
        for (int device = 0; status == DM_OK && device < chain->devices; device++)
            status = add_owner(&owner[device], &chain->links[i].writes[device], &covered);
    partition_intervals_free(&covered);
    return status;
}

void chain_free(struct chain *chain)
{
    free(chain->links);
    *chain = (struct chain){0};
}
