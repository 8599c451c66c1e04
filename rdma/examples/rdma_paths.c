/* rdma_paths.c: which paths go between the GPUs of two ranks, and why the others do not.
 *
 * Build: mpicc -std=c11 rdma_paths.c $(pkg-config --cflags --libs datamotion-rdma) -o rdma_paths
 * Run: mpirun -np 2 --oversubscribe ./rdma_paths
 * Prints: host: path host does not go between D and D*staged: yes*nccl: * */
#include <datamotion/rdma.h>

#include <cuda_runtime.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, gpus = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cudaGetDeviceCount(&gpus);
    struct rdma_config config = {.ranks = MPI_COMM_WORLD,
                                 .peer = 1 - rank,
                                 .place = RDMA_DEVICE,
                                 .peer_place = RDMA_DEVICE,
                                 .device = rank % gpus,
                                 .bytes = 1 << 20,
                                 .window = 1,
                                 .wait_limit_s = 30};
    for (int path = 0; path < RDMA_PATHS; path++) {
        config.path = (enum rdma_path)path;
        enum dm_status status = rdma_check(&config); /* the same on both ranks */
        if (rank == 0)
            printf("%s: %s\n", rdma_path_name(config.path), status == DM_OK ? "yes" : dm_message());
    }
    MPI_Finalize();
    return 0;
}
