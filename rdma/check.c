/* check.c: whether a path can be taken. Each rank checks what it can see alone; then both tell each
 * other their findings and their configurations. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"

#include "path.h"

/* What a rank tells the other. */
struct statement {
    char host[64];
    char kernel[KERNEL_NAME_BYTES]; /* containers may have the same host name */
    char bus_id[32];                /* of the GPU, for paths that need two */
    int is_automatic;
    int path, place, peer_place, window, store_blocks;
    size_t bytes, chunk_bytes;
};

/* ---- what a rank sees alone ---- */

static bool is_path(enum rdma_path path)
{
    return (unsigned)path < RDMA_PATHS;
}

static bool is_place(enum rdma_place place)
{
    return (unsigned)place < RDMA_PLACES;
}

static bool goes_between(enum rdma_path path, const struct rdma_config *config)
{
    return rdma_path_goes(path, config->place, config->peer_place) &&
           rdma_path_goes(path, config->peer_place, config->place);
}

/* "H D, P D, D D": from where to where. */
static void list_pairs(enum rdma_path path, char *list, size_t bytes)
{
    list[0] = '\0';
    for (enum rdma_place from = 0; from < RDMA_PLACES; from++)
        for (enum rdma_place to = 0; to < RDMA_PLACES; to++)
            if (rdma_path_goes(path, from, to))
                snprintf(list + strlen(list), bytes - strlen(list), "%s%c %c", list[0] ? ", " : "",
                         rdma_place_letter(from), rdma_place_letter(to));
}

static enum dm_status check_places(const struct rdma_config *config)
{
    char pairs[64];
    if (goes_between(config->path, config))
        return DM_OK;
    list_pairs(config->path, pairs, sizeof pairs);
    return dm_fail(DM_INVALID, "path %s does not go between %c and %c: choose one of %s",
                   rdma_path_name(config->path), rdma_place_letter(config->place),
                   rdma_place_letter(config->peer_place), pairs);
}

static enum dm_status check_numbers(const struct rdma_config *config)
{
    if (!is_path(config->path))
        return dm_fail(DM_INVALID, "no path has the number %d: choose one of 0 to %d",
                       (int)config->path, RDMA_PATHS - 1);
    if (!is_place(config->place) || !is_place(config->peer_place))
        return dm_fail(DM_INVALID, "unknown place of a buffer: choose H, P or D");
    if (config->bytes == 0 || config->window < 1)
        return dm_fail(DM_INVALID,
                       "an end for blocks of %zu bytes and a window of %d: both must be at least 1",
                       config->bytes, config->window);
    if (!(config->wait_limit_s > 0))
        return dm_fail(DM_INVALID, "a wait limit of %g s: it must be more than 0",
                       config->wait_limit_s);
    if (config->local_ranks < 0)
        return dm_fail(DM_INVALID, "%d ranks on this node: 0 leaves them to be counted",
                       config->local_ranks);
    return DM_OK;
}

static enum dm_status check_alone(const struct rdma_config *config)
{
    TRY(check_numbers(config));
    TRY(check_places(config));
    const struct path *path = path_of(config->path);
    if (path->needs_devices && config->place == RDMA_DEVICE && config->device < 0)
        return dm_fail(
            DM_INVALID,
            "the buffers are to be in GPU memory, but this rank has no GPU: choose H or P for it");
    if (path->own_buffers && (config->send_buffer || config->receive_buffer))
        return dm_fail(DM_UNAVAILABLE,
                       "path %s maps memory between the ranks and allocates the buffers itself: "
                       "use those, or choose another path for your own",
                       rdma_path_name(config->path));
    return path->check ? path->check(config) : DM_OK;
}

/* ---- what both see ---- */

