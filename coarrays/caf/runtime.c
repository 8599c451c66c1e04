#include "runtime.h"

#include <sched.h>
#include <stdlib.h>

#include "agree.h"
#include "collective_parts.h"
#include "collective_short.h"
#include "conduit.h"
#include "error.h"
#include "memory.h"
#include "messages.h"
#include "parcel.h"
#include "sync.h"
#include "team.h"
#include "team_far.h"
#include "watch.h"
#include "watch_far.h"

struct runtime runtime;

const struct conduit *conduit = &conduit_mpi;

/* Positions of the images: first[image - 1] is the lowest image of its node. */
static enum dm_status make_tables(const int *first)
{
    int images = runtime.images;
    int *node_of = calloc((size_t)images + 1, sizeof(int));
    int *place_of = calloc((size_t)images + 1, sizeof(int));
    int *near = calloc((size_t)images, sizeof(int));
    int *first_of = calloc((size_t)images, sizeof(int));
    int *members = calloc((size_t)images, sizeof(int));
    runtime.node_of = node_of;
    runtime.place_of = place_of;
    runtime.near = near;
    runtime.first_of = first_of;
    if (!node_of || !place_of || !near || !first_of || !members) {
        free(members);
        return error_no_memory(5 * (size_t)images * sizeof(int));
    }
    runtime.nodes = 0;
    for (int image = 1; image <= images; image++) {
        int lowest = first[image - 1];
        if (lowest == image) {
            first_of[runtime.nodes] = image;
            node_of[image] = runtime.nodes++;
        } else {
            node_of[image] = node_of[lowest];
        }
        place_of[image] = members[node_of[image]]++;
    }
    runtime.node = node_of[runtime.image];
    runtime.near_count = members[runtime.node];
    for (int image = 1; image <= images; image++)
        if (node_of[image] == runtime.node)
            near[place_of[image]] = image;
    free(members);
    return DM_OK;
}

static enum dm_status find_images(void)
{
    int rank;
    TRY_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &runtime.all));
    TRY_MPI(MPI_Comm_set_errhandler(runtime.all, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Comm_rank(runtime.all, &rank));
    TRY_MPI(MPI_Comm_size(runtime.all, &runtime.images));
    runtime.image = rank + 1;
    TRY_MPI(MPI_Comm_split_type(runtime.all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                                &runtime.on_node));
    TRY_MPI(MPI_Comm_set_errhandler(runtime.on_node, MPI_ERRORS_RETURN));
    int lowest = runtime.image, *first = calloc((size_t)runtime.images, sizeof *first);
    if (!first)
        return error_no_memory((size_t)runtime.images * sizeof *first);
    enum dm_status status = status_of_mpi(MPI_Bcast(&lowest, 1, MPI_INT, 0, runtime.on_node));
    if (status == DM_OK)
        status = status_of_mpi(MPI_Allgather(&lowest, 1, MPI_INT, first, 1, MPI_INT, runtime.all));
    if (status == DM_OK)
        status = make_tables(first);
    free(first);
    return status;
}

static enum dm_status read_settings(void)
{
    bool same;
    enum dm_status status = runtime_settings();
    uint64_t settings = (uint64_t)runtime.path << 32 | (uint64_t)runtime.transfer << 16 |
                        (uint64_t)(conduit == &conduit_ucx) << 1;
    TRY(agree_same(status, settings | runtime.parcels, &same));
    if (!same)
        return invalid(CAF_BAD_ARGUMENT, "CAF_PATH, CAF_TRANSFER, CAF_CONDUIT and CAF_PARCELS must "
                                         "be the same on all images");
    runtime.windows = runtime.nodes > 1 || runtime.path == PATH_RMA;
    runtime.by_mpi = runtime.windows && conduit == &conduit_mpi;
    return DM_OK;
}

/* Each image may be bound to cores of its own: what counts is how many they have together. */
static enum dm_status count_cores(int *cores)
{
    cpu_set_t mine, together;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        CPU_ZERO(&mine);
    TRY_MPI(MPI_Allreduce(&mine, &together, sizeof mine, MPI_BYTE, MPI_BOR, runtime.on_node));
    *cores = CPU_COUNT(&together) > 0 ? CPU_COUNT(&together) : runtime.near_count;
    return DM_OK;
}

static enum dm_status start_mpi(int *argc, char ***argv)
{
    int initialised, finalised, level;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (finalised)
        return invalid(CAF_BAD_ARGUMENT, "the coarray library cannot start after MPI_Finalize");
    if (!initialised)
        TRY_MPI(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level));
    runtime.owns_mpi = runtime.owns_mpi || !initialised;
    return DM_OK;
}

/* Where MPI carries all, its launcher ends all when a process dies on another node. */
static enum dm_status watch_other_nodes(void)
{
    if (!runtime.recovers || runtime.by_mpi || runtime.nodes == 1)
        return DM_OK;
    int failed, any;
    enum dm_status status = watch_far_start();
    failed = status != DM_OK;
    TRY_MPI(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, runtime.all));
    if (any && !failed)
        status = dm_fail(DM_FAILED, "some image cannot be watched by those of other nodes");
    return status;
}

static enum dm_status start_parts(void)
{
    int cores;
    TRY(find_images());
    TRY(team_start());
    TRY(read_settings());
    TRY(count_cores(&cores));
    wait_start_policy(cores);
    TRY(messages_start());
    team_far_start();
    parts_start();
    shorts_start();
    TRY(control_start());
    TRY(team_share());
    /* The others' processes are known when all control parts are there. */
    TRY_MPI(MPI_Barrier(runtime.all));
    TRY(watch_start());
    sync_nodes_start();
    TRY(sync_images_start());
    TRY(stop_start());
    memory_start();
    TRY(parcels_start());
    TRY(watch_other_nodes());
    /* Nobody names an image whose counters are not there yet. */
    TRY_MPI(MPI_Barrier(runtime.all));
    return DM_OK;
}

enum dm_status caf_start(int *argc, char ***argv)
{
    if (runtime.running)
        return DM_OK;
    caf_statement = "start";
    TRY(start_mpi(argc, argv));
    enum dm_status status = start_parts();
    runtime.running = status == DM_OK;
    if (status != DM_OK) {
        conduit->end();
        watch_far_end();
        stop_end();
        sync_images_end();
        watch_end();
        parcels_end();
        control_end();
        team_end();
        runtime_forget();
    }
    caf_statement = "";
    return status;
}

void runtime_forget(void)
{
    bool owns_mpi = runtime.owns_mpi;
    free((void *)runtime.node_of);
    free((void *)runtime.place_of);
    free((void *)runtime.near);
    free((void *)runtime.first_of);
    runtime = (struct runtime){.owns_mpi = owns_mpi};
}

enum dm_status runtime_end(void)
{
    TRY_MPI(MPI_Comm_free(&runtime.on_node));
    TRY_MPI(MPI_Comm_free(&runtime.all));
    runtime_forget();
    return DM_OK;
}

int caf_this_image(void)
{
    return runtime.image;
}

int caf_num_images(void)
{
    return runtime.images;
}

bool caf_is_near(int image)
{
    return is_image(image) && runtime.node_of[image] == runtime.node;
}
