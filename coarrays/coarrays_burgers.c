/* coarrays_burgers: a solver of the viscous Burgers equation that fetches single values from its
 * neighbours (Fanfarillo 2016, 6.4.3 and 6.4.4). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/bench/application.h"
#include "coarrays/bench/burgers.h"
#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "common/clock.h"
#include "common/harness/exit.h"

static const struct column columns[] = {
    {"scaling", COLUMN_PARAMETER, "strong: --cells is of all images together; weak: of each"},
    {"cells", COLUMN_PARAMETER, "cells of all images together"},
    {"steps", COLUMN_PARAMETER, "time steps"},
    {"optimization", COLUMN_PARAMETER, "of the compiler: O0 or O3"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"error", COLUMN_METRIC, "largest difference from the exact solution; empty with -c 0"},
    {0},
};

static const char *cell_list = "4096", *optimization_list = "O3";
static int64_t steps = 1000;
static const struct program_option options[] = {
    APPLICATION_OPTIONS,
    {"cells", OPTION_TEXT, &cell_list, "LIST",
     "cells of all images together (strong) or of each (weak)", 0, 0},
    {"steps", OPTION_INTEGER, &steps, "N", "time steps of three stages", 1, 1e9},
    {"optimization", OPTION_TEXT, &optimization_list, "LIST",
     "O3, and O0 for the Fortran coarray variants: how the solver is compiled", 0, 0},
    {0},
};

enum { O3, O0, OPTIMIZATIONS };
static const char *const optimizations[] = {[O3] = "O3", [O0] = "O0", NULL};

static const char *const actions[] = {"create", "set", "run", "get", "destroy", NULL};
static const struct application_topic topic = {"burgers", actions, &burgers_caf, &burgers_mpi};

/* A variant, compiled in one way, with one problem. */
struct task {
    enum application_variant variant;
    int optimization;
    struct burgers_kernels kernels;
    const struct burgers_problem *problem;
    double *u; /* of this image: first the start, then the result */
};

static int cells_per_image(const struct burgers_problem *problem)
{
    return problem->cells / ranks.count;
}

/* ---- samples ---- */

static void before(void *context)
{
    struct task *task = context;
    int count = cells_per_image(task->problem);
    burgers_start(task->problem, ranks.rank * count, count, task->u);
    task->kernels.set(task->u);
}

static double sample(void *context)
{
    struct task *task = context;
    const struct burgers_problem *problem = task->problem;
    int left = ranks.rank == 0 ? ranks.count : ranks.rank;
    int right = ranks.rank + 1 == ranks.count ? 1 : ranks.rank + 2;
    double start_s = clock_now_s();
    task->kernels.run(problem->steps, problem->convection, problem->diffusion, left, right);
    return clock_now_s() - start_s;
}

/* ---- verification ---- */

/* What the results are compared with, on this image's cells. */
struct reference {
    double *serial, *exact;
    double bound;
};

static struct reference make_reference(const struct burgers_problem *problem)
{
    size_t count = (size_t)cells_per_image(problem);
    int first = ranks.rank * (int)count;
    struct reference reference = {.bound = burgers_bound(problem)};
    double *all = allocate_or_fail((size_t)problem->cells, sizeof *all);
    burgers_start(problem, 0, problem->cells, all);
    burgers_serial(problem, all);
    reference.serial = allocate_or_fail(count, sizeof(double));
    memcpy(reference.serial, all + first, count * sizeof(double));
    free(all);
    reference.exact = allocate_or_fail(count, sizeof(double));
    burgers_exact(problem, first, (int)count, reference.exact);
    return reference;
}

static void free_reference(struct reference *reference)
{
    free(reference->serial);
    free(reference->exact);
}

/* Wrong cells of all images; *error is the largest difference from the exact solution. */
static long verify(const struct task *task, const struct reference *reference, double *error)
{
    long wrong = 0;
    double largest = 0.0;
    /* A compiler may contract or reorder: one rounding of |u| <= 1 in each stage. */
    double rounding = 3 * 2.3e-16 * task->problem->steps + 1e-15;
    for (int i = 0; i < cells_per_image(task->problem); i++) {
        double difference = fabs(task->u[i] - reference->exact[i]);
        bool right =
            fabs(task->u[i] - reference->serial[i]) <= rounding && difference <= reference->bound;
        wrong += !right;
        largest = fmax(largest, isfinite(difference) ? difference : 1.0);
    }
    *error = ranks.max(largest);
    return images_sum(wrong);
}

