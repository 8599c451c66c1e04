/* coarrays_transfer: puts and gets of a block of doubles, contiguous or strided, as in the EPCC
 * coarray micro-benchmarks. */
#include <stdio.h>

#include "coarrays/bench/batch.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/transfer_task.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

enum { ELEMENTS_MAX = 1 << 27, STRIDE_MAX = 1 << 20 };
static const char *const operation_names[] = {[PUT] = "put", [GET] = "get", NULL};
static const char *const partners_names[] = {[SINGLE] = "single", [MULTI] = "multi", NULL};

static struct option_choices operations = {
    .noun = "operation", .names = operation_names, .list = "put,get"};
static struct option_choices partners = {
    .noun = "partners", .names = partners_names, .list = "single"};
static struct option_numbers strides = {.list = "1"};
static double longest_s = 0.5;
static const struct program_option options[] = {
    {"operations", OPTION_CHOICES, &operations, "LIST", "put, get or both", 0, 0},
    {"partners", OPTION_CHOICES, &partners, "LIST",
     "single: image 1 works with the last image; multi: each image of the first half works with "
     "the one that is half the number of images further",
     0, 0},
    {"strides", OPTION_NUMBERS, &strides, "LIST",
     "distances in doubles between the elements in the coarray; 1 is contiguous", 1, STRIDE_MAX},
    {"longest", OPTION_REAL, &longest_s, "SECONDS",
     "a variant of which one operation takes longer is not measured with larger blocks", 0, 1e6},
    {0},
};

enum { C_VARIANT = 1, MEMCPY_VARIANT = 6, VARIANTS = 8 };
static const struct variant variants[] = {
    {"datamotion", "coarray assignments in Fortran, on this library"},
    {"datamotion-c", "caf_put, caf_get and their sections, this library from C"},
    {"opencoarrays", "the same Fortran on OpenCoarrays"},
    {"libcaf-mpi", "the same Fortran on this library, with all by MPI_Put and MPI_Get and derived "
                   "datatypes, as the thesis's LIBCAF_MPI"},
    {"element", "the same Fortran on this library, with one MPI message per element even of a "
                "contiguous block; it emulates, and is not, the thesis's Intel compiler"},
    {"mpi", "MPI alone in Fortran: MPI_Put or MPI_Get in a window, MPI_Win_flush, MPI_Type_vector"},
    {"memcpy", "no transfer: memcpy or a plain loop within the image's own memory, the limit"},
    {"ucx",
     "the same Fortran on this library, with all by UCX's puts, gets and active messages; it "
     "stands where the thesis has GASNet as another transport, and is not GASNet"},
    {0},
};

struct row {
    const char *operation, *partners;
    size_t elements, stride;
    int nodes;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, operation, "put or get"),
    PARAMETER(struct row, partners, "single or multi: which images work with which"),
    PARAMETER(struct row, elements, "doubles of one block"),
    PARAMETER(struct row, stride, "distance of its elements in the coarray in doubles"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, bandwidth_gbs, "8 elements / time_s in 10^9 byte/s, of each active image"),
    {0},
};

/* A variant that takes part, and how far it has come. */
static struct way {
    struct transfer_kernels kernels;
    bool takes_part;
    double time_s;      /* median of the last block */
    size_t too_long_at; /* elements from which one operation takes too long; 0: none yet */
} ways[VARIANTS];

static bool open_task(struct run *run, void *context)
{
    struct transfer_task *task = context;
    struct way *way = &ways[task->variant];
    (void)run;
    way->time_s = 0;
    if (!way->takes_part || (way->too_long_at && task->pattern.elements > way->too_long_at))
        return false;
    task->kernels = &way->kernels;
    task->local = task->variant == MEMCPY_VARIANT;
    task->seed += (uint64_t)task->variant << 20;
    transfer_task_open(task);
    batch_calibrate(transfer_sample, task, &task->times);
    return true;
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct transfer_task *task = context;
    double bytes = (double)task->pattern.elements * sizeof(double);
    *(struct row *)row = (struct row){operation_names[task->operation],
                                      partners_names[task->partners],
                                      task->pattern.elements,
                                      task->pattern.stride,
                                      images_nodes(),
                                      1e-9 * bytes / time_s};
}

