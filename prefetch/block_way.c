#include "block_way.h"

#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"
#include "common/harness/scope.h"

static bool is_transport(const struct block_way *way)
{
    return way->kind >= MESSAGES;
}

static struct transport_config config_of(const struct block_way *way)
{
    return (struct transport_config){
        .job = MPI_COMM_WORLD,
        .workers = 1,
        .servers = 1,
        .kind = way->kind == WINDOW ? TRANSPORT_WINDOW : TRANSPORT_MESSAGES,
        .arrays = &way->array,
        .array_count = 1,
        .server_memory_bytes = 2 * (size_t)way->buffers * (way->bytes + 4096),
        .wait_limit_s = 60};
}

/* ---- the server's side ---- */

void way_serve(const struct block_way *way, int gets)
{
    int bytes = (int)way->bytes;
    if (is_transport(way)) {
        struct prefetch_server_counters counters;
        struct transport_config config = config_of(way);
        check_status(server_run(&config, &counters));
    }
    for (int i = 0; i < gets && way->kind == RECV; i++) {
        check_mpi(MPI_Send(way->source[i % way->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD));
        check_mpi(MPI_Recv(way->target[i % way->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
    }
    for (int i = 0; i < gets && way->kind == ISEND; i++) {
        MPI_Request leaving;
        check_mpi(MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_mpi(MPI_Isend(way->source[i % way->buffers], bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                            &leaving));
        check_mpi(MPI_Wait(&leaving, MPI_STATUS_IGNORE));
    }
}

/* ---- the worker's side ---- */

void way_open(struct block_way *way)
{
    struct put_report report;
    struct transport_config config = config_of(way);
    if (!is_transport(way))
        return;
    check_status(transport_open(&way->transport, &config));
    for (int i = 0; i < way->buffers; i++)
        check_status(transport_put(way->transport, (struct block_id){0, i},
                                   (double *)way->source[i], false, 0));
    check_status(transport_barrier(way->transport, &report));
}

void way_close(struct block_way *way)
{
    if (is_transport(way))
        check_status(transport_close(way->transport));
}

void way_start_get(struct block_way *way, int i)
{
    char *target = way->target[i % way->buffers];
    int bytes = (int)way->bytes;
    if (way->kind == MEMCPY)
        memcpy(target, way->source[i % way->buffers], way->bytes);
    if (way->kind == ISEND) {
        check_mpi(MPI_Irecv(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &way->arriving));
        check_mpi(MPI_Send(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    }
    if (is_transport(way))
        check_status(transport_get(way->transport, (struct block_id){0, i % way->buffers},
                                   (double *)target, 0, &way->transfer));
}

static void wait_for_block(struct block_way *way, int i)
{
    enum transfer_state state;
    struct transfer_conflict conflict;
    struct block_id id = {0, i % way->buffers};
    check_status(transport_wait(way->transport, way->transfer, &state, &conflict));
    if (state != TRANSFER_DONE)
        check_status(transport_refuse(way->transport, id, state, &conflict));
}

void way_end_get(struct block_way *way, int i)
{
    char *target = way->target[i % way->buffers];
    int bytes = (int)way->bytes;
    if (way->kind == RECV) {
        check_mpi(MPI_Recv(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_mpi(MPI_Send(target, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    }
    if (way->kind == ISEND)
        check_mpi(MPI_Wait(&way->arriving, MPI_STATUS_IGNORE));
    if (is_transport(way))
        wait_for_block(way, i);
}

void way_progress(struct block_way *way)
{
    struct put_report report;
    check_status(transport_progress(way->transport, &report));
}

struct block_way way_prepare(size_t bytes, int buffers, uint64_t seed)
{
    struct block_way way = {.bytes = bytes,
                            .buffers = buffers,
                            .array = {.name = "block",
                                      .elements = bytes / sizeof(double),
                                      .blocks = buffers,
                                      .remote = true}};
    for (int i = 0; i < buffers; i++) {
        way.source[i] = scope_random(MEMORY_PAGEABLE, bytes, seed + (uint64_t)i);
        way.target[i] = scope_zeros(MEMORY_PAGEABLE, bytes);
    }
    return way;
}

enum dm_status way_try_window(void)
{
    struct prefetch_server_counters counters;
    struct block_way way = {.kind = WINDOW,
                            .array = {.name = "block", .elements = 1, .blocks = 1, .remote = true}};
    struct transport_config config = config_of(&way);
    struct transport *transport;
    if (ranks.rank != 0)
        return server_run(&config, &counters);
    enum dm_status status = transport_open(&transport, &config);
    return status == DM_OK ? transport_close(transport) : status;
}
