#include "gather.h"

#include <stdlib.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

/* How much each rank has, and where it goes. On rank 0 only. */
struct layout {
    int *counts, *offsets;
    size_t total;
};

static struct layout gather_counts(size_t count)
{
    struct layout layout = {0};
    int mine = (int)count;
    if (ranks.rank == 0) {
        layout.counts = allocate_or_fail((size_t)ranks.count, sizeof(int));
        layout.offsets = allocate_or_fail((size_t)ranks.count, sizeof(int));
    }
    check_mpi(MPI_Gather(&mine, 1, MPI_INT, layout.counts, 1, MPI_INT, 0, MPI_COMM_WORLD));
    for (int rank = 0; ranks.rank == 0 && rank < ranks.count; rank++) {
        layout.offsets[rank] = (int)layout.total;
        layout.total += (size_t)layout.counts[rank];
    }
    return layout;
}

static void free_layout(struct layout *layout)
{
    free(layout->counts);
    free(layout->offsets);
}

/* `count` items from this rank; all items by rank. total may be NULL. */
static void *gather(const void *items, size_t count, size_t bytes, size_t *total)
{
    MPI_Datatype item;
    struct layout layout = gather_counts(count);
    void *all = ranks.rank == 0 ? allocate_or_fail(layout.total, bytes) : NULL;
    check_mpi(MPI_Type_contiguous((int)bytes, MPI_BYTE, &item));
    check_mpi(MPI_Type_commit(&item));
    check_mpi(MPI_Gatherv(items, (int)count, item, all, layout.counts, layout.offsets, item, 0,
                          MPI_COMM_WORLD));
    check_mpi(MPI_Type_free(&item));
    if (total)
        *total = layout.total;
    free_layout(&layout);
    return all;
}

struct prefetch_counters *sip_gather_workers(const struct prefetch_result *result)
{
    return gather(&result->counters, result->is_worker, sizeof result->counters, NULL);
}

struct prefetch_server_counters *sip_gather_servers(const struct prefetch_result *result)
{
    return gather(&result->server, result->is_server, sizeof result->server, NULL);
}

struct prefetch_wait *sip_gather_waits(const struct prefetch_result *result, size_t *count)
{
    return gather(result->waits, result->is_worker ? result->wait_count : 0,
                  sizeof(struct prefetch_wait), count);
}

struct prefetch_event *sip_gather_events(const struct prefetch_result *result, size_t *count)
{
    return gather(result->events, result->is_worker ? result->event_count : 0,
                  sizeof(struct prefetch_event), count);
}
