/* coarrays_contention: two-sided and one-sided transfers while all images communicate (Fanfarillo
 * 2016, 7.3.3). */
#include <mpi.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/scope.h"
#include "common/random.h"

enum { SENDRECV, MPI_GET, CAF_GET };
static const struct variant variants[] = {
    [SENDRECV] = {"sendrecv", "MPI_Send and MPI_Recv: the block goes to the partner, and the "
                              "partner's comes back"},
    [MPI_GET] = {"mpi-get", "MPI_Get and MPI_Win_flush, as the thesis's LIBCAF_MPI"},
    [CAF_GET] = {"caf-get", "caf_get"},
    {0},
};

struct row {
    size_t bytes;
    int pairs, nodes;
    double latency_s, bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, bytes, "bytes of a block"),
    PARAMETER(struct row, pairs, "pairs of images that communicate at once"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, latency_s, "time_s: of one block, of the slowest pair"),
    METRIC(struct row, bandwidth_gbs, "10^9 bytes per second: pairs * bytes / time_s"),
    {0},
};
static const size_t default_sizes[] = {8, 64, 512, 4096, 32768, 65536, 262144, 1048576, 4194304, 0};

/* Image i works with image i + images / 2. */
struct transfer {
    int variant;
    size_t bytes;
    int times;
    int partner; /* rank */
    bool is_first;
    uint64_t seed;
    struct caf_coarray *coarray;
    MPI_Win window;
    char *source;  /* this image's block, in the window or coarray of the variants that get */
    char *arrived; /* the partner's */
};

/* ---- samples ---- */

static void send(struct transfer *transfer)
{
    check_mpi(MPI_Send(transfer->source, (int)transfer->bytes, MPI_BYTE, transfer->partner, 0,
                       MPI_COMM_WORLD));
}

static void receive(struct transfer *transfer)
{
    check_mpi(MPI_Recv(transfer->arrived, (int)transfer->bytes, MPI_BYTE, transfer->partner, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* A round trip is two blocks, one after the other. */
static double send_there_and_back(struct transfer *transfer)
{
    double start_s = clock_now_s();
    for (int i = 0; i < transfer->times; i++) {
        if (transfer->is_first)
            send(transfer);
        receive(transfer);
        if (!transfer->is_first)
            send(transfer);
    }
    return (clock_now_s() - start_s) / (2 * transfer->times);
}

static void get_mpi(struct transfer *transfer)
{
    int bytes = (int)transfer->bytes;
    for (int i = 0; i < transfer->times; i++) {
        check_mpi(MPI_Get(transfer->arrived, bytes, MPI_BYTE, transfer->partner, 0, bytes, MPI_BYTE,
                          transfer->window));
        check_mpi(MPI_Win_flush(transfer->partner, transfer->window));
    }
}

static void get_caf(struct transfer *transfer)
{
    for (int i = 0; i < transfer->times; i++)
        check_caf(caf_get(transfer->arrived, transfer->coarray, transfer->partner + 1, 0,
                          transfer->bytes));
}

/* The first of a pair gets; the other one waits inside MPI. */
static double sample(void *task)
{
    struct transfer *transfer = task;
    if (transfer->variant == SENDRECV)
        return send_there_and_back(transfer);
    double start_s = clock_now_s();
    if (!transfer->is_first)
        return 0;
    if (transfer->variant == MPI_GET)
        get_mpi(transfer);
    else
        get_caf(transfer);
    return (clock_now_s() - start_s) / transfer->times;
}

/* ---- one configuration ---- */

static bool open_transfer(struct run *run, void *task)
{
    struct transfer *transfer = task;
    size_t bytes = transfer->bytes;
    int half = ranks.count / 2;
    transfer->is_first = ranks.rank < half;
    transfer->partner = transfer->is_first ? ranks.rank + half : ranks.rank - half;
    transfer->seed = run->settings.seed + (uint64_t)(transfer->variant * ranks.count);
    transfer->arrived = scope_zeros(MEMORY_PAGEABLE, bytes);
    if (transfer->variant == MPI_GET) {
        check_mpi(MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                                   &transfer->source, &transfer->window));
        check_mpi(MPI_Win_lock_all(0, transfer->window));
    } else if (transfer->variant == CAF_GET) {
        check_caf(caf_allocate(&transfer->coarray, bytes, CAF_DATA, (void **)&transfer->source));
    } else {
        transfer->source = scope_allocate(MEMORY_PAGEABLE, bytes);
    }
    random_fill_bytes(transfer->source, bytes, transfer->seed + (uint64_t)ranks.rank);
    if (transfer->variant == MPI_GET)
        check_mpi(MPI_Win_sync(transfer->window));
    check_caf(caf_sync_all());
    batch_calibrate(sample, transfer, &transfer->times);
    return true;
}

static void close_transfer(void *task)
{
    struct transfer *transfer = task;
    if (transfer->variant == MPI_GET) {
        check_mpi(MPI_Win_unlock_all(transfer->window));
        check_mpi(MPI_Win_free(&transfer->window));
    } else if (transfer->variant == CAF_GET) {
        check_caf(caf_free(transfer->coarray));
    }
}

/* Bytes that are not the partner's, over all images that receive. */
static long count_wrong(struct run *run, void *task)
{
    const struct transfer *transfer = task;
    (void)run;
    if (transfer->variant != SENDRECV && !transfer->is_first)
        return images_sum(0);
    return images_sum((long)random_count_wrong_bytes(transfer->arrived, transfer->bytes,
                                                     transfer->seed + (uint64_t)transfer->partner));
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct transfer *transfer = task;
    int pairs = ranks.count / 2;
    *(struct row *)row = (struct row){transfer->bytes, pairs, images_nodes(), time_s,
                                      1e-9 * pairs * (double)transfer->bytes / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct transfer),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_transfer,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_transfer};

static void measure_size(struct run *run, size_t bytes)
{
    program_note(run, "%zu bytes", bytes);
    compare_variants(run, &comparison, &(struct transfer){.bytes = bytes});
}

static void run_all(struct run *run)
{
    if (ranks.count % 2 != 0)
        images_refuse("coarrays_contention needs pairs of images: start it with mpirun -np 2 or "
                      "another even number");
    images_each_size(run, measure_size);
}

const struct program program = {
    .name = "coarrays_contention",
    .summary = "moves blocks between all pairs of images at once, two-sided and one-sided",
    .details =
        "Start it with mpirun -np IMAGES, an even number. Image i works with image i + IMAGES / 2,\n"
        "all pairs at the same time; at any moment one block of each pair is under way. A sample\n"
        "is as many transfers as take 0.5 ms or more; time_s is of one transfer, of the\n"
        "slowest pair: of sendrecv half a round trip, of the others a get until its data have\n"
        "arrived. The blocks are compared with what the partner has.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
