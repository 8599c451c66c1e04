/* coarrays_halo: every image exchanges the halo of its square of cells with its neighbours, as in
 * the EPCC coarray micro-benchmarks. */
#include "coarrays/bench/batch.h"
#include "coarrays/bench/halo.h"
#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/compare.h"

static const char *const layout_names[] = {[HALO_ROWS] = "rows", [HALO_GRID] = "grid", NULL};
static struct option_choices layouts = {
    .noun = "layout", .names = layout_names, .list = "rows,grid"};
static const struct program_option options[] = {
    {"layouts", OPTION_CHOICES, &layouts, "LIST",
     "rows: 1 x n images, halos are contiguous; grid: images as square as possible, halos to the "
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

struct row {
    size_t grid;
    const char *layout;
    int nodes;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, grid, "edge of the square of doubles that each image has"),
    PARAMETER(struct row, layout, "rows or grid: how the images lie"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, bandwidth_gbs,
           "bytes that one image sends in an exchange / time_s in 10^9 byte/s"),
    {0},
};

enum { EDGE_MAX = 1 << 15 };
static struct kernels loaded[VARIANTS];

struct exchange {
    int variant;
    enum halo_layout layout;
    size_t edge;
    struct halo_kernels kernels;
    struct halo_place place;
    double *memory;
    int times; /* exchanges of a sample */
};

static double sample(void *task)
{
    const struct exchange *exchange = task;
    double start_s = clock_now_s();
    exchange->kernels.exchange(exchange->times);
    return (clock_now_s() - start_s) / exchange->times;
}

static bool open_exchange(struct run *run, void *task)
{
    struct exchange *exchange = task;
    if (loaded[exchange->variant].handle)
        exchange->kernels = halo_of(&loaded[exchange->variant]);
    else if (exchange->variant == C_VARIANT || exchange->variant == MPI_C_VARIANT)
        exchange->kernels = exchange->variant == C_VARIANT ? halo_caf : halo_mpi;
    else
        return false;
    exchange->place = halo_place(exchange->layout, ranks.rank + 1, ranks.count);
    exchange->memory = exchange->kernels.open((int64_t)exchange->edge, exchange->place.neighbour);
    halo_fill(exchange->memory, exchange->edge, &exchange->place, run->settings.seed);
    batch_calibrate(sample, exchange, &exchange->times);
    return true;
}

/* Exchanges of new values, each checked before the next: halos that come too late, too early or
 * not at all are wrong. */
static long count_wrong(struct run *run, void *task)
{
    enum { EXCHANGES = 5 };
    struct exchange *exchange = task;
    long wrong = 0;
    for (uint64_t i = 1; i <= EXCHANGES; i++) {
        uint64_t values = (run->settings.seed << 32) + (i << 20);
        halo_fill(exchange->memory, exchange->edge, &exchange->place, values);
        exchange->kernels.exchange(1);
        wrong += halo_wrong(exchange->memory, exchange->edge, &exchange->place, values);
    }
    return images_sum(wrong);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct exchange *exchange = task;
    int halos = 0;
    for (int side = 0; side < SIDES; side++)
        halos += exchange->place.neighbour[side] != 0;
    double bytes = (double)exchange->edge * halos * sizeof(double);
    *(struct row *)row = (struct row){exchange->edge, layout_names[exchange->layout],
                                      images_nodes(), 1e-9 * bytes / time_s};
}

static void close_exchange(void *task)
{
    ((struct exchange *)task)->kernels.close();
}

static const struct comparison comparison = {.task_bytes = TASK(struct exchange),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_exchange,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_exchange};

static void run_all(struct run *run)
{
    images_need(run, 2);
    double largest = (double)images_largest_size(run, "a square with an edge", EDGE_MAX);
    images_need_memory(largest * largest * sizeof(double) * VARIANTS, "the largest square");
    check_status(caf_start(NULL, NULL));
    images_load(run, KERNELS, loaded);
    for (size_t l = 0; l < layouts.count; l++)
        for (size_t i = 0; i < run->settings.size_count; i++) {
            struct exchange exchange = {.layout = (enum halo_layout)layouts.values[l],
                                        .edge = run->settings.sizes[i]};
            program_note(run, "%s, %zu x %zu cells per image", layout_names[exchange.layout],
                         exchange.edge, exchange.edge);
            compare_variants(run, &comparison, &exchange);
        }
    images_unload(run, loaded);
    check_status(caf_end());
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
