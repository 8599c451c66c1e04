/* derived_types.c: MPI is told by derived types which elements of the device's vector to send,
 * and packs, copies and unpacks as it likes. Source: Fanfarillo 2016, 4.2.3. */
#include <stdlib.h>

#include "exchange.h"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

/* An MPI that does not know device pointers takes them for its own memory and crashes, so it is
 * queried when the library is compiled and again when it runs: it may be another one by then. */
static enum dm_status check_mpi_pointers(void)
{
#if defined(SOFTGPU)
    return dm_fail(DM_UNAVAILABLE,
                   "to MPI the memory of the software GPU is main memory: this strategy needs a "
                   "CUDA GPU (GPU=cuda)");
#elif defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    if (MPIX_Query_cuda_support() == 1)
        return DM_OK;
#endif
#if !defined(SOFTGPU)
    return dm_fail(DM_UNAVAILABLE, "this MPI takes no device pointers: build with a CUDA-aware one "
                                   "(make MPI_HOME=FOLDER)");
#endif
}

/* Runs of successive places, one block each. */
struct runs {
    int count;
    int *first, *length;
};

static void find_runs(struct runs *runs, const int32_t *index, int64_t count)
{
    runs->count = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i > 0 && index[i] == index[i - 1] + 1) {
            runs->length[runs->count - 1]++;
            continue;
        }
        runs->first[runs->count] = index[i];
        runs->length[runs->count++] = 1;
    }
}

/* The elements for one neighbour. */
static enum dm_status make_type(MPI_Datatype *type, const struct spmv_exchange *exchange,
                                const struct spmv_neighbour *neighbour)
{
    size_t places = (size_t)neighbour->send_count + 1;
    struct runs runs;
    runs.first = malloc(2 * places * sizeof *runs.first);
    if (!runs.first)
        return error_no_memory(2 * places * sizeof *runs.first);
    runs.length = runs.first + places;
    find_runs(&runs, exchange->halo->send_index + neighbour->send_first, neighbour->send_count);
    enum dm_status status = status_of_mpi(
        MPI_Type_indexed(runs.count, runs.length, runs.first, exchange->value_type, type));
    free(runs.first);
    TRY(status);
    TRY_MPI(MPI_Type_commit(type));
    return DM_OK;
}

static enum dm_status mpi_open(struct spmv_exchange *exchange)
{
    const struct spmv_halo *halo = exchange->halo;
    size_t bytes = ((size_t)halo->neighbour_count + 1) * sizeof(MPI_Datatype);
    MPI_Datatype *types = exchange->state = malloc(bytes);
    if (!types)
        return error_no_memory(bytes);
    for (int i = 0; i < halo->neighbour_count; i++)
        types[i] = MPI_DATATYPE_NULL;
    for (int i = 0; i < halo->neighbour_count; i++)
        TRY(make_type(&types[i], exchange, &halo->neighbours[i]));
    return DM_OK;
}

static enum dm_status mpi_run(struct spmv_exchange *exchange, void *x, cudaStream_t stream)
{
    const struct spmv_halo *halo = exchange->halo;
    const MPI_Datatype *types = exchange->state;
    (void)stream;
    TRY(spmv_exchange_receive(exchange, (char *)x + (size_t)halo->rows * exchange->value_bytes));
    double start_s = clock_now_s();
    for (int i = 0; i < halo->neighbour_count; i++) {
        int peer = halo->neighbours[i].rank;
        if (halo->neighbours[i].send_count > 0)
            TRY_MPI(MPI_Isend(x, 1, types[i], peer, SPMV_EXCHANGE_TAG, halo->ranks,
                              spmv_exchange_request(exchange, peer)));
    }
    spmv_lap(&exchange->report.mpi_s, start_s);
    return spmv_exchange_wait(exchange);
}

static void mpi_close(struct spmv_exchange *exchange)
{
    MPI_Datatype *types = exchange->state;
    for (int i = 0; i < exchange->halo->neighbour_count; i++)
        if (types[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&types[i]);
    free(types);
}

const struct spmv_exchange_operations spmv_exchange_mpi = {
    .check = check_mpi_pointers,
    .open = mpi_open,
    .run = mpi_run,
    .close = mpi_close,
};
