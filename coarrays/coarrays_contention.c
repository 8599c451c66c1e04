/* coarrays_contention: two-sided and one-sided transfers while all images communicate (Fanfarillo
 * 2016, 7.3.3; S81). */
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/program.h"
#include "common/random.h"

enum way { SENDRECV, MPI_GET, CAF_GET, WAYS };
static const struct variant variants[] = {
    [SENDRECV] = {"sendrecv", "MPI_Send and MPI_Recv: the block goes to the partner, and the "
                              "partner's comes back"},
    [MPI_GET] = {"mpi-get", "MPI_Get and MPI_Win_flush, as the thesis's LIBCAF_MPI"},
    [CAF_GET] = {"caf-get", "caf_get"},
    {0},
};

static const struct column columns[] = {
    {"bytes", COLUMN_PARAMETER, "bytes of a block"},
    {"pairs", COLUMN_PARAMETER, "pairs of images that communicate at once"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"latency_s", COLUMN_METRIC, "time_s: of one block, of the slowest pair"},
    {"bandwidth_gbs", COLUMN_METRIC, "10^9 bytes per second: pairs * bytes / time_s"},
    {0},
};
static const size_t default_sizes[] = {8, 64, 512, 4096, 32768, 65536, 262144, 1048576, 4194304, 0};

/* One way with one size. Image i works with image i + images / 2. */
struct task {
    enum way way;
    int bytes, times;
    int partner; /* rank */
    bool is_first;
    uint64_t seed;
    struct caf_coarray *coarray;
    MPI_Win window;
    char *source;  /* this image's block, in the window or coarray of the variants that get */
    char *arrived; /* the partner's */
};

/* ---- samples ---- */

static void send(struct task *task)
{
    check_mpi(MPI_Send(task->source, task->bytes, MPI_BYTE, task->partner, 0, MPI_COMM_WORLD));
}

static void receive(struct task *task)
{
    check_mpi(MPI_Recv(task->arrived, task->bytes, MPI_BYTE, task->partner, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
}

/* A round trip is two blocks, one after the other. */
static double exchange(struct task *task)
{
    double start_s = clock_now_s();
    for (int i = 0; i < task->times; i++) {
        if (task->is_first)
            send(task);
        receive(task);
        if (!task->is_first)
            send(task);
    }
    return (clock_now_s() - start_s) / (2 * task->times);
}

static void get_mpi(struct task *task)
{
    for (int i = 0; i < task->times; i++) {
        check_mpi(MPI_Get(task->arrived, task->bytes, MPI_BYTE, task->partner, 0, task->bytes,
                          MPI_BYTE, task->window));
        check_mpi(MPI_Win_flush(task->partner, task->window));
    }
}

static void get_caf(struct task *task)
{
    for (int i = 0; i < task->times; i++)
        check_caf(caf_get(task->arrived, task->coarray, task->partner + 1, 0, (size_t)task->bytes));
}

/* The first of a pair gets; the other one waits inside MPI. */
static double sample(void *context)
{
    struct task *task = context;
    if (task->way == SENDRECV)
        return exchange(task);
    double start_s = clock_now_s();
    if (!task->is_first)
        return 0;
    if (task->way == MPI_GET)
        get_mpi(task);
    else
        get_caf(task);
    return (clock_now_s() - start_s) / task->times;
}

/* ---- one configuration ---- */

static struct task create(enum way way, size_t bytes, uint64_t seed)
{
    int half = ranks.count / 2;
    struct task task = {.way = way,
                        .bytes = (int)bytes,
                        .is_first = ranks.rank < half,
                        .partner = ranks.rank < half ? ranks.rank + half : ranks.rank - half,
                        .seed = seed,
                        .window = MPI_WIN_NULL};
    if (way == MPI_GET) {
        check_mpi(MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &task.source,
                                   &task.window));
        check_mpi(MPI_Win_lock_all(0, task.window));
    } else if (way == CAF_GET) {
        check_caf(caf_allocate(&task.coarray, bytes, CAF_DATA, (void **)&task.source));
    } else {
        task.source = allocate_or_fail(bytes, 1);
    }
    random_fill_bytes(task.source, bytes, seed + (uint64_t)ranks.rank);
    if (way == MPI_GET)
        check_mpi(MPI_Win_sync(task.window));
    task.arrived = allocate_or_fail(bytes, 1);
    check_caf(caf_sync_all());
    return task;
}

static void destroy(struct task *task)
{
    if (task->way == MPI_GET) {
        check_mpi(MPI_Win_unlock_all(task->window));
        check_mpi(MPI_Win_free(&task->window));
    } else if (task->way == CAF_GET) {
        check_caf(caf_free(task->coarray));
    } else {
        free(task->source);
    }
    free(task->arrived);
}

/* Bytes that are not the partner's, over all images that receive. */
static long errors(const struct task *task)
{
    bool receives = task->way == SENDRECV || task->is_first;
    return images_sum(receives
                          ? (long)random_count_wrong_bytes(task->arrived, (size_t)task->bytes,
                                                           task->seed + (uint64_t)task->partner)
                          : 0);
}

static void record(struct run *run, const struct task *task, const struct subject *subject)
{
    int nodes = images_nodes(), pairs = ranks.count / 2;
    long wrong = run->settings.check ? errors(task) : 0;
    for (size_t k = 0; k < subject->count; k++) {
        double time_s = subject->times_s[k];
        struct value values[] = {
            integer(task->bytes),
            integer(pairs),
            integer(nodes),
            real(time_s),
            real(1e-9 * pairs * task->bytes / time_s),
        };
        record_values(run, subject->variant, (int)k, values, time_s, wrong);
    }
}

static void measure_size(struct run *run, size_t bytes)
{
    struct task tasks[WAYS];
    struct subject subjects[WAYS];
    size_t count = 0;
    for (int way = 0; way < WAYS; way++) {
        if (!program_wants(run, variants[way].name))
            continue;
        uint64_t seed = run->settings.seed + (uint64_t)way * (uint64_t)ranks.count;
        tasks[count] = create((enum way)way, bytes, seed);
        batch_calibrate(sample, &tasks[count], &tasks[count].times);
        subjects[count] = (struct subject){
            .variant = variants[way].name, .sample = sample, .context = &tasks[count]};
        count++;
    }
    program_note(run, "%zu bytes", bytes);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i]);
        destroy(&tasks[i]);
    }
    measure_free(subjects, count);
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
        "is so many transfers that it takes 0.5 ms or more; time_s is of one transfer, of the\n"
        "slowest pair: of sendrecv half a round trip, of the others a get until its data have\n"
        "arrived. The blocks are compared with what the partner has.",
    .variants = variants,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .start_ranks = ranks_start,
    .run = run_all,
};
