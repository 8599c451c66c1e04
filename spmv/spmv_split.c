/* spmv_split: how the three algorithms share rows between CPU and GPU, from samples of a file. */
#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "spmv/bench/fitted.h"

enum {
    CALLS = 200,       /* timed together: one takes less than a microsecond */
    DEFAULT_ROWS = 20, /* sizes without --rows, at most */
    STEPS_MAX = 64
};

/* In the order of enum split_algorithm. */
static const struct variant variants[] = {
    {"linear", "one formula from two lines"},
    {"iterative", "bisection of the common time, CPU linear between two samples"},
    {"hybrid", "two equations, with the optimal time that iterative had at install time"},
    {0},
};

static const char *samples_path;
static struct option_numbers sizes;
static bool alone;
static int64_t threads;
static const struct program_option options[] = {
    {"samples", OPTION_TEXT, &samples_path, "FILE", "samples of spmv_samples, CSV or CSV.gz", 0, 0},
    {"rows", OPTION_NUMBERS, &sizes, "LIST",
     "rows of the problems, cubes of pde; none: the sampled sizes, at most 20", 1, INT32_MAX},
    {"threads", OPTION_INTEGER, &threads, "N",
     "threads of the CPU, of which there are samples; 0: the one number that there is", 0, 4096},
    {"alone", OPTION_FLAG, &alone, NULL,
     "one device may get all rows; else each keeps at least one", 0, 0},
    {0},
};

struct row {
    int64_t points, rows;
    int step;
    double cpu_rows, gpu_rows, level_s, cpu_s, gpu_s, imbalance;
    int steps;
    double cpu_r2, gpu_r2, cpu_squared_error, gpu_squared_error, cpu_residual, gpu_residual;
    double gpu_faster, predicted_s, formula_residual;
};
static const struct column columns[] = {
    PARAMETER(struct row, points, "samples of the CPU that the models are made of"),
    PARAMETER(struct row, rows, "rows of the problem"),
    PARAMETER(struct row, step, "0: the result; 1 and more: a step of iterative"),
    METRIC(struct row, cpu_rows, "rows of the CPU"),
    METRIC(struct row, gpu_rows, "rows of the GPU"),
    METRIC(struct row, level_s, "common time that the step tried; of a result predicted_s"),
    METRIC(struct row, cpu_s, "the CPU's time for cpu_rows, between its samples"),
    METRIC(struct row, gpu_s, "the GPU's time for gpu_rows, by its line and the bus"),
    METRIC(struct row, imbalance,
           "of a result |cpu_s - gpu_s| / the larger; of a step (cpu_rows + gpu_rows - rows) / "
           "rows"),
    METRIC(struct row, steps, "steps that the algorithm took"),
    METRIC(struct row, cpu_r2, "share of the variance that the CPU's line explains"),
    METRIC(struct row, gpu_r2, "the same of the GPU"),
    METRIC(struct row, cpu_squared_error, "sum of squared residuals of the CPU's line in s^2"),
    METRIC(struct row, gpu_squared_error, "the same of the GPU"),
    METRIC(struct row, cpu_residual, "largest relative residual of the CPU's line"),
    METRIC(struct row, gpu_residual, "the same of the GPU"),
    METRIC(struct row, gpu_faster,
           "share of the sizes up to rows at which the GPU is faster; 1: over the whole range"),
    METRIC(struct row, predicted_s, "time of a product that the algorithm expects"),
    METRIC(struct row, formula_residual,
           "linear: relative difference of both lines' times at the formula's result, not rounded"),
    {0},
};

/* One algorithm at one size. */
struct cut {
    int variant;
    struct run *run;
    struct spmv_split_models models;
    const struct spmv_split_optimum *optimum;
    int64_t rows;
    struct spmv_split split;
};

static bool open_cut(struct run *run, void *task)
{
    ((struct cut *)task)->run = run;
    return true;
}

static double time_calls(void *task)
{
    struct cut *cut = task;
    double start_s = clock_now_s();
    for (int i = 0; i < CALLS; i++)
        cut->split = split_by((enum split_algorithm)cut->variant, &cut->models, cut->optimum,
                              cut->rows, !alone);
    return (clock_now_s() - start_s) / CALLS;
}

/* What is left of the balance by the closed formula; NaN where it has none. */
static double formula_residual(const struct cut *cut)
{
    double rows = (double)cut->rows, cpu_rows = spmv_split_linear_rows(&cut->models, rows);
    double cpu_s = spmv_split_cpu_line_time(&cut->models, cpu_rows);
    double gpu_s = spmv_split_gpu_time(&cut->models, rows - cpu_rows);
    return fabs(cpu_s - gpu_s) / fmax(fabs(cpu_s), fabs(gpu_s));
}

/* Rows that are lost or given twice, and a formula that does not balance. */
static long count_errors(struct run *run, void *task)
{
    const struct cut *cut = task;
    const struct spmv_split *split = &cut->split;
    bool whole = split->cpu_rows >= 0 && split->gpu_rows >= 0 &&
                 split->cpu_rows + split->gpu_rows == cut->rows;
    (void)run;
    return !whole + (cut->variant == SPLIT_LINEAR && formula_residual(cut) > 1e-9);
}

