#include "limit.h"

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/scope.h"

#include "ends.h"

enum { BUS_ID_BYTES = 32 };

enum dm_status limit_find(struct limit *limit, int device)
{
    char ids[2][BUS_ID_BYTES] = {0};
    int are_seen = 1;
    if (ranks.local_count < 2)
        return dm_fail(
            DM_UNAVAILABLE,
            "the ranks are on different hosts, and one process has the GPUs of its host only");
    check_cuda(cudaDeviceGetPCIBusId(ids[ranks.rank], BUS_ID_BYTES, device));
    check_mpi(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ids, BUS_ID_BYTES, MPI_CHAR,
                            MPI_COMM_WORLD));
    for (int i = 0; i < 2; i++)
        if (cudaDeviceGetByPCIBusId(&limit->devices[i], ids[i]) != cudaSuccess) {
            cudaGetLastError(); /* it is reported here and must not be found later */
            are_seen = 0;
        }
    check_mpi(MPI_Bcast(&are_seen, 1, MPI_INT, 0, MPI_COMM_WORLD));
    if (are_seen)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "rank 0 does not see the GPU of rank 1: let each rank see all GPUs of the host "
                   "(CUDA_VISIBLE_DEVICES)");
}

static void enable_peer_access(int device, int peer)
{
    int possible = 0;
    if (device == peer)
        return;
    check_cuda(cudaDeviceCanAccessPeer(&possible, device, peer));
    if (!possible)
        return; /* the driver copies through the host then: that is this machine's limit */
    cudaError_t result = cudaDeviceEnablePeerAccess(peer, 0);
    if (result == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
    else
        check_cuda(result);
}

void limit_open(struct limit *limit, size_t bytes)
{
    if (ranks.rank != 0)
        return;
    for (int i = 1; i >= 0; i--) { /* the last one is the GPU of this rank, which stays chosen */
        check_cuda(cudaSetDevice(limit->devices[i]));
        enable_peer_access(limit->devices[i], limit->devices[1 - i]);
        limit->from[i] = memory_allocate(MEMORY_DEVICE, bytes);
        limit->to[1 - i] = memory_allocate(MEMORY_DEVICE, bytes);
        check_cuda(cudaStreamCreateWithFlags(&limit->streams[i], cudaStreamNonBlocking));
    }
}

void limit_close(struct limit *limit)
{
    if (ranks.rank != 0)
        return;
    for (int i = 1; i >= 0; i--) {
        check_cuda(cudaSetDevice(limit->devices[i]));
        check_cuda(cudaStreamDestroy(limit->streams[i]));
        memory_release(MEMORY_DEVICE, limit->from[i]);
        memory_release(MEMORY_DEVICE, limit->to[1 - i]);
    }
}

static void copy_window(const struct limit *limit, const struct rounds *rounds)
{
    int directions = rounds->mode == MODE_BOTH ? 2 : 1;
    for (int k = 0; k < rounds->window; k++)
        for (int i = 0; i < directions; i++)
            check_cuda(cudaMemcpyPeerAsync(limit->to[i], limit->devices[1 - i], limit->from[i],
                                           limit->devices[i], rounds->bytes, limit->streams[i]));
    for (int i = 0; i < directions; i++)
        check_cuda(cudaStreamSynchronize(limit->streams[i]));
}

double limit_time(const struct limit *limit, const struct rounds *rounds)
{
    if (ranks.rank != 0)
        return 0;
    double start_s = clock_now_s();
    for (int i = 0; i < rounds->count; i++)
        copy_window(limit, rounds);
    return (clock_now_s() - start_s) / rounds->count / rounds->window;
}

long limit_wrong(const struct limit *limit, const struct rounds *rounds, uint64_t seed)
{
    long wrong = 0;
    if (ranks.rank != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        rounds_fill(limit->from[i], rounds->bytes, seed + (uint64_t)i);
        rounds_fill(limit->to[i], rounds->bytes, ~seed);
    }
    copy_window(limit, rounds);
    for (int i = 0; i < (rounds->mode == MODE_BOTH ? 2 : 1); i++)
        wrong += count_wrong_bytes(limit->to[i], rounds->bytes, seed + (uint64_t)i);
    return wrong;
}
