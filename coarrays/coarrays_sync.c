/* coarrays_sync: what synchronising costs: barriers, events, locks, atomics, collectives, and the
 * allocation of a coarray, as in the EPCC coarray micro-benchmarks. */
#include <stdio.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/openmpi.h"
#include "coarrays/bench/sync_task.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

static struct option_choices operations = {
    .noun = "operation",
    .names = sync_operation_names,
    .list = "sync-all,sync-images-pair,sync-images-ring,event,lock,critical,atomic-add,fetch-add,"
            "co-sum,co-broadcast,allocate"};
static bool try_all;
static const struct program_option options[] = {
    {"operations", OPTION_CHOICES, &operations, "LIST", "what to measure", 0, 0},
    {"try-all", OPTION_FLAG, &try_all, NULL,
     "also OpenCoarrays' events, locks and critical sections between nodes, which may never end", 0,
     0},
    {0},
};

enum { C_VARIANT = 1, OPENCOARRAYS_VARIANT, MPI_VARIANT, UCX_VARIANT, VARIANTS };
static const struct variant variants[] = {
    {"datamotion", "coarray statements in Fortran, on this library"},
    {"datamotion-c", "caf.h, this library from C; a critical section is a lock of image 1"},
    {"opencoarrays", "the same Fortran on OpenCoarrays"},
    {"mpi", "the nearest that MPI has, in Fortran: MPI_Barrier, messages without content for sync "
            "images and events, MPI_Win_lock, MPI_Accumulate, MPI_Fetch_and_op, MPI_Allreduce, "
            "MPI_Bcast, MPI_Win_allocate"},
    {"ucx", "the same Fortran on this library, with UCX instead of MPI between nodes"},
    {0},
};

struct row {
    const char *operation;
    int nodes;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "what is done; -h says by whom"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    {0},
};

static struct kernels loaded[VARIANTS];
static struct sync_kernels kernels[VARIANTS];
static unsigned available; /* bit per variant */

/* What OpenCoarrays 2.10 does not do, in words; NULL: it does the operation. */
static const char *missing_in_opencoarrays(const struct sync_task *task)
{
    bool waits_for_words =
        task->operation == EVENT || task->operation == LOCK || task->operation == CRITICAL;
    if (!try_all && images_nodes() > 1 && waits_for_words)
        return "between nodes it may wait for ever where MPI's RMA needs the target's help, as "
               "over TCP; --try-all tries";
    if (task->operation == FETCH_ADD && !sync_fetches(task))
        return "atomic_fetch_add does not give the old value (OpenCoarrays issue 772)";
    return NULL;
}

static bool open_task(struct run *run, void *context)
{
    struct sync_task *task = context;
    if (!(available >> task->variant & 1))
        return false;
    sync_task_open(task, &kernels[task->variant]);
    const char *missing =
        task->variant == OPENCOARRAYS_VARIANT ? missing_in_opencoarrays(task) : NULL;
    if (missing) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s: %s", sync_operation_names[task->operation],
                 missing);
        record_waived(run, variants[task->variant].name, sentence);
        return false;
    }
    batch_calibrate(sync_sample, task, &task->times);
    return true;
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return sync_errors(task);
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    *(struct row *)row = (struct row){
        sync_operation_names[((const struct sync_task *)task)->operation], images_nodes()};
}

static const struct comparison comparison = {.task_bytes = TASK(struct sync_task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .sample = sync_sample,
                                             .row = fill_row,
                                             .verify = count_wrong};

static void open_kernels(struct run *run)
{
    images_load(run, KERNELS, loaded);
    for (int v = 0; v < VARIANTS; v++) {
        if (v == C_VARIANT ? !program_wants_variant(run, v) : !loaded[v].handle)
            continue;
        if (v == UCX_VARIANT && images_nodes() == 1) {
            record_waived(run, variants[v].name,
                          "within one node images meet through shared memory, whatever carries "
                          "data between nodes");
            continue;
        }
        kernels[v] = v == C_VARIANT ? sync_caf : sync_of(&loaded[v]);
        kernels[v].open();
        available |= 1u << v;
    }
}

static void close_kernels(struct run *run)
{
    for (int v = 0; v < VARIANTS; v++)
        if (available >> v & 1)
            kernels[v].close();
    images_unload(run, loaded);
}

static bool component_is_chosen;

static void run_all(struct run *run)
{
    images_need(run, 2);
    if (component_is_chosen)
        program_note(run,
                     "MPI's one-sided component is chosen with OMPI_MCA_osc=sm,ucx: the default "
                     "of Open MPI 4 fails in MPI_Compare_and_swap within one host");
    check_status(caf_start(NULL, NULL));
    open_kernels(run);
    for (size_t i = 0; i < operations.count; i++) {
        program_note(run, "%s", sync_operation_names[operations.values[i]]);
        compare_variants(
            run, &comparison,
            &(struct sync_task){.operation = (enum sync_operation)operations.values[i]});
    }
    close_kernels(run);
    check_status(caf_end());
}

static void start_program(int argc, char **argv)
{
    (void)argc, (void)argv;
    component_is_chosen = openmpi_choose_component();
}

const struct program program = {
    .name = "coarrays_sync",
    .summary = "barriers, events, locks, atomics, collectives and allocation, by coarray library",
    .details =
        "Start it with mpirun -np IMAGES. time_s is that of one operation, the longest of all\n"
        "images; a sample does as many as take about 0.5 ms (tried before, untimed).\n"
        "  sync-all          all images\n"
        "  sync-images-pair  pairs of images that are half the number of images apart\n"
        "  sync-images-ring  every image with its two neighbours\n"
        "  event             the same pairs: a post and the wait for it, half of there and back\n"
        "  lock              the last image locks and unlocks a lock of image 1, no other does\n"
        "  critical          all images enter and leave the same critical section\n"
        "  atomic-add        the last image adds to a word of image 1; complete after all of them\n"
        "  fetch-add         the same with the old value, complete after each\n"
        "  co-sum            of one double, the result on all images\n"
        "  co-broadcast      of one double from image 1\n"
        "  allocate          allocate and deallocate a coarray of 1024 doubles; this library holds\n"
        "                    many such small ones in one segment\n"
        "Checked afterwards: that what was written before a sync is there after it, that sums and\n"
        "counts are exact, and that additions in a critical section do not get lost. The variants\n"
        "libcaf-mpi and element of the other programs differ in transfers alone, so they are not\n"
        "here. With Open MPI 4 within one host OMPI_MCA_osc is set to sm,ucx unless it is set.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
