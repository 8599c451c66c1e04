/* coarrays_halo: every image exchanges the halo of its square of cells with its neighbours, after
 * the EPCC coarray micro-benchmarks (S65). */
#include "coarrays/bench/batch.h"
#include "coarrays/bench/halo.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "common/clock.h"
#include "common/harness/program.h"

static const char *const layout_words[] = {"rows", "grid", NULL};
enum { LAYOUTS = 2 };
static const char *layouts = "rows,grid";
static const struct program_option options[] = {
    {"layouts", OPTION_TEXT, &layouts, "LIST",
     "rows: 1 x n images, halos are contiguous; grid: images as square as can be, halos to the "
     "north and south are strided",
     0, 0},
    {0},
};

enum { C_VARIANT = 1, MPI_C_VARIANT = 6, VARIANTS = 7 };
static const struct variant variants[] = {
    {"datamotion", "puts of array sections and sync images in Fortran, on this library"},
    {"datamotion-c", "caf_put_section and caf_sync_images, this library from C"},
    {"opencoarrays", "the same Fortran on OpenCoarrays"},
    {"libcaf-mpi", "the same Fortran on this library, with all transfers by MPI_Put and derived "
                   "datatypes, as the thesis's LIBCAF_MPI"},
    {"element", "the same Fortran on this library, with one MPI message per element even of a "
                "contiguous halo; it emulates, and is not, the thesis's Intel compiler"},
    {"mpi", "MPI alone in Fortran: MPI_Isend, MPI_Irecv, MPI_Type_vector"},
    {"mpi-c", "the same MPI from C"},
    {0},
};

static const struct column columns[] = {
    {"grid", COLUMN_PARAMETER, "edge of the square of doubles that each image has"},
    {"layout", COLUMN_PARAMETER, "rows or grid: how the images lie"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"bandwidth_gbs", COLUMN_METRIC,
     "bytes that one image sends in an exchange / time_s in 10^9 byte/s"},
    {0},
};

struct way {
    const char *variant;
    struct kernels loaded;
    struct halo_kernels kernels;
};

/* One grid and layout of one way: a subject of measure(). */
struct task {
    struct way *way;
    size_t edge;
    struct halo_place place;
    double *memory;
    int times; /* exchanges of a sample */
};

static double sample(void *context)
{
    const struct task *task = context;
    double start_s = clock_now_s();
    task->way->kernels.exchange(task->times);
    return (clock_now_s() - start_s) / task->times;
}

/* Exchanges of new values, each looked at before the next: halos that come too late, too early or
 * not at all are wrong. */
static long count_wrong(const struct task *task, uint64_t seed)
{
    enum { ROUNDS = 5 };
    long wrong = 0;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        uint64_t values = (seed << 32) + (round << 20);
        halo_fill(task->memory, task->edge, &task->place, values);
        task->way->kernels.exchange(1);
        wrong += halo_wrong(task->memory, task->edge, &task->place, values);
    }
    return images_sum(wrong);
}

static void record(struct run *run, const struct task *task, const char *layout,
                   const struct subject *subject)
{
    long wrong = run->settings.check ? count_wrong(task, run->settings.seed) : 0;
    int halos = 0;
    for (int side = 0; side < SIDES; side++)
        halos += task->place.neighbour[side] != 0;
    double bytes = (double)task->edge * halos * sizeof(double);
    struct value values[] = {integer((int64_t)task->edge), text(layout), integer(images_nodes()),
                             none()};
    for (size_t i = 0; i < subject->count; i++) {
        values[3] = real(1e-9 * bytes / subject->times_s[i]);
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], wrong);
    }
}

static void measure_grid(struct run *run, struct way *ways, size_t count, size_t edge,
                         enum halo_layout layout)
{
    struct task tasks[VARIANTS];
    struct subject subjects[VARIANTS];
    program_note(run, "%s, %zu x %zu cells per image", layout_words[layout], edge, edge);
    for (size_t i = 0; i < count; i++) {
        struct task *task = &tasks[i];
        *task = (struct task){.way = &ways[i], .edge = edge};
        task->place = halo_place(layout, ranks.rank + 1, ranks.count);
        task->memory = ways[i].kernels.open((int64_t)edge, task->place.neighbour);
        halo_fill(task->memory, edge, &task->place, run->settings.seed);
        batch_calibrate(sample, task, &task->times);
        subjects[i] =
            (struct subject){.variant = ways[i].variant, .sample = sample, .context = task};
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], layout_words[layout], &subjects[i]);
        ways[i].kernels.close();
    }
    measure_free(subjects, count);
}

static size_t find_ways(struct run *run, struct way *ways)
{
    size_t count = 0;
    for (size_t i = 0; i < VARIANTS; i++) {
        struct way way = {.variant = variants[i].name};
        bool built_in = i == C_VARIANT || i == MPI_C_VARIANT;
        if (built_in ? !program_wants(run, way.variant)
                     : !images_load(run, way.variant, &way.loaded))
            continue;
        way.kernels = !built_in ? halo_of(&way.loaded) : i == C_VARIANT ? halo_caf : halo_mpi;
        ways[count++] = way;
    }
    return count;
}

static void refuse_impossible(const struct settings *settings)
{
    enum { EDGE_MOST = 1 << 15 };
    size_t largest = 0;
    if (ranks.count < 2)
        images_refuse("coarrays_halo needs 2 or more images: start it with mpirun -np 2");
    for (size_t i = 0; i < settings->size_count; i++) {
        if (settings->sizes[i] < 1 || settings->sizes[i] > EDGE_MOST)
            images_refuse("a square of %zu x %zu cells: the edge must be from 1 to %d",
                          settings->sizes[i], settings->sizes[i], EDGE_MOST);
        largest = settings->sizes[i] > largest ? settings->sizes[i] : largest;
    }
    images_need_memory((double)largest * (double)largest * sizeof(double) * VARIANTS,
                       "the largest square");
}

static void run_all(struct run *run)
{
    const struct settings *settings = &run->settings;
    unsigned chosen = lists_choose("layouts", layouts, layout_words);
    refuse_impossible(settings);
    caf_start(NULL, NULL);
    struct way ways[VARIANTS];
    size_t count = find_ways(run, ways);
    for (int layout = 0; layout < LAYOUTS; layout++)
        for (size_t i = 0; i < settings->size_count && chosen >> layout & 1; i++)
            measure_grid(run, ways, count, settings->sizes[i], (enum halo_layout)layout);
    for (size_t i = 0; i < count; i++)
        kernels_unload(&ways[i].loaded);
    caf_end();
}

const struct program program = {
    .name = "coarrays_halo",
    .summary = "halo exchange of a square of cells per image, by coarray library and with MPI",
    .details =
        "Start it with mpirun -np IMAGES. Sizes are the edges of the squares. The images lie\n"
        "periodically: each has two neighbours per dimension that has more than one image. time_s\n"
        "is that of one exchange, the longest of all images; a sample does as many as take about\n"
        "0.5 ms (tried before, untimed). An exchange of coarrays is sync images with the\n"
        "neighbours, puts into their halos, sync images again, so that a halo stays as it is until\n"
        "its image begins the next exchange, as with MPI's two-sided messages. Corners are not\n"
        "exchanged. Checked afterwards: all halo cells on all images in five further exchanges,\n"
        "each with new values.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "elements",
    .default_begin = 256,
    .default_end = 4096,
    .start_ranks = ranks_start,
    .run = run_all,
};
