/* coarrays_transpose: a transpose of a distributed array of three dimensions, every image with
 * every other (Fanfarillo 2016, 6.4.7 and 6.4.8). */
#include <stdlib.h>

#include "coarrays/bench/application.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/transpose.h"
#include "common/clock.h"
#include "common/harness/exit.h"

static const struct column columns[] = {
    {"scaling", COLUMN_PARAMETER, "strong: --grid is of all images together; weak: of each"},
    {"grid", COLUMN_PARAMETER, "elements of all images together"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes of the whole array / time_s in 10^9 byte/s"},
    {0},
};

static const char *grid_list = "256x256x256";
static const struct program_option options[] = {
    APPLICATION_OPTIONS,
    {"grid", OPTION_TEXT, &grid_list, "XxYxZ,...",
     "doubles of all images together (strong) or of each, along Z (weak); Y and Z are cut", 0, 0},
    {0},
};

struct problem {
    struct application_grid grid;
    double *a;      /* this image's slab */
    double *result; /* room for its part of the transpose */
};

static const char *const actions[] = {"create", "clear", "run", "get", "destroy", NULL};
static const struct application_topic topic = {"transpose", actions, &transpose_caf,
                                               &transpose_mpi};

/* A variant with a problem. */
struct task {
    enum application_variant variant;
    struct transpose_kernels kernels;
    const struct problem *problem;
};

/* ---- the array ---- */

/* An element's value tells its place in the whole array. */
static double value_at(const struct application_grid *grid, size_t x, size_t y, size_t z)
{
    size_t nx = (size_t)grid->size[0], ny = (size_t)grid->size[1];
    return (double)(x + nx * (y + ny * z));
}

static size_t slab(const struct application_grid *grid, int dimension)
{
    return (size_t)(grid->size[dimension] / ranks.count);
}

static void fill(const struct application_grid *grid, double *a)
{
    size_t first_z = (size_t)ranks.rank * slab(grid, 2);
    for (size_t z = 0; z < slab(grid, 2); z++)
        for (size_t y = 0; y < (size_t)grid->size[1]; y++)
            for (size_t x = 0; x < (size_t)grid->size[0]; x++)
                *a++ = value_at(grid, x, y, first_z + z);
}

static long count_wrong(const struct application_grid *grid, const double *b)
{
    long wrong = 0;
    size_t first_y = (size_t)ranks.rank * slab(grid, 1);
    for (size_t y = 0; y < slab(grid, 1); y++)
        for (size_t z = 0; z < (size_t)grid->size[2]; z++)
            for (size_t x = 0; x < (size_t)grid->size[0]; x++)
                wrong += *b++ != value_at(grid, x, first_y + y, z);
    return wrong;
}

/* ---- samples ---- */

static void before(void *context)
{
    struct task *task = context;
    task->kernels.clear();
}

static double sample(void *context)
{
    struct task *task = context;
    double start_s = clock_now_s();
    task->kernels.run(task->problem->a);
    return clock_now_s() - start_s;
}

/* ---- one configuration ---- */

static long verify(const struct task *task)
{
    task->kernels.get(task->problem->result);
    return images_sum(count_wrong(&task->problem->grid, task->problem->result));
}

static double bytes_of(const struct application_grid *grid)
{
    return 8.0 * grid->size[0] * grid->size[1] * grid->size[2];
}

static void record(struct run *run, const struct task *task, const struct subject *subject,
                   enum application_scaling scaling)
{
    char grid[64];
    application_grid_text(task->problem->grid, grid, sizeof grid);
    long errors = run->settings.check ? verify(task) : 0;
    int nodes = images_nodes();
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            text(application_scalings[scaling]),
            text(grid),
            integer(nodes),
            real(bytes_of(&task->problem->grid) / subject->times_s[i] / 1e9),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], errors);
    }
}

static void measure_tasks(struct run *run, const struct application_set *set,
                          enum application_scaling scaling, const struct problem *problem)
{
    const struct transpose_kernels *kernels = set->functions;
    size_t count = set->count;
    struct task tasks[APPLICATION_VARIANTS];
    struct subject subjects[APPLICATION_VARIANTS];
    for (size_t i = 0; i < count; i++) {
        tasks[i] =
            (struct task){.variant = set->variant[i], .kernels = kernels[i], .problem = problem};
        tasks[i].kernels.create(problem->grid.size);
        subjects[i] = (struct subject){.variant = application_variants[tasks[i].variant].name,
                                       .sample = sample,
                                       .before = before,
                                       .context = &tasks[i]};
    }
    application_measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i], scaling);
        tasks[i].kernels.destroy();
    }
    measure_free(subjects, count);
}

/* ---- all configurations ---- */

static struct application_grid all_elements(enum application_scaling scaling,
                                            struct application_grid grid)
{
    if (scaling == WEAK)
        grid.size[2] *= ranks.count;
    for (int d = 1; d < 3; d++)
        if (grid.size[d] % ranks.count != 0)
            images_refuse("--grid %s: %d images need a multiple of %d along Y and Z", grid_list,
                          ranks.count, ranks.count);
    if ((double)grid.size[0] * (double)slab(&grid, 1) * (double)slab(&grid, 2) > 2147483647.0)
        images_refuse("--grid %s: a block from image to image may have at most 2^31 - 1 elements",
                      grid_list);
    return grid;
}

/* The array and the part of the transpose here, the transpose of each variant, and what MPI packs.
 */
static double bytes_per_image(const struct application_grid *grid,
                              const struct application_set *set)
{
    double arrays = 2.0;
    for (size_t i = 0; i < set->count; i++)
        arrays += set->variant[i] == MPI_FORTRAN || set->variant[i] == MPI_C ? 3.0 : 1.0;
    return arrays * bytes_of(grid) / ranks.count;
}

static void measure_grid(struct run *run, const struct application_set *set,
                         enum application_scaling scaling, struct application_grid given)
{
    struct problem problem = {.grid = all_elements(scaling, given)};
    char grid[64];
    application_grid_text(problem.grid, grid, sizeof grid);
    images_need_memory(bytes_per_image(&problem.grid, set), "this grid with these variants");
    size_t elements = (size_t)(bytes_of(&problem.grid) / 8.0) / (size_t)ranks.count;
    problem.a = allocate_or_fail(elements, sizeof(double));
    problem.result = allocate_or_fail(elements, sizeof(double));
    fill(&problem.grid, problem.a);
    program_note(run, "%s scaling, grid %s on %d images", application_scalings[scaling], grid,
                 ranks.count);
    measure_tasks(run, set, scaling, &problem);
    free(problem.a);
    free(problem.result);
}

static void check_grid(enum application_scaling scaling, struct application_grid grid)
{
    all_elements(scaling, grid);
}

static void run_all(struct run *run)
{
    application_run_grids(run, grid_list, &topic, check_grid, measure_grid);
}

const struct program program = {
    .name = "coarrays_transpose",
    .summary = "transposes a distributed array of three dimensions: every image with every other",
    .details =
        "An array of doubles in slabs along Z becomes one in slabs along Y that has all of Z in\n"
        "one image: b(x, z, y) = a(x, y, z). Coarrays put a section to every image, beginning\n"
        "with the own one; MPI packs, MPI_Alltoall, unpacks. time_s is of one transpose with its\n"
        "synchronisation, of the slowest image. Every element is checked.",
    .variants = application_variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
