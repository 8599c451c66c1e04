/* paths.c: what paths there are, and between which places they go. */
#include "path.h"

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

static const struct {
    const char *name, *meaning;
    const struct path *path;
    bool goes[RDMA_PLACES][RDMA_PLACES]; /* [from][to] */
} paths[RDMA_PATHS] = {
    [RDMA_HOST] = {"host", "MPI from host memory to host memory", &path_host, BETWEEN_HOSTS},
    [RDMA_STAGED_PAGEABLE] = {"staged-pageable",
                              "copy to a pageable buffer, MPI, copy: the normal path", &path_staged,
                              WITH_A_DEVICE},
    [RDMA_STAGED] = {"staged", "copy to a page-locked buffer, MPI, copy: the DMA path",
                     &path_staged, WITH_A_DEVICE},
    [RDMA_PIPELINED] = {"pipelined", "in chunks: copies of both GPUs and MPI at the same time",
                        &path_pipelined, WITH_A_DEVICE},
    [RDMA_PIPELINED_SHARED] =
        {"pipelined-shared",
         "in chunks through page-locked memory that both ranks map, without MPI",
         &path_pipelined_shared, WITH_A_DEVICE},
    [RDMA_CUDA_AWARE] = {"cuda-aware", "MPI takes device pointers: the RDMA path", &path_cuda_aware,
                         WITH_A_DEVICE},
    [RDMA_PEER_COPY] = {"peer-copy", "a copy engine writes into the other rank's memory",
                        &path_peer_copy, PINNED_OR_DEVICE},
    [RDMA_PEER_STORE] = {"peer-store",
                         "a resident kernel stores into the other rank's memory and raises a flag",
                         &path_peer_store, PINNED_OR_DEVICE},
    [RDMA_NCCL] = {"nccl", "ncclSend and ncclRecv", &path_nccl, BETWEEN_DEVICES},
};

const struct path *path_of(enum rdma_path path)
{
    return paths[path].path;
}

static bool is_path(enum rdma_path path)
{
    return (unsigned)path < RDMA_PATHS;
}

const char *rdma_path_name(enum rdma_path path)
{
    if (path == RDMA_AUTOMATIC)
        return "automatic";
    return is_path(path) ? paths[path].name : "unknown";
}

const char *rdma_path_meaning(enum rdma_path path)
{
    return is_path(path) ? paths[path].meaning : "";
}

bool rdma_path_goes(enum rdma_path path, enum rdma_place from, enum rdma_place to)
{
    return is_path(path) && (unsigned)from < RDMA_PLACES && (unsigned)to < RDMA_PLACES &&
           paths[path].goes[from][to];
}

char rdma_place_letter(enum rdma_place place)
{
    return (unsigned)place < RDMA_PLACES ? "HPD"[place] : '?';
}