static struct row row_of(const struct cut *cut, int step, const struct spmv_split_step *state)
{
    const struct spmv_split_models *models = &cut->models;
    double cpu_s = spmv_split_cpu_time(models, state->cpu_rows);
    double gpu_s = spmv_split_gpu_time(models, state->gpu_rows);
    double apart = fabs(cpu_s - gpu_s) / fmax(cpu_s, gpu_s);
    bool is_formula = step == 0 && cut->variant == SPLIT_LINEAR;
    return (struct row){
        .points = (int64_t)models->cpu_samples.count,
        .rows = cut->rows,
        .step = step,
        .cpu_rows = state->cpu_rows,
        .gpu_rows = state->gpu_rows,
        .level_s = state->level_s,
        .cpu_s = cpu_s,
        .gpu_s = gpu_s,
        .imbalance = step > 0 ? state->imbalance : apart,
        .steps = cut->split.steps,
        .cpu_r2 = models->cpu_line.r2,
        .gpu_r2 = models->gpu.r2,
        .cpu_squared_error = models->cpu_line.squared_error,
        .gpu_squared_error = models->gpu.squared_error,
        .cpu_residual = models->cpu_line.largest_relative_residual,
        .gpu_residual = models->gpu.largest_relative_residual,
        .gpu_faster = spmv_split_gpu_faster(models, (double)cut->rows),
        .predicted_s = cut->split.predicted_s,
        .formula_residual = is_formula ? formula_residual(cut) : (double)NAN,
    };
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct cut *cut = task;
    (void)time_s;
    *(struct row *)row = row_of(cut, 0,
                                &(struct spmv_split_step){.level_s = cut->split.predicted_s,
                                                          .cpu_rows = (double)cut->split.cpu_rows,
                                                          .gpu_rows = (double)cut->split.gpu_rows});
}

static void record_steps(struct cut *cut)
{
    struct spmv_split_step steps[STEPS_MAX];
    long errors = cut->run->settings.check ? count_errors(cut->run, cut) : 0;
    spmv_split_iterative(&cut->models, cut->rows, !alone, steps, STEPS_MAX);
    for (int i = 0; i < cut->split.steps && i < STEPS_MAX; i++) {
        struct row row = row_of(cut, i + 1, &steps[i]);
        record_row(cut->run, variants[SPLIT_ITERATIVE].name, 0, &row, NAN, errors);
    }
}

/* Behind the results: what the user should know, and how iterative came there. */
static void close_cut(void *task)
{
    struct cut *cut = task;
    if (cut->split.note)
        program_note(cut->run, "%s, %zu samples, %lld rows: %s", variants[cut->variant].name,
                     cut->models.cpu_samples.count, (long long)cut->rows, cut->split.note);
    if (cut->variant == SPLIT_ITERATIVE)
        record_steps(cut);
}

static const struct comparison comparison = {.task_bytes = TASK(struct cut),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_cut,
                                             .sample = time_calls,
                                             .row = fill_row,
                                             .verify = count_errors,
                                             .close = close_cut};

/* Without --rows: the sampled sizes, or some of them. */
static void choose_sizes(const struct spmv_split_samples *samples)
{
    size_t step = (samples->count + DEFAULT_ROWS - 1) / DEFAULT_ROWS;
    sizes.count = samples->count / step;
    sizes.values = allocate_or_fail(sizes.count, sizeof *sizes.values);
    for (size_t i = 0; i < sizes.count; i++)
        sizes.values[i] = (long)samples->rows[i * step];
}

static void compare_size(struct run *run, const struct split_fitted *fitted, int64_t rows)
{
    struct cut cut = {.models = fitted->models, .optimum = &fitted->optimum, .rows = rows};
    cut.models.halo_elements = split_plane_elements((double)rows);
    compare_variants(run, &comparison, &cut);
}

static void run_all(struct run *run)
{
    if (!samples_path)
        fail("--samples FILE is needed: run spmv_samples -o FILE.csv first");
    struct split_fits fits = split_fits_read(samples_path, (int)threads);
    if (fits.count == 0)
        waive("%s", fits.no_models);
    if (sizes.count == 0)
        choose_sizes(&fits.of[0].file.cpu);
    if (fits.count == 1)
        program_note(run, "no models of every fourth sample: %s", fits.no_coarse);
    for (int i = 0; i < fits.count; i++)
        for (size_t s = 0; s < sizes.count; s++)
            compare_size(run, &fits.of[i], sizes.values[s]);
    split_fits_close(&fits);
}

const struct program program = {
    .name = "spmv_split",
    .summary = "shares rows between CPU and GPU by three algorithms, from samples of a file",
    .details =
        "Models: a line for the GPU and for the CPU (linear), or the CPU's samples themselves\n"
        "(iterative); the bus carries a plane of the cube each way. All models are made twice,\n"
        "of all samples and of every fourth. time_s is that of the algorithm alone, without fits\n"
        "and learning. Source: Fanfarillo 2016, 3.3.1.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
