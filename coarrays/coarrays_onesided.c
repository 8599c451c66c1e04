/* coarrays_onesided: what the target's help costs, and a collective beside a loop of puts
 * (Fanfarillo 2016, 5.2.2.4 and 5.3). */
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/program.h"
#include "common/random.h"

enum way { PASSIVE, ACTIVE, COLLECTIVE, PUTS, WAYS };
static const struct variant variants[] = {
    {"passive", "late target: caf_put and caf_sync_memory, the target does nothing"},
    {"active", "late target: MPI_Win_fence, MPI_Put, MPI_Win_fence, the target comes to both"},
    {"collective", "broadcast: caf_broadcast from image 1"},
    {"puts", "broadcast: image 1 puts to each other image, then caf_sync_all"},
    {0},
};

static double late_s = 200e-6;
static const struct program_option options[] = {
    {"late", OPTION_REAL, &late_s, "SECONDS",
     "how long the target of the first two variants computes before it comes", 0, 1},
    {0},
};

static const struct column columns[] = {
    {"operation", COLUMN_PARAMETER, "late (a put to an image that computes) or broadcast"},
    {"size_bytes", COLUMN_PARAMETER, "bytes that each target gets"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {0},
};
static const size_t default_sizes[] = {8, 1024, 65536, 1048576, 0};

/* One way with one size. */
struct task {
    enum way way;
    size_t bytes;
    uint64_t seed;
    struct caf_coarray *coarray;
    char *memory; /* what arrives here */
    char *source; /* on image 1: what is sent */
    MPI_Win window;
};

static bool is_late(enum way way)
{
    return way == PASSIVE || way == ACTIVE;
}

/* The target's work: it calls nothing that would let a transfer progress. */
static void compute_when_target(void)
{
    double start_s = clock_now_s();
    while (ranks.rank == ranks.count - 1 && clock_now_s() - start_s < late_s)
        ;
}

static void put_to_last(struct task *task)
{
    if (ranks.rank == 0) {
        check_caf(caf_put(task->coarray, ranks.count, 0, task->source, task->bytes));
        check_caf(caf_sync_memory());
    } else {
        compute_when_target();
    }
}

static void put_between_fences(struct task *task)
{
    compute_when_target();
    check_mpi(MPI_Win_fence(0, task->window));
    if (ranks.rank == 0)
        check_mpi(MPI_Put(task->source, (int)task->bytes, MPI_BYTE, ranks.count - 1, 0,
                          (int)task->bytes, MPI_BYTE, task->window));
    check_mpi(MPI_Win_fence(0, task->window));
}

static void put_to_all(struct task *task)
{
    for (int image = 2; ranks.rank == 0 && image <= ranks.count; image++)
        check_caf(caf_put(task->coarray, image, 0, task->source, task->bytes));
    check_caf(caf_sync_all());
}

/* A late put is timed at its origin; a broadcast everywhere. */
static double sample(void *context)
{
    struct task *task = context;
    double start_s = clock_now_s();
    switch (task->way) {
    case PASSIVE:
        put_to_last(task);
        break;
    case ACTIVE:
        put_between_fences(task);
        break;
    case COLLECTIVE:
        check_caf(caf_broadcast(ranks.rank ? task->memory : task->source, task->bytes, 1));
        break;
    default:
        put_to_all(task);
    }
    double time_s = clock_now_s() - start_s;
    return is_late(task->way) && ranks.rank > 0 ? 0 : time_s;
}

static struct task create(enum way way, size_t bytes, uint64_t seed)
{
    struct task task = {.way = way, .bytes = bytes, .seed = seed, .window = MPI_WIN_NULL};
    task.source = allocate_or_fail(bytes, 1);
    random_fill_bytes(task.source, bytes, seed);
    if (way == ACTIVE) {
        check_mpi(MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &task.memory,
                                   &task.window));
        check_mpi(MPI_Win_fence(0, task.window));
    } else {
        check_caf(caf_allocate(&task.coarray, bytes, CAF_DATA, (void **)&task.memory));
    }
    memset(task.memory, 0, bytes);
    check_caf(caf_sync_all());
    return task;
}

static void destroy(struct task *task)
{
    if (task->way == ACTIVE)
        check_mpi(MPI_Win_free(&task->window));
    else
        check_caf(caf_free(task->coarray));
    free(task->source);
}

/* Bytes that did not arrive, over all images. */
static long errors(const struct task *task)
{
    check_caf(caf_sync_all());
    bool is_target = is_late(task->way) ? ranks.rank == ranks.count - 1 : ranks.rank > 0;
    return images_sum(
        is_target ? (long)random_count_wrong_bytes(task->memory, task->bytes, task->seed) : 0);
}

static void measure_size(struct run *run, size_t bytes)
{
    struct task tasks[WAYS];
    struct subject subjects[WAYS];
    size_t count = 0;
    int nodes = images_nodes();
    for (int way = 0; way < WAYS; way++)
        if (program_wants(run, variants[way].name)) {
            tasks[count] = create((enum way)way, bytes, run->settings.seed + (uint64_t)way);
            subjects[count] = (struct subject){
                .variant = variants[way].name, .sample = sample, .context = &tasks[count]};
            count++;
        }
    program_note(run, "%zu bytes", bytes);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        long wrong = run->settings.check ? errors(&tasks[i]) : 0;
        struct value values[] = {text(is_late(tasks[i].way) ? "late" : "broadcast"),
                                 integer((int64_t)bytes), integer(nodes)};
        for (size_t k = 0; k < subjects[i].count; k++)
            record_values(run, subjects[i].variant, (int)k, values, subjects[i].times_s[k], wrong);
        destroy(&tasks[i]);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    if (ranks.count < 2)
        images_refuse("coarrays_onesided needs 2 or more images: start it with mpirun -np 2");
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
