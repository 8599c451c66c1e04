#include "rdma_internal.h"

#include "memory.h"
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* clang-format off */
/*                   to:    H      P      D          */
#define BETWEEN_HOSTS    {{true,  true,  false},     \
                          {true,  true,  false},     \
                          {false, false, false}}
#define WITH_A_DEVICE    {{false, false, true},      \
                          {false, false, true},      \
                          {true,  true,  true}}
/* The GPU reaches page-locked memory alone. */
#define PINNED_OR_DEVICE {{false, false, false},     \
                          {false, false, true},      \
                          {false, true,  true}}
#define BETWEEN_DEVICES  {{false, false, false},     \
                          {false, false, false},     \
                          {false, false, true}}
/* clang-format on */

const struct rdma_path_info rdma_paths[RDMA_PATHS] = {
    [RDMA_HOST] = {"host", "MPI from host memory to host memory", BETWEEN_HOSTS},
    [RDMA_STAGED_PAGEABLE] = {"staged-pageable",
                              "copy to a pageable buffer, MPI, copy: the normal path",
                              WITH_A_DEVICE},
    [RDMA_STAGED] = {"staged", "copy to a page-locked buffer, MPI, copy: the DMA path",
                     WITH_A_DEVICE},
    [RDMA_PIPELINED] = {"pipelined", "in chunks: copies of both GPUs and MPI at the same time",
                        WITH_A_DEVICE},
    [RDMA_PIPELINED_SHARED] =
        {"pipelined-shared",
         "in chunks through page-locked memory that both ranks map, without MPI", WITH_A_DEVICE},
    [RDMA_CUDA_AWARE] = {"cuda-aware", "MPI takes device pointers: the RDMA path", WITH_A_DEVICE},
    [RDMA_PEER_COPY] = {"peer-copy", "a copy engine writes into the other rank's memory",
                        PINNED_OR_DEVICE},
    [RDMA_PEER_STORE] = {"peer-store",
                         "a resident kernel stores into the other rank's memory and raises a flag",
                         PINNED_OR_DEVICE},
    [RDMA_NCCL] = {"nccl", "ncclSend and ncclRecv", BETWEEN_DEVICES},
};

static const struct rdma_operations *const operations[RDMA_PATHS] = {
    [RDMA_HOST] = &rdma_host_operations,
    [RDMA_STAGED_PAGEABLE] = &rdma_staged_operations,
    [RDMA_STAGED] = &rdma_staged_operations,
    [RDMA_PIPELINED] = &rdma_pipelined_operations,
    [RDMA_PIPELINED_SHARED] = &rdma_pipelined_shared_operations,
    [RDMA_CUDA_AWARE] = &rdma_cuda_aware_operations,
    [RDMA_PEER_COPY] = &rdma_peer_copy_operations,
    [RDMA_PEER_STORE] = &rdma_peer_store_operations,
    [RDMA_NCCL] = &rdma_nccl_operations,
};

const struct rdma_operations *rdma_operations_of(enum rdma_path path)
{
    return operations[path];
}

const char *rdma_path_name(enum rdma_path path)
{
    return (unsigned)path < RDMA_PATHS ? rdma_paths[path].name : "unknown";
}

int rdma_world_rank(const struct rdma_config *config, int rank)
{
    MPI_Group group, world;
    int number = MPI_UNDEFINED;
    check_mpi(MPI_Comm_group(config->ranks, &group));
    check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world));
    check_mpi(MPI_Group_translate_ranks(group, 1, &rank, world, &number));
    check_mpi(MPI_Group_free(&group));
    check_mpi(MPI_Group_free(&world));
    return number == MPI_UNDEFINED ? rank : number;
}

/* ---- places ---- */

static const enum memory_kind kinds[RDMA_PLACES] = {
    [RDMA_PAGEABLE] = MEMORY_PAGEABLE,
    [RDMA_PINNED] = MEMORY_PINNED,
    [RDMA_DEVICE] = MEMORY_DEVICE,
};

char rdma_place_letter(enum rdma_place place)
{
    return memory_operations[kinds[place]].letter;
}

const char *rdma_place_name(enum rdma_place place)
{
    return memory_operations[kinds[place]].name;
}

/* A server without a GPU never calls CUDA, so the system locks the pages. */
static bool locks_by_itself(const struct rdma_config *config)
{
    return config->place == RDMA_PINNED && config->device < 0;
}

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

