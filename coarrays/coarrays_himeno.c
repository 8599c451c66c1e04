/* coarrays_himeno: the Himeno benchmark with strided halos (Fanfarillo 2016, 6.4.5 and 6.4.6). */
#include <mpi.h>

#include "coarrays/bench/application.h"
#include "coarrays/bench/himeno.h"
#include "coarrays/bench/himeno_check.h"
#include "coarrays/bench/images.h"
#include "common/harness/scope.h"

struct row {
    const char *scaling, *grid;
    int64_t iterations;
    int nodes;
    double mflops;
};
static const struct column columns[] = {
    PARAMETER(struct row, scaling, "strong: --grid is of all images together; weak: of each"),
    PARAMETER(struct row, grid, "points of all images together, boundary included"),
    PARAMETER(struct row, iterations, "of Jacobi relaxation"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, mflops, "34 * inner points * iterations / time_s / 10^6"),
    {0},
};

static struct option_words grid = {.list = "64x64x128"}, decomposition;
static int64_t iterations = 20;
static const struct program_option options[] = {
    APPLICATION_OPTIONS,
    {"grid", OPTION_WORDS, &grid, "XxYxZ,...",
     "points, boundary included, of all images together (strong) or of each (weak)", 0, 0},
    {"iterations", OPTION_INTEGER, &iterations, "N", "iterations of a sample", 1, 1e9},
    {"decomposition", OPTION_WORDS, &decomposition, "XxYxZ",
     "images along each dimension; left out: evenly, cutting first Y, then Z, then X", 0, 0},
    {0},
};
static struct application_grid *grids, images;

static const char *const actions[] = {"create", "set", "run", "get", "destroy", NULL};
static const struct application_topic topic = {"himeno", actions, &himeno_caf, &himeno_mpi};
static struct himeno_kernels kernels[APPLICATION_VARIANTS];

struct problem {
    enum application_scaling scaling;
    struct application_grid grid; /* of all images */
    struct himeno_part part;      /* this image's */
};

struct relaxation {
    int variant;
    const struct himeno_kernels *kernels;
    struct problem *problem;
    double gosa;
};

static bool open_relaxation(struct run *run, void *task)
{
    struct relaxation *relaxation = task;
    const struct himeno_block *block = &relaxation->problem->part.block;
    (void)run;
    if (!(application_available >> relaxation->variant & 1))
        return false;
    relaxation->kernels = &kernels[relaxation->variant];
    relaxation->kernels->create(block->extent, block->neighbour);
    return true;
}

static void set_start(void *task)
{
    struct relaxation *relaxation = task;
    relaxation->kernels->set(relaxation->problem->part.start);
}

static void relax(void *task)
{
    struct relaxation *relaxation = task;
    const struct himeno_coefficients *c = &relaxation->problem->part.coefficients;
    relaxation->kernels->run((int)iterations, c->a, c->b, c->c, c->bound, c->source,
                             &relaxation->gosa);
}

/* Wrong points of all images, and one for the residual of each that is wrong. */
static long count_wrong(struct run *run, void *task)
{
    struct relaxation *relaxation = task;
    struct himeno_part *part = &relaxation->problem->part;
    (void)run;
    relaxation->kernels->get(part->result);
    return images_sum(himeno_count_wrong(part, (int)iterations, relaxation->gosa));
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct problem *problem = ((const struct relaxation *)task)->problem;
    const int *size = problem->grid.size;
    double flops = HIMENO_FLOPS * (double)iterations *
                   (double)himeno_points((const int[]){size[0] - 2, size[1] - 2, size[2] - 2});
    *(struct row *)row =
        (struct row){application_scalings[problem->scaling], application_grid_text(problem->grid),
                     iterations, images_nodes(), flops / time_s / 1e6};
}

static void close_relaxation(void *task)
{
    ((struct relaxation *)task)->kernels->destroy();
}

static const struct comparison comparison = {.task_bytes = TASK(struct relaxation),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_relaxation,
                                             .prepare = set_start,
                                             .operation = relax,
                                             .measure = application_measure,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_relaxation};

/* ---- all configurations ---- */

/* MPI's dimensions come largest first. Cutting the second dimension first makes halos of lines that
 * are apart, and leaves lines whole as long as possible. */
static void choose_decomposition(void)
{
    int dims[3] = {0};
    if (!decomposition.list) {
        check_mpi(MPI_Dims_create(ranks.count, 3, dims));
        images = (struct application_grid){{dims[2], dims[0], dims[1]}};
        return;
    }
    images = *application_read_grids("decomposition", &decomposition);
    if (decomposition.count != 1 ||
        (int64_t)images.size[0] * images.size[1] * images.size[2] != ranks.count)
        images_refuse("--decomposition %s does not multiply to %d images", decomposition.list,
                      ranks.count);
}

static struct application_grid all_points(enum application_scaling scaling, size_t size)
{
    struct application_grid all = grids[size];
    for (int d = 0; d < 3; d++) {
        if (scaling == WEAK)
            all.size[d] = (all.size[d] - 2) * images.size[d] + 2;
        if (all.size[d] - 2 < images.size[d])
            images_refuse("--grid %s: %d images along a dimension need at least %d points, "
                          "boundary included",
                          grid.list, images.size[d], images.size[d] + 2);
    }
    return all;
}

static void check_grid(struct run *run, enum application_scaling scaling, size_t size)
{
    (void)run;
    all_points(scaling, size);
}

/* The coefficients, the start and the result here, the pressure twice in each variant; the serial
 * version's result here and, in double precision and with coefficients, in the first image. */
static double bytes_per_image(const struct application_grid *of)
{
    double points = (double)of->size[0] * of->size[1] * of->size[2];
    double variants = __builtin_popcount(application_available);
    return 4.0 * points * ((14.0 + 2.0 * variants) / ranks.count + 1.0 + 16.0 / ranks.local_count);
}

static void measure_grid(struct run *run, enum application_scaling scaling, size_t size)
{
    struct problem problem = {.scaling = scaling, .grid = all_points(scaling, size)};
    images_need_memory(bytes_per_image(&problem.grid), "this grid");
    scope_open();
    problem.part = himeno_part(problem.grid.size, images.size, run->settings.seed);
    program_note(run, "%s scaling, grid %s on %dx%dx%d images, %d iterations",
                 application_scalings[scaling], application_grid_text(problem.grid), images.size[0],
                 images.size[1], images.size[2], (int)iterations);
    compare_variants(run, &comparison, &(struct relaxation){.problem = &problem});
    himeno_free(&problem.part.coefficients);
    scope_close();
}

static void run_all(struct run *run)
{
    grids = application_read_grids("grid", &grid);
    choose_decomposition();
    application_run(run, grid.count, &topic, kernels, check_grid, measure_grid);
}

const struct program program = {
    .name = "coarrays_himeno",
    .summary = "runs the Himeno benchmark: a stencil whose halos are strided array sections",
    .details =
        "Jacobi relaxation of Poisson's equation for the pressure, 19 points, single precision,\n"
        "on random coefficients. In each iteration an image puts the outer layers of its block\n"
        "to its neighbours, one dimension after the other, and the residual is summed over all\n"
        "images. time_s is of all iterations, of the slowest image. Every point and the residual\n"
        "are compared with a serial version in double precision.",
    .variants = application_variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