static struct statement state(const struct rdma_config *config, bool is_automatic)
{
    struct statement statement;
    memset(&statement, 0, sizeof statement);
    gethostname(statement.host, sizeof statement.host - 1);
    kernel_name(statement.kernel);
    if (config->device >= 0 && is_path(config->path) && path_of(config->path)->own_devices)
        cudaDeviceGetPCIBusId(statement.bus_id, sizeof statement.bus_id, config->device);
    statement.is_automatic = is_automatic;
    statement.path = (int)config->path;
    statement.place = (int)config->place;
    statement.peer_place = (int)config->peer_place;
    statement.window = config->window;
    statement.store_blocks = config->store_blocks;
    statement.bytes = config->bytes;
    statement.chunk_bytes = config->chunk_bytes;
    return statement;
}

static bool are_on_one_host(const struct statement *a, const struct statement *b)
{
    return strcmp(a->host, b->host) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

static bool fit(const struct statement *a, const struct statement *b)
{
    return a->is_automatic == b->is_automatic && a->path == b->path && a->place == b->peer_place &&
           a->peer_place == b->place && a->window == b->window && a->bytes == b->bytes &&
           a->chunk_bytes == b->chunk_bytes && a->store_blocks == b->store_blocks;
}

static const char *requested(const struct statement *statement)
{
    return rdma_path_name(statement->is_automatic ? RDMA_AUTOMATIC
                                                  : (enum rdma_path)statement->path);
}

/* The lower rank's statement comes first, so that both ranks come to the same sentence. */
static enum dm_status check_together(const struct contact *contact, const struct statement *a,
                                     const struct statement *b)
{
    const int lower = contact->rank < contact->peer ? contact->world_rank : contact->world_peer;
    const int higher = contact->rank < contact->peer ? contact->world_peer : contact->world_rank;
    if (!fit(a, b))
        return dm_fail(DM_INVALID,
                       "ranks %d and %d open different ends (path %s and %s, %zu and %zu bytes, "
                       "window %d and %d): give both the same options",
                       lower, higher, requested(a), requested(b), a->bytes, b->bytes, a->window,
                       b->window);
    if (path_of(contact->path)->same_host && !are_on_one_host(a, b))
        return dm_fail(DM_UNAVAILABLE,
                       "path %s needs both ranks on one host, but they are on %s and %s: start "
                       "both on one, or choose staged or pipelined",
                       rdma_path_name(contact->path), a->host, b->host);
    if (path_of(contact->path)->own_devices && are_on_one_host(a, b) &&
        strcmp(a->bus_id, b->bus_id) == 0)
        return dm_fail(DM_UNAVAILABLE,
                       "path %s needs a GPU for each rank, but both ranks have GPU %s: give them "
                       "different ones",
                       rdma_path_name(contact->path), a->bus_id);
    return DM_OK;
}

enum dm_status path_check(struct contact *contact, const struct rdma_config *config,
                          enum rdma_path path)
{
    struct rdma_config chosen = *config;
    chosen.path = contact->path = path;
    struct statement mine = state(&chosen, config->path == RDMA_AUTOMATIC), theirs;
    TRY(contact_exchange(contact, check_alone(&chosen), &mine, &theirs, sizeof mine));
    return contact->rank < contact->peer ? check_together(contact, &mine, &theirs)
                                         : check_together(contact, &theirs, &mine);
}

/* ---- candidates ---- */

int path_candidates(const struct rdma_config *config, enum rdma_path candidates[RDMA_PATHS])
{
    /* Beginning with the shortest way. */
    static const enum rdma_path order[] = {RDMA_PEER_COPY, RDMA_PIPELINED_SHARED, RDMA_CUDA_AWARE,
                                           RDMA_NCCL, RDMA_PIPELINED};
    int count = 0;
    candidates[0] = config->path == RDMA_AUTOMATIC ? RDMA_HOST : config->path;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (config->path == RDMA_AUTOMATIC && goes_between(order[i], config))
            candidates[count++] = order[i];
    return count > 0 ? count : 1;
}

enum dm_status rdma_check(const struct rdma_config *config)
{
    struct contact contact;
    enum rdma_path candidates[RDMA_PATHS];
    enum dm_status status = DM_UNAVAILABLE;
    TRY(contact_make(&contact, config));
    const int count = path_candidates(config, candidates);
    for (int i = 0; i < count && status == DM_UNAVAILABLE; i++)
        status = path_check(&contact, config, candidates[i]);
    return status;
}