static void *lock_memory(size_t bytes)
{
    static bool said;
    void *memory = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        fail("%zu bytes of host memory could not be had: choose a smaller size", bytes);
    if (mlock(memory, whole_pages(bytes)) != 0 && !said) {
        fprintf(stderr,
                "note: rank %d, which has no GPU, may not lock its pages (ulimit -l): its buffers "
                "are resident, but not page-locked\n",
                ranks.rank);
        said = true;
    }
    return memory;
}

static void *make_buffer(const struct rdma_config *config)
{
    return locks_by_itself(config) ? lock_memory(config->bytes)
                                   : memory_allocate(kinds[config->place], config->bytes);
}

static void release_buffer(const struct rdma_config *config, void *buffer)
{
    if (locks_by_itself(config))
        check_errno(munmap(buffer, whole_pages(config->bytes)) == 0);
    else
        memory_release(kinds[config->place], buffer);
}

/* ---- ends ---- */

/* A communicator of the end's own, in which the lower rank is 0: messages of several ends, and
 * of the caller, do not meet. */
static MPI_Comm join(const struct rdma_config *config)
{
    enum { TAG = 20534 };
    int rank;
    MPI_Comm pair;
    MPI_Group all, both;
    check_mpi(MPI_Comm_rank(config->ranks, &rank));
    int members[2] = {rank < config->peer ? rank : config->peer,
                      rank < config->peer ? config->peer : rank};
    check_mpi(MPI_Comm_group(config->ranks, &all));
    check_mpi(MPI_Group_incl(all, 2, members, &both));
    check_mpi(MPI_Comm_create_group(config->ranks, both, TAG, &pair));
    check_mpi(MPI_Group_free(&both));
    check_mpi(MPI_Group_free(&all));
    return pair;
}

/* Both ranks have come here, within the limit. */
static void meet(const struct rdma_config *config)
{
    char mine = 0, theirs;
    rdma_exchange(config, &mine, &theirs, sizeof mine);
}

struct rdma_end *rdma_open(const struct rdma_config *config)
{
    struct rdma_end *end = allocate_or_fail(1, sizeof *end);
    end->config = *config;
    end->operations = operations[config->path];
    if (config->device >= 0)
        check_cuda(cudaSetDevice(config->device));
    rdma_learn_cores(config); /* also sees to it that MPI_Comm_create_group need not wait */
    end->config.ranks = join(config);
    check_mpi(MPI_Comm_rank(end->config.ranks, &end->rank));
    end->config.peer = 1 - end->rank;
    snprintf(end->activity, sizeof end->activity, "a wait for rank %d (path %s)",
             rdma_world_rank(config, config->peer), rdma_path_name(config->path));
    if (!end->operations->own_buffers) {
        end->send_buffer = make_buffer(config);
        end->receive_buffer = make_buffer(config);
    }
    end->operations->open(end);
    meet(&end->config);
    return end;
}

void *rdma_send_buffer(const struct rdma_end *end)
{
    return end->send_buffer;
}

void *rdma_receive_buffer(const struct rdma_end *end)
{
    return end->receive_buffer;
}

static void check_start(const struct rdma_end *end, const char *what, int started, size_t bytes)
{
    if (bytes > end->config.bytes)
        fail("%s of %zu bytes was started at an end for %zu", what, bytes, end->config.bytes);
    if (started >= end->config.window)
        fail("%s was started beyond the window of %d: rdma_wait first", what, end->config.window);
}

void rdma_start_receive(struct rdma_end *end, size_t bytes)
{
    check_start(end, "a receive", end->receives++, bytes);
    end->operations->start_receive(end, bytes);
}

void rdma_start_send(struct rdma_end *end, size_t bytes)
{
    check_start(end, "a send", end->sends++, bytes);
    end->operations->start_send(end, bytes);
}

void rdma_wait(struct rdma_end *end)
{
    const char *before = status_activity;
    status_activity = end->activity;
    end->operations->wait(end);
    status_activity = before;
    end->receives = end->sends = 0;
}

void rdma_close(struct rdma_end *end)
{
    if (!end)
        return;
    meet(&end->config);
    end->operations->close(end);
    /* The other rank may still have mapped the buffers until here. */
    meet(&end->config);
    if (!end->operations->own_buffers) {
        release_buffer(&end->config, end->send_buffer);
        release_buffer(&end->config, end->receive_buffer);
    }
    check_mpi(MPI_Comm_free(&end->config.ranks));
    free(end);
}
