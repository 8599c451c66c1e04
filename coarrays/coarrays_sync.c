/* coarrays_sync: what synchronising costs: barriers, events, locks, atomics, collectives, and the
 * allocation of a coarray (S65). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "coarrays/bench/sync_task.h"
#include "common/harness/program.h"

static const char *const words[] = {"sync-all", "sync-images-pair", "sync-images-ring", "event",
                                    "lock",     "critical",         "atomic-add",       "fetch-add",
                                    "co-sum",   "co-broadcast",     "allocate",         NULL};

static const char *operations = "sync-all,sync-images-pair,sync-images-ring,event,lock,critical,"
                                "atomic-add,fetch-add,co-sum,co-broadcast,allocate";
static bool try_all;
static const struct program_option options[] = {
    {"operations", OPTION_TEXT, &operations, "LIST", "what to measure", 0, 0},
    {"try-all", OPTION_FLAG, &try_all, NULL,
     "also OpenCoarrays' events, locks and critical sections between nodes, which may never end", 0,
     0},
    {0},
};

enum { C_VARIANT = 1, VARIANTS = 4 };
static const struct variant variants[] = {
    {"datamotion", "coarray statements in Fortran, on this library"},
    {"datamotion-c", "caf.h, this library from C; a critical section is a lock of image 1"},
    {"opencoarrays", "the same Fortran on OpenCoarrays"},
    {"mpi", "the nearest that MPI has, in Fortran: MPI_Barrier, messages without content for sync "
            "images and events, MPI_Win_lock, MPI_Accumulate, MPI_Fetch_and_op, MPI_Allreduce, "
            "MPI_Bcast, MPI_Win_allocate"},
    {0},
};

static const struct column columns[] = {
    {"operation", COLUMN_PARAMETER, "what is done; -h says by whom"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {0},
};

struct way {
    const char *variant;
    struct kernels loaded;
    struct sync_kernels kernels;
};

/* ---- all operations ---- */

static void record(struct run *run, const struct subject *subject, int operation, long wrong)
{
    struct value values[] = {text(words[operation]), integer(images_nodes())};
    for (size_t i = 0; i < subject->count; i++)
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
}

/* What OpenCoarrays 2.10 does not do, in words; NULL: it does the operation. */
static const char *missing_in_opencoarrays(struct way *way, int operation)
{
    struct sync_task task = sync_task(&way->kernels, (enum sync_operation)operation);
    bool waits_for_words = operation == EVENT || operation == LOCK || operation == CRITICAL;
    if (!try_all && images_nodes() > 1 && waits_for_words)
        return "between nodes it may wait for ever where MPI's RMA needs the target's help, as "
               "over TCP; --try-all tries";
    if (operation == FETCH_ADD && !sync_fetches(&task))
        return "atomic_fetch_add does not give the old value (OpenCoarrays issue 772)";
    return NULL;
}

static bool lacks_operation(struct run *run, struct way *way, int operation)
{
    if (strcmp(way->variant, "opencoarrays") != 0)
        return false;
    const char *missing = missing_in_opencoarrays(way, operation);
    if (!missing)
        return false;
    char reason[256];
    snprintf(reason, sizeof reason, "%s: %s", words[operation], missing);
    record_waived(run, way->variant, reason);
    return true;
}

static void measure_operation(struct run *run, struct way *ways, size_t way_count, int operation)
{
    struct sync_task tasks[VARIANTS];
    struct subject subjects[VARIANTS];
    size_t count = 0;
    for (size_t i = 0; i < way_count; i++) {
        if (lacks_operation(run, &ways[i], operation))
            continue;
        struct sync_task *task = &tasks[count];
        *task = sync_task(&ways[i].kernels, (enum sync_operation)operation);
        batch_calibrate(sync_sample, task, &task->times);
        subjects[count++] =
            (struct subject){.variant = ways[i].variant, .sample = sync_sample, .context = task};
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record(run, &subjects[i], operation, run->settings.check ? sync_errors(&tasks[i]) : 0);
    measure_free(subjects, count);
}

static size_t find_ways(struct run *run, struct way *ways)
{
    size_t count = 0;
    for (size_t i = 0; i < VARIANTS; i++) {
        struct way way = {.variant = variants[i].name, .kernels = sync_caf};
        if (i == C_VARIANT ? !program_wants(run, way.variant)
                           : !images_load(run, way.variant, &way.loaded))
            continue;
        if (way.loaded.handle)
            way.kernels = sync_of(&way.loaded);
        way.kernels.open();
        ways[count++] = way;
    }
    return count;
}

/* Set by main before MPI starts. */
static bool component_is_chosen;

static void run_all(struct run *run)
{
    unsigned chosen = lists_choose("operations", operations, words);
    if (ranks.count < 2)
        images_refuse("coarrays_sync needs 2 or more images: start it with mpirun -np 2");
    if (component_is_chosen)
        program_note(run,
                     "MPI's one-sided component is chosen with OMPI_MCA_osc=sm,ucx: the default "
                     "of Open MPI 4 fails in MPI_Compare_and_swap within one host");
    caf_start(NULL, NULL);
    struct way ways[VARIANTS];
    size_t count = find_ways(run, ways);
    for (int operation = 0; operation < OPERATIONS; operation++)
        if (chosen >> operation & 1) {
            program_note(run, "%s", words[operation]);
            measure_operation(run, ways, count, operation);
        }
    for (size_t i = 0; i < count; i++) {
        ways[i].kernels.close();
        kernels_unload(&ways[i].loaded);
    }
    caf_end();
}

/* Open MPI 4's default component for one-sided communication fails in MPI_Compare_and_swap, which
 * OpenCoarrays uses, between the ranks of one host. Where there are several hosts it is the
 * user's, or the cluster's, to choose. */
static void choose_component(void)
{
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION <= 4
    const char *all = getenv("OMPI_COMM_WORLD_SIZE");
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (getenv("OMPI_MCA_osc") || !all || !here || strcmp(all, here) != 0)
        return;
    check_errno(setenv("OMPI_MCA_osc", "sm,ucx", 0) == 0);
    component_is_chosen = true;
#endif
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    choose_component();
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
        "  lock              the last image locks and unlocks a lock of image 1, nobody else does\n"
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