static void note_median(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    const struct transfer_task *of = compared->tasks[task];
    (void)row;
    if (repetition == 0)
        ways[of->variant].time_s = measure_interval(&compared->subjects[task]).median;
}

static long count_wrong(struct run *run, void *task)
{
    (void)run;
    return transfer_errors(task);
}

static const struct comparison comparison = {.task_bytes = TASK(struct transfer_task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .sample = transfer_sample,
                                             .row = fill_row,
                                             .relate = note_median,
                                             .verify = count_wrong,
                                             .close = transfer_task_close};

static void leave_out_larger_blocks(struct run *run, const struct transfer_task *task, int variant)
{
    struct way *way = &ways[variant];
    char sentence[256];
    if (way->time_s <= longest_s || way->too_long_at)
        return;
    way->too_long_at = task->pattern.elements;
    snprintf(sentence, sizeof sentence,
             "%s, %s, stride %zu: more than %zu elements are left out, as these take %.2g s, "
             "longer than --longest %.2g",
             operation_names[task->operation], partners_names[task->partners], task->pattern.stride,
             task->pattern.elements, way->time_s, longest_s);
    record_waived(run, variants[variant].name, sentence);
}

static void measure_sizes(struct run *run, struct transfer_task task)
{
    program_note(run, "%s, %s, stride %zu", operation_names[task.operation],
                 partners_names[task.partners], task.pattern.stride);
    for (int v = 0; v < VARIANTS; v++)
        ways[v].too_long_at = 0;
    for (size_t i = 0; i < run->settings.size_count; i++) {
        task.pattern.elements = task.packed.elements = run->settings.sizes[i];
        /* New data for each size: what an earlier one left is wrong. */
        task.seed += (uint64_t)1 << 32;
        compare_variants(run, &comparison, &task);
        for (int v = 0; v < VARIANTS; v++)
            leave_out_larger_blocks(run, &task, v);
    }
}

static void refuse_impossible(const struct run *run)
{
    size_t largest = images_largest_size(run, "a block", ELEMENTS_MAX);
    long widest = 0;
    images_need(run, 2);
    for (size_t i = 0; i < partners.count; i++)
        if (partners.values[i] == MULTI && ranks.count % 2 != 0)
            images_refuse("--partners multi pairs the images, and there are %d: start an even "
                          "number with mpirun -np, or choose single",
                          ranks.count);
    for (size_t i = 0; i < strides.count; i++)
        widest = strides.values[i] > widest ? strides.values[i] : widest;
    images_need_memory((double)largest * (double)(widest + 1) * sizeof(double) * VARIANTS,
                       "the largest block at the largest stride");
}

static void run_all(struct run *run)
{
    struct kernels loaded[VARIANTS];
    refuse_impossible(run);
    check_status(caf_start(NULL, NULL));
    images_load(run, KERNELS, loaded);
    for (int v = 0; v < VARIANTS; v++) {
        ways[v].takes_part = loaded[v].handle || v == C_VARIANT || v == MEMCPY_VARIANT;
        ways[v].kernels = loaded[v].handle ? transfer_of(&loaded[v])
                          : v == C_VARIANT ? transfer_caf
                                           : transfer_memcpy;
    }
    for (size_t o = 0; o < operations.count; o++)
        for (size_t p = 0; p < partners.count; p++)
            for (size_t i = 0; i < strides.count; i++)
                measure_sizes(run, (struct transfer_task){
                                       .operation = (enum transfer_operation)operations.values[o],
                                       .partners = (enum transfer_partners)partners.values[p],
                                       .pattern.stride = (size_t)strides.values[i],
                                       .packed.stride = 1,
                                       .seed = run->settings.seed << 40});
    images_unload(run, loaded);
    check_status(caf_end());
}

const struct program program = {
    .name = "coarrays_transfer",
    .summary = "puts and gets of a block of doubles, by block size, stride and coarray library",
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
