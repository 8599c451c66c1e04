/* coarrays_transfer: puts and gets of a block of doubles, contiguous or
 * strided, after the EPCC coarray micro-benchmarks (S65). */
#include <stdio.h>
#include <stdlib.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "coarrays/bench/transfer_task.h"
#include "common/harness/program.h"

enum { C_VARIANT = 1, MEMCPY_VARIANT = 6, VARIANTS };
enum { ELEMENTS_MOST = 1 << 27, STRIDE_MOST = 1 << 20 };
static const char *const operation_words[] = {"put", "get", NULL};
static const char *const partners_words[] = {"single", "multi", NULL};

static const char *operations = "put,get", *partners = "single", *strides = "1";
static double longest_s = 0.5;
static const struct program_option options[] = {
    {"operations", OPTION_TEXT, &operations, "LIST", "put, get or both", 0, 0},
    {"partners", OPTION_TEXT, &partners, "LIST",
     "single: image 1 works with the last image; multi: each image of the "
     "first half works with "
     "the one that is half the number of images further",
     0, 0},
    {"strides", OPTION_TEXT, &strides, "LIST",
     "distances in doubles between the elements in the coarray; 1 is "
     "contiguous",
     0, 0},
    {"longest", OPTION_REAL, &longest_s, "SECONDS",
     "a variant of which one operation takes longer is not measured with "
     "larger blocks",
     0, 1e6},
    {0},
};

static const struct variant variants[] = {
    {"datamotion", "coarray assignments in Fortran, on this library"},
    {"datamotion-c", "caf_put, caf_get and their sections, this library from C"},
    {"opencoarrays", "the same Fortran on OpenCoarrays"},
    {"libcaf-mpi", "the same Fortran on this library, with all by MPI_Put and "
                   "MPI_Get and derived "
                   "datatypes, as the thesis's LIBCAF_MPI"},
    {"element", "the same Fortran on this library, with one MPI message per element even "
                "of a "
                "contiguous block; it emulates, and is not, the thesis's Intel compiler"},
    {"mpi", "MPI alone in Fortran: MPI_Put or MPI_Get in a window, "
            "MPI_Win_flush, MPI_Type_vector"},
    {"memcpy", "no transfer: memcpy or a plain loop within the image's own "
               "memory, the limit"},
    {0},
};

static const struct column columns[] = {
    {"operation", COLUMN_PARAMETER, "put or get"},
    {"partners", COLUMN_PARAMETER, "single or multi: which images work with which"},
    {"elements", COLUMN_PARAMETER, "doubles of one block"},
    {"stride", COLUMN_PARAMETER, "distance of its elements in the coarray in doubles"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"bandwidth_gbs", COLUMN_METRIC, "8 elements / time_s in 10^9 byte/s, of each active image"},
    {0},
};

/* A variant that takes part, and how far it has come. */
struct way {
    const char *variant;
    struct kernels loaded;
    struct transfer_kernels kernels;
    bool local;          /* does not leave the image */
    int64_t too_long_at; /* elements from which one operation takes too long; 0:
                            none yet */
};

