/* spmv_exchange_mpi.c: MPI is told by derived types which elements of the device's vector to send,
 * and packs, copies and unpacks as it likes. Source: Fanfarillo 2016, 4.2.3. */
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "spmv_exchange.h"
#include "spmv_exchange_internal.h"

/* An MPI that does not know device pointers takes them for its own memory and crashes, so that it
 * was asked when this was compiled (mpi-ext.h) and when it started (ranks.cuda_aware). */
static const char *mpi_complaint(void)
{
#if defined(SOFTGPU)
    return "the memory of the software GPU is main memory, which every MPI takes for just that: "
           "this strategy needs a CUDA GPU (GPU=cuda)";
#else
    if (!ranks.cuda_aware)
        return "this MPI takes no device pointers: build with a CUDA-aware one (make "
               "MPI_HOME=FOLDER)";
    return NULL;
#endif
}

/* The elements for one neighbour: runs of successive places as one block each. */
static MPI_Datatype type_of(const struct spmv_exchange *exchange,
                            const struct spmv_neighbour *neighbour)
{
    MPI_Datatype type;
    int runs = 0;
    unsigned long most = (unsigned long)neighbour->send_count + 1;
    const int32_t *index = exchange->halo->send_index + neighbour->send_first;
    int *first = allocate_or_fail(most, sizeof *first);
    int *length = allocate_or_fail(most, sizeof *length);
    for (int64_t i = 0; i < neighbour->send_count; i++) {
        if (i > 0 && index[i] == index[i - 1] + 1) {
            length[runs - 1]++;
            continue;
        }
        first[runs] = index[i];
        length[runs++] = 1;
    }
    check_mpi(MPI_Type_indexed(runs, length, first, exchange->value_type, &type));
    check_mpi(MPI_Type_commit(&type));
    free(length);
    free(first);
    return type;
}

static void mpi_open(struct spmv_exchange *exchange)
{
    const struct spmv_halo *halo = exchange->halo;
    MPI_Datatype *types =
        allocate_or_fail((unsigned long)halo->neighbour_count + 1, sizeof(MPI_Datatype));
    for (int i = 0; i < halo->neighbour_count; i++)
        types[i] = type_of(exchange, &halo->neighbours[i]);
    exchange->state = types;
}

static void mpi_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    const struct spmv_halo *halo = exchange->halo;
    const MPI_Datatype *types = exchange->state;
    (void)stream;
    spmv_exchange_receive(exchange, (char *)x + (size_t)halo->rows * exchange->value_bytes);
    double start_s = clock_now_s();
    for (int i = 0; i < halo->neighbour_count; i++) {
        int peer = halo->neighbours[i].rank;
        if (halo->neighbours[i].send_count > 0)
            check_mpi(MPI_Isend(x, 1, types[i], peer, SPMV_EXCHANGE_TAG, halo->ranks,
                                spmv_exchange_request(exchange, peer)));
    }
    spmv_lap(&exchange->report.mpi_s, start_s);
    spmv_exchange_wait(exchange);
}

static void mpi_close(struct spmv_exchange *exchange)
{
    MPI_Datatype *types = exchange->state;
    for (int i = 0; i < exchange->halo->neighbour_count; i++)
        check_mpi(MPI_Type_free(&types[i]));
    free(types);
}

const struct spmv_exchange_operations spmv_exchange_mpi = {
    .complaint = mpi_complaint,
    .open = mpi_open,
    .run = mpi_run,
    .close = mpi_close,
};
