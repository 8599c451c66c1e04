/* coarrays_onesided: what the target's help costs, and a collective beside a loop of puts
 * (Fanfarillo 2016, 5.2.2.4 and 5.3). */
#include <string.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/scope.h"
#include "common/random.h"

enum { PASSIVE, ACTIVE, COLLECTIVE, PUTS };
static const struct variant variants[] = {
    [PASSIVE] = {"passive", "late target: caf_put and caf_sync_memory, the target does nothing"},
    [ACTIVE] = {"active",
                "late target: MPI_Win_fence, MPI_Put, MPI_Win_fence, the target comes to both"},
    [COLLECTIVE] = {"collective", "broadcast: caf_broadcast from image 1"},
    [PUTS] = {"puts", "broadcast: image 1 puts to each other image, then caf_sync_all"},
    {0},
};

static double late_s = 200e-6;
static const struct program_option options[] = {
    {"late", OPTION_REAL, &late_s, "SECONDS",
     "how long the target of the first two variants computes before it comes", 0, 1},
    {0},
};

struct row {
    const char *operation;
    size_t size_bytes;
    int nodes;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "late (a put to an image that computes) or broadcast"),
    PARAMETER(struct row, size_bytes, "bytes that each target gets"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    {0},
};
static const size_t default_sizes[] = {8, 1024, 65536, 1048576, 0};

struct transfer {
    int variant;
    size_t bytes;
    uint64_t seed;
    struct caf_coarray *coarray;
    char *memory; /* what arrives here */
    char *source; /* on image 1: what is sent */
    MPI_Win window;
};

static bool is_late(const struct transfer *transfer)
{
    return transfer->variant == PASSIVE || transfer->variant == ACTIVE;
}

static bool open_transfer(struct run *run, void *task)
{
    struct transfer *transfer = task;
    size_t bytes = transfer->bytes;
    transfer->seed = run->settings.seed + (uint64_t)transfer->variant;
    transfer->source = scope_random(MEMORY_PAGEABLE, bytes, transfer->seed);
    if (transfer->variant == ACTIVE) {
        check_mpi(MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                                   &transfer->memory, &transfer->window));
        check_mpi(MPI_Win_fence(0, transfer->window));
    } else {
        check_caf(caf_allocate(&transfer->coarray, bytes, CAF_DATA, (void **)&transfer->memory));
    }
    memset(transfer->memory, 0, bytes);
    check_caf(caf_sync_all());
    return true;
}

static void close_transfer(void *task)
{
    struct transfer *transfer = task;
    if (transfer->variant == ACTIVE)
        check_mpi(MPI_Win_free(&transfer->window));
    else
        check_caf(caf_free(transfer->coarray));
}

/* The target's work: it calls nothing that would let a transfer progress. */
static void compute_when_target(void)
{
    double start_s = clock_now_s();
    while (ranks.rank == ranks.count - 1 && clock_now_s() - start_s < late_s)
        ;
}

static void put_to_last(struct transfer *transfer)
{
    if (ranks.rank == 0) {
        check_caf(caf_put(transfer->coarray, ranks.count, 0, transfer->source, transfer->bytes));
        check_caf(caf_sync_memory());
    } else {
        compute_when_target();
    }
}

static void put_between_fences(struct transfer *transfer)
{
    compute_when_target();
    check_mpi(MPI_Win_fence(0, transfer->window));
    if (ranks.rank == 0)
        check_mpi(MPI_Put(transfer->source, (int)transfer->bytes, MPI_BYTE, ranks.count - 1, 0,
                          (int)transfer->bytes, MPI_BYTE, transfer->window));
    check_mpi(MPI_Win_fence(0, transfer->window));
}

static void broadcast(struct transfer *transfer)
{
    check_caf(caf_broadcast(ranks.rank ? transfer->memory : transfer->source, transfer->bytes, 1));
}

static void put_to_all(struct transfer *transfer)
{
    for (int image = 2; ranks.rank == 0 && image <= ranks.count; image++)
        check_caf(caf_put(transfer->coarray, image, 0, transfer->source, transfer->bytes));
    check_caf(caf_sync_all());
}

/* A late put is timed at its origin; a broadcast everywhere. */
static double sample(void *task)
{
    static void (*const operations[])(struct transfer *) = {
        [PASSIVE] = put_to_last,
        [ACTIVE] = put_between_fences,
        [COLLECTIVE] = broadcast,
        [PUTS] = put_to_all,
    };
    struct transfer *transfer = task;
    double start_s = clock_now_s();
    operations[transfer->variant](transfer);
    double time_s = clock_now_s() - start_s;
    return is_late(transfer) && ranks.rank > 0 ? 0 : time_s;
}

/* Bytes that did not arrive, over all images. */
static long count_wrong(struct run *run, void *task)
{
    const struct transfer *transfer = task;
    (void)run;
    check_caf(caf_sync_all());
    bool is_target = is_late(transfer) ? ranks.rank == ranks.count - 1 : ranks.rank > 0;
    return images_sum(is_target ? (long)random_count_wrong_bytes(transfer->memory, transfer->bytes,
                                                                 transfer->seed)
                                : 0);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct transfer *transfer = task;
    (void)time_s;
    *(struct row *)row =
        (struct row){is_late(transfer) ? "late" : "broadcast", transfer->bytes, images_nodes()};
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
    images_need(run, 2);
    images_each_size(run, measure_size);
}

const struct program program = {
    .name = "coarrays_onesided",
    .summary = "puts to an image that comes late, and a broadcast beside a loop of puts",
    .details =
        "Start it with mpirun -np IMAGES. time_s of passive and active is the origin's (image 1)\n"
        "until its put to the last image is complete, while that image computes for --late\n"
        "seconds; of collective and puts it is the longest of all images until the data are\n"
        "there. What arrived is compared with what was sent.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
