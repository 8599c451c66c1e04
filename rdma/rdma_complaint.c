/* rdma_complaint.c: whether a path can be taken. Each rank looks for itself, then both tell one
 * another what they found and what they were asked to open. */
#include "rdma_internal.h"

#include "ranks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 512 };

/* What a rank tells the other. */
struct statement {
    char host[64];
    char kernel[RDMA_KERNEL_NAME]; /* containers may have the same host name */
    int rank;                      /* in MPI_COMM_WORLD */
    int path, place, peer_place, window, store_blocks;
    size_t bytes, chunk_bytes;
    char complaint[TEXT_BYTES]; /* empty: none */
};

static void complain(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, TEXT_BYTES, format, arguments);
    va_end(arguments);
}

/* ---- what a rank sees alone ---- */

static bool is_place(enum rdma_place place)
{
    return (unsigned)place < RDMA_PLACES;
}

static bool goes(const struct rdma_config *config)
{
    const struct rdma_path_info *path = &rdma_paths[config->path];
    return path->goes[config->place][config->peer_place] &&
           path->goes[config->peer_place][config->place];
}

/* "H D, P D, D D": from where to where. */
static void list_pairs(enum rdma_path path, char *list, size_t bytes)
{
    list[0] = '\0';
    for (int from = 0; from < RDMA_PLACES; from++)
        for (int to = 0; to < RDMA_PLACES; to++)
            if (rdma_paths[path].goes[from][to])
                snprintf(list + strlen(list), bytes - strlen(list), "%s%c %c", list[0] ? ", " : "",
                         rdma_place_letter((enum rdma_place)from),
                         rdma_place_letter((enum rdma_place)to));
}

static void complain_about_places(const struct rdma_config *config, char *text)
{
    char pairs[64];
    list_pairs(config->path, pairs, sizeof pairs);
    complain(text, "path %s does not go between %c and %c: choose one of %s",
             rdma_path_name(config->path), rdma_place_letter(config->place),
             rdma_place_letter(config->peer_place), pairs);
}

static void complain_alone(const struct rdma_config *config, char *text)
{
    text[0] = '\0';
    if ((unsigned)config->path >= RDMA_PATHS) {
        complain(text, "there is no path with the number %d: choose one of 0 to %d",
                 (int)config->path, RDMA_PATHS - 1);
        return;
    }
    const struct rdma_operations *operations = rdma_operations_of(config->path);
    const char *more = NULL;
    if (!is_place(config->place) || !is_place(config->peer_place))
        complain(text, "there is no such place of a buffer: choose H, P or D");
    else if (config->bytes == 0 || config->window < 1)
        complain(text, "an end for blocks of %zu bytes and a window of %d: both must be at least 1",
                 config->bytes, config->window);
    else if (!(config->wait_limit_s > 0))
        complain(text, "a wait limit of %g s: it must be more than 0", config->wait_limit_s);
    else if (!goes(config))
        complain_about_places(config, text);
    else if (operations->needs_devices && config->place == RDMA_DEVICE && config->device < 0)
        complain(
            text,
            "the buffers are to be in GPU memory, but this rank has no GPU: choose H or P for it");
    else if (operations->complaint && (more = operations->complaint(config)))
        complain(text, "%s", more);
}

/* ---- what both see ---- */

static bool same_host(const struct statement *a, const struct statement *b)
{
    return strcmp(a->host, b->host) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

static bool fits(const struct statement *a, const struct statement *b)
{
    return a->path == b->path && a->place == b->peer_place && a->peer_place == b->place &&
           a->window == b->window && a->bytes == b->bytes && a->chunk_bytes == b->chunk_bytes &&
           a->store_blocks == b->store_blocks;
}

/* From both statements, the lower rank's first, so that both ranks come to the same text. */
static void complain_together(const struct statement *a, const struct statement *b, char *text)
{
    text[0] = '\0';
    if (strcmp(a->complaint, b->complaint) == 0)
        strcpy(text, a->complaint);
    else if (a->complaint[0])
        complain(text, "rank %d: %.480s", a->rank, a->complaint);
    else if (b->complaint[0])
        complain(text, "rank %d: %.480s", b->rank, b->complaint);
    if (text[0])
        return;
    if (!fits(a, b))
        complain(text,
                 "ranks %d and %d ask for different ends (path %s and %s, %zu and %zu bytes, "
                 "window %d and %d): give both the same options",
                 a->rank, b->rank, rdma_path_name((enum rdma_path)a->path),
                 rdma_path_name((enum rdma_path)b->path), a->bytes, b->bytes, a->window, b->window);
    else if (rdma_operations_of((enum rdma_path)a->path)->same_host && !same_host(a, b))
        complain(text,
                 "path %s needs both ranks on one host, but they are on %s and %s: start both on "
                 "one, or choose staged or pipelined",
                 rdma_path_name((enum rdma_path)a->path), a->host, b->host);
}

static struct statement state(const struct rdma_config *config)
{
    struct statement statement;
    memset(&statement, 0, sizeof statement);
    gethostname(statement.host, sizeof statement.host - 1);
    rdma_kernel_name(statement.kernel);
    statement.rank = ranks.rank;
    statement.path = (int)config->path;
    statement.place = (int)config->place;
    statement.peer_place = (int)config->peer_place;
    statement.window = config->window;
    statement.store_blocks = config->store_blocks;
    statement.bytes = config->bytes;
    statement.chunk_bytes = config->chunk_bytes;
    complain_alone(config, statement.complaint);
    return statement;
}

const char *rdma_complaint(const struct rdma_config *config)
{
    static char text[TEXT_BYTES];
    const double usual_limit_s = 60; /* to tell the other rank that this one's limit is none */
    struct rdma_config exchange = *config;
    struct statement mine = state(config), theirs;
    int rank, count;
    check_mpi(MPI_Comm_rank(config->ranks, &rank));
    check_mpi(MPI_Comm_size(config->ranks, &count));
    if (config->peer < 0 || config->peer >= count || config->peer == rank) {
        complain(text, "rank %d cannot be the other rank: choose another one of %d", config->peer,
                 count);
        return text;
    }
    if (!(config->wait_limit_s > 0))
        exchange.wait_limit_s = usual_limit_s;
    rdma_exchange(&exchange, &mine, &theirs, sizeof mine);
    if (rank < config->peer)
        complain_together(&mine, &theirs, text);
    else
        complain_together(&theirs, &mine, text);
    return text[0] ? text : NULL;
}
