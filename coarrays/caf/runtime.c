#include "runtime.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "collective.h"
#include "error.h"
#include "memory.h"
#include "messages.h"
#include "sync.h"

struct runtime runtime;

/* Positions of the images: first[image - 1] is the lowest image of its node. */
static void make_tables(const int *first)
{
    int images = runtime.images;
    int *node_of = calloc((size_t)images + 1, sizeof(int));
    int *place_of = calloc((size_t)images + 1, sizeof(int));
    int *near = calloc((size_t)images, sizeof(int));
    int *first_of = calloc((size_t)images, sizeof(int));
    int *members = calloc((size_t)images, sizeof(int));
    if (!node_of || !place_of || !near || !first_of || !members)
        caf_error_stop(1, "there is no memory for the tables of the images");
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
    runtime.node_of = node_of;
    runtime.place_of = place_of;
    runtime.near = near;
    runtime.first_of = first_of;
}

static void find_images(void)
{
    int rank, *first;
    need_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &runtime.all));
    need_mpi(MPI_Comm_set_errhandler(runtime.all, MPI_ERRORS_RETURN));
    need_mpi(MPI_Comm_rank(runtime.all, &rank));
    need_mpi(MPI_Comm_size(runtime.all, &runtime.images));
    runtime.image = rank + 1;
    need_mpi(MPI_Comm_split_type(runtime.all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                                 &runtime.on_node));
    need_mpi(MPI_Comm_set_errhandler(runtime.on_node, MPI_ERRORS_RETURN));
    first = calloc((size_t)runtime.images, sizeof *first);
    if (!first)
        caf_error_stop(1, "there is no memory for the tables of the images");
    int lowest = runtime.image;
    need_mpi(MPI_Bcast(&lowest, 1, MPI_INT, 0, runtime.on_node));
    need_mpi(MPI_Allgather(&lowest, 1, MPI_INT, first, 1, MPI_INT, runtime.all));
    make_tables(first);
    free(first);
}

/* The lowest image that has something to say says it and ends all; the others wait for that. */
static void end_if_wrong(const char *sentence)
{
    int mine = sentence ? runtime.image : runtime.images + 1, lowest;
    need_mpi(MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, runtime.all));
    if (lowest > runtime.images)
        return;
    if (lowest == runtime.image)
        caf_error_stop(1, sentence);
    MPI_Barrier(runtime.all);
}

static void read_settings(void)
{
    end_if_wrong(runtime_settings());
    int mine[4] = {(int)runtime.path, -(int)runtime.path, (int)runtime.transfer,
                   -(int)runtime.transfer};
    int most[4];
    need_mpi(MPI_Allreduce(mine, most, 4, MPI_INT, MPI_MAX, runtime.all));
    if (most[0] != -most[1] || most[2] != -most[3])
        end_if_wrong("CAF_PATH and CAF_TRANSFER must be the same on all images");
    runtime.windows = runtime.nodes > 1 || runtime.path == PATH_RMA;
}

/* Each image may be bound to cores of its own: what counts is how many they have together. */
static int cores_of_node(void)
{
    cpu_set_t mine, together;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        return runtime.near_count;
    need_mpi(MPI_Allreduce(&mine, &together, sizeof mine, MPI_BYTE, MPI_BOR, runtime.on_node));
    return CPU_COUNT(&together);
}

void caf_start(int *argc, char ***argv)
{
    int initialised, finalised, level;
    if (runtime.running)
        return;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (finalised)
        caf_error_stop(1, "the coarray library cannot start after MPI_Finalize");
    if (!initialised)
        need_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level));
    runtime.owns_mpi = !initialised;
    caf_statement = "start";
    find_images();
    read_settings();
    wait_start_policy(cores_of_node());
    messages_start();
    control_start();
    sync_nodes_start();
    sync_images_start();
    stop_start();
    memory_start();
    collective_start();
    runtime.running = true;
    /* Nobody names an image whose counters are not there yet. */
    need_mpi(MPI_Barrier(runtime.all));
    caf_statement = "";
}

/* What find_images made. */
void runtime_end(void)
{
    bool owns_mpi = runtime.owns_mpi;
    need_mpi(MPI_Comm_free(&runtime.on_node));
    need_mpi(MPI_Comm_free(&runtime.all));
    free((void *)runtime.node_of);
    free((void *)runtime.place_of);
    free((void *)runtime.near);
    free((void *)runtime.first_of);
    runtime = (struct runtime){.owns_mpi = owns_mpi};
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
