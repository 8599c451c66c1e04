/* coarrays_himeno: the Himeno benchmark with strided halos (Fanfarillo 2016, 6.4.5 and 6.4.6). */
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "coarrays/bench/application.h"
#include "coarrays/bench/himeno.h"
#include "coarrays/bench/himeno_check.h"
#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/exit.h"

static const struct column columns[] = {
    {"scaling", COLUMN_PARAMETER, "strong: --grid is of all images together; weak: of each"},
    {"grid", COLUMN_PARAMETER, "points of all images together, boundary included"},
    {"iterations", COLUMN_PARAMETER, "of Jacobi relaxation"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"mflops", COLUMN_METRIC, "34 * inner points * iterations / time_s / 10^6"},
    {0},
};

static const char *grid_list = "64x64x128", *decomposition_text;
static int64_t iterations = 20;
static const struct program_option options[] = {
    APPLICATION_OPTIONS,
    {"grid", OPTION_TEXT, &grid_list, "XxYxZ,...",
     "points, boundary included, of all images together (strong) or of each (weak)", 0, 0},
    {"iterations", OPTION_INTEGER, &iterations, "N", "iterations of a sample", 1, 1e9},
    {"decomposition", OPTION_TEXT, &decomposition_text, "XxYxZ",
     "images along each dimension; left out: evenly, cutting first Y, then Z, then X", 0, 0},
    {0},
};

struct problem {
    struct application_grid grid;
    int images[3];
    struct himeno_block block;
    struct himeno_coefficients coefficients;
    float *start; /* of the pressure, on this image */
};

static const char *const actions[] = {"create", "set", "run", "get", "destroy", NULL};
static const struct application_topic topic = {"himeno", actions, &himeno_caf, &himeno_mpi};

/* A variant with a problem. */
struct task {
    enum application_variant variant;
    struct himeno_kernels kernels;
    const struct problem *problem;
    double gosa;
};

/* ---- samples ---- */

static void before(void *context)
{
    struct task *task = context;
    task->kernels.set(task->problem->start);
}

static double sample(void *context)
{
    struct task *task = context;
    const struct himeno_coefficients *c = &task->problem->coefficients;
    double start_s = clock_now_s();
    task->kernels.run((int)iterations, c->a, c->b, c->c, c->bound, c->source, &task->gosa);
    return clock_now_s() - start_s;
}

/* Wrong points of all images, and one for the residual of each that is wrong. */
static long verify(const struct task *task, const struct himeno_reference *reference)
{
    const struct himeno_block *block = &task->problem->block;
    float *result = allocate_or_fail(himeno_halo_points(block->extent[OWN]), sizeof *result);
    task->kernels.get(result);
    long wrong = himeno_count_wrong(block, reference, result, task->gosa);
    free(result);
    return images_sum(wrong);
}

/* ---- one configuration ---- */

static void record(struct run *run, const struct task *task, const struct subject *subject,
                   enum application_scaling scaling, const struct himeno_reference *reference)
{
    const struct problem *problem = task->problem;
    char grid[64];
    int inner[3];
    application_grid_text(problem->grid, grid, sizeof grid);
    for (int d = 0; d < 3; d++)
        inner[d] = problem->grid.size[d] - 2;
    double flops = HIMENO_FLOPS * (double)himeno_points(inner) * (double)iterations;
    long errors = run->settings.check ? verify(task, reference) : 0;
    int nodes = images_nodes();
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            text(application_scalings[scaling]),
            text(grid),
            integer(iterations),
            integer(nodes),
            real(flops / subject->times_s[i] / 1e6),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], errors);
    }
}

