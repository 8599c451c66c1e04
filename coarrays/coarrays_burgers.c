/* coarrays_burgers: a solver of the viscous Burgers equation that fetches single values from its
 * neighbours (Fanfarillo 2016, 6.4.3 and 6.4.4). */
#include <math.h>

#include "coarrays/bench/application.h"
#include "coarrays/bench/burgers_check.h"
#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/scope.h"

struct row {
    const char *scaling;
    int cells, steps;
    const char *optimization;
    int nodes;
    double error;
};
static const struct column columns[] = {
    PARAMETER(struct row, scaling, "strong: --cells is of all images together; weak: of each"),
    PARAMETER(struct row, cells, "cells of all images together"),
    PARAMETER(struct row, steps, "time steps"),
    PARAMETER(struct row, optimization, "of the compiler: O0 or O3"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, error, "largest difference from the exact solution; empty with -c 0"),
    {0},
};

enum { O3, O0, OPTIMIZATIONS };
static const char *const optimizations[] = {[O3] = "O3", [O0] = "O0", NULL};
static const char *const groups[] = {[O3] = KERNELS, [O0] = KERNELS_UNOPTIMIZED};

static struct option_numbers cells = {.list = "4096"};
static struct option_choices optimization = {
    .noun = "optimization", .names = optimizations, .list = "O3"};
static int64_t steps = 1000;
static const struct program_option options[] = {
    APPLICATION_OPTIONS,
    {"cells", OPTION_NUMBERS, &cells, "LIST",
     "cells of all images together (strong) or of each (weak)", 3, 1 << 30},
    {"steps", OPTION_INTEGER, &steps, "N", "time steps of three stages", 1, 1e9},
    {"optimization", OPTION_CHOICES, &optimization, "LIST",
     "O3, and O0 for the Fortran coarray variants: how the solver is compiled", 0, 0},
    {0},
};

static const char *const actions[] = {"create", "set", "run", "get", "destroy", NULL};
static const struct application_topic topic = {"burgers", actions, &burgers_caf, &burgers_mpi};
static struct burgers_kernels kernels[OPTIMIZATIONS][APPLICATION_VARIANTS];
static unsigned available[OPTIMIZATIONS]; /* bit per variant */

struct problem {
    enum application_scaling scaling;
    struct burgers_problem of;
    int count;                          /* cells of this image */
    struct burgers_reference reference; /* made when it is needed */
};

struct solution {
    int variant, optimization;
    struct problem *problem;
    const struct burgers_kernels *kernels;
    double *u;    /* of this image: first the start, then the result */
    double error; /* NAN: not verified */
};

static bool open_solution(struct run *run, void *task)
{
    struct solution *solution = task;
    (void)run;
    solution->kernels = &kernels[solution->optimization][solution->variant];
    solution->u =
        scope_allocate(MEMORY_PAGEABLE, (size_t)solution->problem->count * sizeof(double));
    solution->kernels->create(solution->problem->count);
    solution->error = NAN;
    return true;
}

static void set_start(void *task)
{
    struct solution *solution = task;
    int count = solution->problem->count;
    burgers_start(&solution->problem->of, ranks.rank * count, count, solution->u);
    solution->kernels->set(solution->u);
}

static void solve(void *task)
{
    struct solution *solution = task;
    const struct burgers_problem *of = &solution->problem->of;
    int left = ranks.rank == 0 ? ranks.count : ranks.rank;
    int right = ranks.rank + 1 == ranks.count ? 1 : ranks.rank + 2;
    solution->kernels->run(of->steps, of->convection, of->diffusion, left, right);
}

static long count_wrong(struct run *run, void *task)
{
    struct solution *solution = task;
    struct problem *problem = solution->problem;
    double error;
    (void)run;
    if (!problem->reference.serial)
        problem->reference =
            burgers_reference(&problem->of, ranks.rank * problem->count, problem->count);
    solution->kernels->get(solution->u);
    long wrong = burgers_count_wrong(&problem->reference, solution->u, &error);
    solution->error = ranks.max(error);
    return images_sum(wrong);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct solution *solution = task;
    const struct problem *problem = solution->problem;
    (void)time_s;
    *(struct row *)row =
        (struct row){application_scalings[problem->scaling], problem->of.cells, problem->of.steps,
                     optimizations[solution->optimization],  images_nodes(),    NAN};
}

/* The error is known when the solution has been verified. */
static void fill_error(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    (void)repetition;
    ((struct row *)row)->error = ((const struct solution *)compared->tasks[task])->error;
}

static void close_solution(void *task)
{
    ((struct solution *)task)->kernels->destroy();
}

static const struct comparison comparison = {.task_bytes = TASK(struct solution),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_solution,
                                             .prepare = set_start,
                                             .operation = solve,
                                             .measure = application_measure,
                                             .row = fill_row,
                                             .relate = fill_error,
                                             .verify = count_wrong,
                                             .close = close_solution};

static int all_cells(enum application_scaling scaling, long count)
{
    int64_t all = scaling == WEAK ? (int64_t)count * ranks.count : count;
    if (all % ranks.count != 0 || all < 3 * (int64_t)ranks.count || all > 1 << 30)
        images_refuse("--cells %ld: %d images need a multiple of %d cells, at least 3 each", count,
                      ranks.count, ranks.count);
    return (int)all;
}

static void check_cells(struct run *run, enum application_scaling scaling, size_t size)
{
    (void)run;
    all_cells(scaling, cells.values[size]);
}

static void measure_cells(struct run *run, enum application_scaling scaling, size_t size)
{
    int all = all_cells(scaling, cells.values[size]);
    struct problem problem = {
        .scaling = scaling, .of = burgers_problem(all, (int)steps), .count = all / ranks.count};
    struct solution solutions[OPTIMIZATIONS * APPLICATION_VARIANTS];
    size_t count = 0;
    for (size_t o = 0; o < optimization.count; o++)
        for (int v = 0; v < APPLICATION_VARIANTS; v++)
            if (available[optimization.values[o]] >> v & 1)
                solutions[count++] = (struct solution){
                    .variant = v, .optimization = optimization.values[o], .problem = &problem};
    program_note(run, "%s scaling, %d cells, %d steps", application_scalings[scaling], all,
                 (int)steps);
    compare_tasks(run, &comparison, solutions, count);
}

static void run_all(struct run *run)
{
    struct kernels loaded[OPTIMIZATIONS][APPLICATION_VARIANTS] = {0};
    application_each(run, cells.count, check_cells);
    application_start(run);
    for (size_t i = 0; i < optimization.count; i++) {
        int o = optimization.values[i];
        available[o] = application_load(run, groups[o], &topic, loaded[o], kernels[o]);
    }
    available[O0] &= ~(1u << DATAMOTION_C | 1u << MPI_C);
    application_each(run, cells.count, measure_cells);
    for (int o = 0; o < OPTIMIZATIONS; o++)
        images_unload(run, loaded[o]);
    application_stop(run);
}

const struct program program = {
    .name = "coarrays_burgers",
    .summary = "solves the Burgers equation, fetching single values from neighbour images",
    .details =
        "u_t + u u_x = 0.2 u_xx on [0, 2 pi), periodic, u = sin x at first: central differences,\n"
        "Runge-Kutta of three stages, as large a time step as is stable. In each stage an image\n"
        "fetches one value from either neighbour and synchronises with both. time_s is of all\n"
        "steps, of the slowest image. Every cell is compared with a serial solver, to rounding,\n"
        "and with the exact solution, to the order of the scheme.",
    .variants = application_variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