/* ---- one configuration ---- */

static void record(struct run *run, const struct task *task, const struct subject *subject,
                   enum application_scaling scaling, const struct reference *reference)
{
    double error = 0.0;
    task->kernels.get(task->u);
    long errors = run->settings.check ? verify(task, reference, &error) : 0;
    struct value values[] = {
        text(application_scalings[scaling]),
        integer(task->problem->cells),
        integer(task->problem->steps),
        text(optimizations[task->optimization]),
        integer(images_nodes()),
        run->settings.check ? real(error) : none(),
    };
    for (size_t i = 0; i < subject->count; i++)
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], errors);
}

static void measure_tasks(struct run *run, struct task *tasks, size_t count,
                          enum application_scaling scaling, const struct burgers_problem *problem)
{
    struct subject subjects[OPTIMIZATIONS * APPLICATION_VARIANTS];
    struct reference reference = {0};
    size_t cells = (size_t)cells_per_image(problem);
    for (size_t i = 0; i < count; i++) {
        tasks[i].problem = problem;
        tasks[i].u = allocate_or_fail(cells, sizeof(double));
        tasks[i].kernels.create((int)cells);
        subjects[i] = (struct subject){.variant = application_variants[tasks[i].variant].name,
                                       .sample = sample,
                                       .before = before,
                                       .context = &tasks[i]};
    }
    application_measure(run, subjects, count);
    if (run->settings.check)
        reference = make_reference(problem);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i], scaling, &reference);
        tasks[i].kernels.destroy();
        free(tasks[i].u);
    }
    free_reference(&reference);
    measure_free(subjects, count);
}

/* ---- all configurations ---- */

static size_t find_tasks(const struct run *run, unsigned chosen,
                         const struct kernels libraries[OPTIMIZATIONS][APPLICATION_VARIANTS],
                         struct task *tasks)
{
    size_t count = 0;
    for (int o = 0; o < OPTIMIZATIONS; o++)
        for (int v = 0; v < APPLICATION_VARIANTS; v++) {
            struct task task = {.variant = v, .optimization = o};
            bool in_c = v == DATAMOTION_C || v == MPI_C;
            if (chosen >> o & 1 && !(in_c && o == O0) &&
                application_find(run, libraries[o], &topic, v, &task.kernels))
                tasks[count++] = task;
        }
    return count;
}

static int all_cells(enum application_scaling scaling, int64_t cells)
{
    int64_t all = scaling == WEAK ? cells * ranks.count : cells;
    if (all % ranks.count != 0 || all < 3 * (int64_t)ranks.count || all > 1 << 30)
        images_refuse("--cells %lld: %d images need a multiple of %d cells, at least 3 each",
                      (long long)cells, ranks.count, ranks.count);
    return (int)all;
}

static void run_all(struct run *run)
{
    unsigned chosen_scalings =
        lists_choose("scaling", application_options.scaling, application_scalings);
    unsigned chosen = lists_choose("optimization", optimization_list, optimizations);
    struct numbers cells = lists_numbers("cells", cell_list, 3, 1 << 30);
    for (size_t i = 0; i < cells.count; i++)
        for (int s = 0; s < SCALINGS; s++)
            if (chosen_scalings >> s & 1)
                all_cells(s, cells.values[i]);

    struct kernels libraries[OPTIMIZATIONS][APPLICATION_VARIANTS] = {0};
    struct task tasks[OPTIMIZATIONS * APPLICATION_VARIANTS];
    application_start(run);
    if (chosen >> O3 & 1)
        application_load(run, "kernels", libraries[O3]);
    if (chosen >> O0 & 1)
        application_load(run, "unoptimized", libraries[O0]);
    size_t count = find_tasks(run, chosen, libraries, tasks);
    for (int s = 0; s < SCALINGS; s++)
        for (size_t i = 0; i < cells.count && chosen_scalings >> s & 1; i++) {
            struct burgers_problem problem =
                burgers_problem(all_cells(s, cells.values[i]), (int)steps);
            program_note(run, "%s scaling, %d cells, %d steps", application_scalings[s],
                         problem.cells, problem.steps);
            measure_tasks(run, tasks, count, s, &problem);
        }
    for (int o = 0; o < OPTIMIZATIONS; o++)
        application_unload(libraries[o]);
    application_stop(run);
    free(cells.values);
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