static void measure_tasks(struct run *run, const struct application_set *set,
                          enum application_scaling scaling, const struct problem *problem)
{
    const struct himeno_kernels *kernels = set->functions;
    size_t count = set->count;
    struct task tasks[APPLICATION_VARIANTS];
    struct subject subjects[APPLICATION_VARIANTS];
    struct himeno_reference reference = {0};
    const struct himeno_block *block = &problem->block;
    for (size_t i = 0; i < count; i++) {
        tasks[i] =
            (struct task){.variant = set->variant[i], .kernels = kernels[i], .problem = problem};
        tasks[i].kernels.create(block->extent, block->neighbour);
        subjects[i] = (struct subject){.variant = application_variants[tasks[i].variant].name,
                                       .sample = sample,
                                       .before = before,
                                       .context = &tasks[i]};
    }
    application_measure(run, subjects, count);
    if (run->settings.check)
        reference = himeno_reference(problem->grid.size, (int)iterations, run->settings.seed);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i], scaling, &reference);
        tasks[i].kernels.destroy();
    }
    free(reference.pressure);
    measure_free(subjects, count);
}

/* ---- all configurations ---- */

/* MPI's dimensions come largest first. Cutting the second dimension first makes halos of lines that
 * are apart, and leaves lines whole as long as can be. */
static void choose_decomposition(int images[3])
{
    if (!decomposition_text) {
        int dims[3] = {0};
        check_mpi(MPI_Dims_create(ranks.count, 3, dims));
        images[0] = dims[2];
        images[1] = dims[0];
        images[2] = dims[1];
        return;
    }
    struct application_grids given = application_read_grids("decomposition", decomposition_text);
    const int *cuts = given.grids[0].size;
    if (given.count != 1 || (int64_t)cuts[0] * cuts[1] * cuts[2] != ranks.count)
        images_refuse("--decomposition %s is not of %d images", decomposition_text, ranks.count);
    memcpy(images, cuts, sizeof given.grids[0].size);
    free(given.grids);
}

static struct application_grid all_points(enum application_scaling scaling,
                                          struct application_grid grid, const int images[3])
{
    for (int d = 0; d < 3; d++) {
        if (scaling == WEAK)
            grid.size[d] = (grid.size[d] - 2) * images[d] + 2;
        if (grid.size[d] - 2 < images[d])
            images_refuse("--grid %s: %d images along a dimension need at least %d points, "
                          "boundary included",
                          grid_list, images[d], images[d] + 2);
    }
    return grid;
}

/* The coefficients, the start and the result here, the pressure twice in each variant; the serial
 * version's result here and, in double precision and with coefficients, in the first image. */
static double bytes_per_image(const struct application_grid *grid, size_t variants)
{
    double points = (double)grid->size[0] * grid->size[1] * grid->size[2];
    return 4.0 * points *
           ((14.0 + 2.0 * (double)variants) / ranks.count + 1.0 + 16.0 / ranks.local_count);
}

static void measure_grid(struct run *run, const struct application_set *set,
                         enum application_scaling scaling, struct application_grid given)
{
    struct problem problem;
    char grid[64];
    choose_decomposition(problem.images);
    problem.grid = all_points(scaling, given, problem.images);
    images_need_memory(bytes_per_image(&problem.grid, set->count), "this grid");
    problem.block = himeno_block(problem.grid.size, problem.images, ranks.rank + 1);
    problem.coefficients = himeno_start(problem.grid.size, &problem.block, run->settings.seed);
    problem.start = allocate_or_fail(himeno_halo_points(problem.block.extent[OWN]), sizeof(float));
    himeno_pressure(problem.grid.size, &problem.block, run->settings.seed, problem.start);
    application_grid_text(problem.grid, grid, sizeof grid);
    program_note(run, "%s scaling, grid %s on %dx%dx%d images, %d iterations",
                 application_scalings[scaling], grid, problem.images[0], problem.images[1],
                 problem.images[2], (int)iterations);
    measure_tasks(run, set, scaling, &problem);
    himeno_free(&problem.coefficients);
    free(problem.start);
}

static void check_grid(enum application_scaling scaling, struct application_grid grid)
{
    int images[3];
    choose_decomposition(images);
    all_points(scaling, grid, images);
}

static void run_all(struct run *run)
{
    application_run_grids(run, grid_list, &topic, check_grid, measure_grid);
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
