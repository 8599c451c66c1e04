/* rdma_transfer.c: a block from the GPU of one rank to the GPU of another, along the shortest path.
 *
 * Build: mpicc -std=c11 rdma_transfer.c $(pkg-config --cflags --libs datamotion-rdma) -o transfer
 * Run: mpirun -np 2 --oversubscribe ./transfer
 * Prints: 1048576 bytes came along the path * */
#include <datamotion/rdma.h>

#include <cuda_runtime.h>
#include <stdio.h>

enum { BYTES = 1 << 20 };

static void check(enum dm_status status)
{
    if (status == DM_OK)
        return;
    fprintf(stderr, "%s\n", dm_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static size_t count(const void *on_gpu, char wanted)
{
    static char bytes[BYTES];
    size_t right = 0;
    cudaMemcpy(bytes, on_gpu, BYTES, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < BYTES; i++)
        right += bytes[i] == wanted;
    return right;
}

int main(int argc, char **argv)
{
    int rank, gpus = 1;
    struct rdma_end *end;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cudaGetDeviceCount(&gpus);
    const struct rdma_config config = {.path = RDMA_AUTOMATIC,
                                       .ranks = MPI_COMM_WORLD,
                                       .peer = 1 - rank,
                                       .place = RDMA_DEVICE,
                                       .peer_place = RDMA_DEVICE,
                                       .device = rank % gpus,
                                       .bytes = BYTES,
                                       .window = 1,
                                       .wait_limit_s = 30};
    check(rdma_open(&end, &config));
    if (rank == 0) {
        cudaMemset(rdma_send_buffer(end), 42, BYTES);
        cudaDeviceSynchronize();
        check(rdma_send(end, BYTES));
    } else {
        check(rdma_receive(end, BYTES));
        printf("%zu bytes came along the path %s\n", count(rdma_receive_buffer(end), 42),
               rdma_path_name(rdma_end_path(end)));
    }
    rdma_close(end);
    MPI_Finalize();
    return 0;
}