static void record(struct run *run, const struct transfer_task *task, const struct subject *subject)
{
    long wrong = run->settings.check ? transfer_errors(task) : 0;
    int nodes = images_nodes();
    for (size_t i = 0; i < subject->count; i++) {
        double bytes = (double)task->pattern.elements * sizeof(double);
        struct value values[] = {
            text(operation_words[task->operation]),
            text(partners_words[task->partners]),
            integer((int64_t)task->pattern.elements),
            integer((int64_t)task->pattern.stride),
            integer(nodes),
            real(1e-9 * bytes / subject->times_s[i]),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

static void look_whether_too_long(struct run *run, struct way *way,
                                  const struct transfer_task *task, const struct subject *subject)
{
    double time_s = measure_interval(subject).median;
    if (time_s <= longest_s || way->too_long_at)
        return;
    way->too_long_at = (int64_t)task->pattern.elements;
    char reason[256];
    snprintf(
        reason, sizeof reason,
        "%s, %s, stride %zu: more than %zu elements are left out, as these take %.2g s, longer "
        "than --longest %.2g",
        operation_words[task->operation], partners_words[task->partners], task->pattern.stride,
        task->pattern.elements, time_s, longest_s);
    record_waived(run, subject->variant, reason);
}

/* All ways, interleaved. `task` says the configuration. */
static void measure_block(struct run *run, struct way *ways, size_t way_count,
                          struct transfer_task task)
{
    struct transfer_task tasks[VARIANTS];
    struct subject subjects[VARIANTS];
    struct way *measured[VARIANTS];
    size_t count = 0;
    for (size_t i = 0; i < way_count; i++) {
        struct way *way = &ways[i];
        if (way->too_long_at && (int64_t)task.pattern.elements > way->too_long_at)
            continue;
        struct transfer_task *one = &tasks[count];
        *one = task;
        one->kernels = &way->kernels;
        one->local = way->local;
        one->seed += i << 20;
        transfer_task_open(one);
        batch_calibrate(transfer_sample, one, &one->times);
        subjects[count] =
            (struct subject){.variant = way->variant, .sample = transfer_sample, .context = one};
        measured[count] = way;
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i]);
        look_whether_too_long(run, measured[i], &tasks[i], &subjects[i]);
        transfer_task_close(&tasks[i]);
    }
    measure_free(subjects, count);
}

static void measure_sizes(struct run *run, struct way *ways, size_t way_count,
                          struct transfer_task task)
{
    const struct settings *settings = &run->settings;
    for (size_t i = 0; i < way_count; i++)
        ways[i].too_long_at = 0;
    for (size_t i = 0; i < settings->size_count; i++) {
        task.pattern.elements = task.packed.elements = settings->sizes[i];
        /* New data for each size: what an earlier one left is wrong. */
        task.seed += (uint64_t)1 << 32;
        measure_block(run, ways, way_count, task);
    }
}

static size_t find_ways(struct run *run, struct way *ways)
{
    size_t count = 0;
    for (size_t i = 0; i < VARIANTS; i++) {
        struct way way = {.variant = variants[i].name};
        if (i == C_VARIANT || i == MEMCPY_VARIANT) {
            way.local = i == MEMCPY_VARIANT;
            way.kernels = way.local ? transfer_memcpy : transfer_caf;
            if (!program_wants(run, way.variant))
                continue;
        } else {
            if (!images_load(run, way.variant, &way.loaded))
                continue;
            way.kernels = transfer_of(&way.loaded);
        }
        ways[count++] = way;
    }
    return count;
}

static void refuse_impossible(const struct run *run, unsigned chosen_partners,
                              const struct numbers *distances)
{
    size_t largest = 0;
    int64_t widest = 0;
    for (size_t i = 0; i < run->settings.size_count; i++)
        largest = run->settings.sizes[i] > largest ? run->settings.sizes[i] : largest;
    for (size_t i = 0; i < distances->count; i++)
        widest = distances->values[i] > widest ? distances->values[i] : widest;
    if (ranks.count < 2)
        images_refuse("coarrays_transfer needs 2 or more images: start it with mpirun -np 2");
    if (chosen_partners & 1u << MULTI && ranks.count % 2 != 0)
        images_refuse("--partners multi pairs the images, and there are %d: start "
                      "an even number "
                      "with mpirun -np, or choose single",
                      ranks.count);
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] == 0)
            images_refuse("a block of 0 elements is no transfer: the smallest is 1");
    if (largest > ELEMENTS_MOST)
        images_refuse("a block of %zu elements is too large: the largest is %d", largest,
                      ELEMENTS_MOST);
    images_need_memory((double)largest * (double)(widest + 1) * sizeof(double) * VARIANTS,
                       "the largest block at the largest stride");
}

static void run_all(struct run *run)
{
    unsigned chosen_operations = lists_choose("operations", operations, operation_words);
    unsigned chosen_partners = lists_choose("partners", partners, partners_words);
    struct numbers distances = lists_numbers("strides", strides, 1, STRIDE_MOST);
    refuse_impossible(run, chosen_partners, &distances);
    caf_start(NULL, NULL);
    struct way ways[VARIANTS];
    size_t way_count = find_ways(run, ways);
    for (int operation = PUT; operation < OPERATIONS; operation++)
        for (int who = SINGLE; who <= MULTI; who++)
            for (size_t i = 0; i < distances.count; i++) {
                size_t stride = (size_t)distances.values[i];
                if (!(chosen_operations >> operation & chosen_partners >> who & 1))
                    continue;
                program_note(run, "%s, %s, stride %zu", operation_words[operation],
                             partners_words[who], stride);
                measure_sizes(run, ways, way_count,
                              (struct transfer_task){.operation = operation,
                                                     .partners = who,
                                                     .pattern.stride = stride,
                                                     .packed.stride = 1,
                                                     .seed = run->settings.seed << 40});
            }
    for (size_t i = 0; i < way_count; i++)
        kernels_unload(&ways[i].loaded);
    caf_end();
    free(distances.values);
}

const struct program program = {
    .name = "coarrays_transfer",
    .summary = "puts and gets of a block of doubles, by block size, stride and "
               "coarray library",
    .details =
        "Start it with mpirun -np IMAGES. A block lies without gaps in the image's own memory and\n"
        "with the stride in the coarray of its partner. time_s is that of one operation: a sample\n"
        "does as many as take about 0.5 ms (tried before, untimed) and ends when they are complete\n"
        "at the partner: puts with one sync memory (mpi: MPI_Win_flush) after all of them, each\n"
        "get by itself. The images that do not work wait in a barrier of their library. time_s is\n"
        "the longest of the images that work. Checked afterwards: the elements, what lies between\n"
        "and around them, and the coarrays of all other images.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_begin = 1,
    .default_end = 1 << 20,
    .start_ranks = ranks_start,
    .run = run_all,
};
