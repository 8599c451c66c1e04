/* spmv_split: how the three algorithms share rows between CPU and GPU, from samples of a file. */
#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/program.h"

#include "spmv/bench/fitted.h"

enum algorithm { LINEAR, ITERATIVE, HYBRID, ALGORITHMS };
enum {
    CALLS = 200,       /* timed together: one takes less than a microsecond */
    DEFAULT_ROWS = 20, /* sizes without --rows, at most */
    STEPS_MAX = 64
};

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

/* One algorithm at one size: a subject of measure(). */
struct task {
    enum algorithm algorithm;
    struct spmv_split_models models;
    const struct spmv_split_optimum *optimum;
    int64_t rows;
    struct spmv_split split;
};

/* ---- the algorithms ---- */

static struct spmv_split compute(const struct task *task)
{
    if (task->algorithm == LINEAR)
        return spmv_split_linear(&task->models, task->rows, !alone);
    if (task->algorithm == ITERATIVE)
        return spmv_split_iterative(&task->models, task->rows, !alone, NULL, 0);
    return spmv_split_hybrid(&task->models, task->optimum, task->rows, !alone);
}

static double sample(void *context)
{
    struct task *task = context;
    double start_s = clock_now_s();
    for (int i = 0; i < CALLS; i++)
        task->split = compute(task);
    return (clock_now_s() - start_s) / CALLS;
}

/* What is left of the balance by the closed formula; NaN where it has none. */
static double formula_residual(const struct task *task)
{
    double rows = (double)task->rows, cpu_rows = spmv_split_linear_rows(&task->models, rows);
    double cpu_s = spmv_split_cpu_line_time(&task->models, cpu_rows);
    double gpu_s = spmv_split_gpu_time(&task->models, rows - cpu_rows);
    return fabs(cpu_s - gpu_s) / fmax(fabs(cpu_s), fabs(gpu_s));
}

/* Rows that are lost or given twice, and a formula that does not balance. */
static long count_errors(const struct task *task)
{
    const struct spmv_split *split = &task->split;
    bool whole = split->cpu_rows >= 0 && split->gpu_rows >= 0 &&
                 split->cpu_rows + split->gpu_rows == task->rows;
    return !whole + (task->algorithm == LINEAR && formula_residual(task) > 1e-9);
}

/* ---- recording ---- */

static void record(struct run *run, const struct task *task, int step,
                   const struct spmv_split_step *state, int repetition, double time_s)
{
    const struct spmv_split_models *models = &task->models;
    double cpu_s = spmv_split_cpu_time(models, state->cpu_rows);
    double gpu_s = spmv_split_gpu_time(models, state->gpu_rows);
    double apart = fabs(cpu_s - gpu_s) / fmax(cpu_s, gpu_s);
    bool is_formula = step == 0 && task->algorithm == LINEAR;
    const struct row row = {
        .points = (int64_t)models->cpu_samples.count,
        .rows = task->rows,
        .step = step,
        .cpu_rows = state->cpu_rows,
        .gpu_rows = state->gpu_rows,
        .level_s = state->level_s,
        .cpu_s = cpu_s,
        .gpu_s = gpu_s,
        .imbalance = step > 0 ? state->imbalance : apart,
        .steps = task->split.steps,
        .cpu_r2 = models->cpu_line.r2,
        .gpu_r2 = models->gpu.r2,
        .cpu_squared_error = models->cpu_line.squared_error,
        .gpu_squared_error = models->gpu.squared_error,
        .cpu_residual = models->cpu_line.largest_relative_residual,
        .gpu_residual = models->gpu.largest_relative_residual,
        .gpu_faster = spmv_split_gpu_faster(models, (double)task->rows),
        .predicted_s = task->split.predicted_s,
        .formula_residual = is_formula ? formula_residual(task) : (double)NAN,
    };
    record_row(run, variants[task->algorithm].name, repetition, &row, time_s,
               run->settings.check ? count_errors(task) : 0);
}

static void record_steps(struct run *run, const struct task *task)
{
    struct spmv_split_step steps[STEPS_MAX];
    spmv_split_iterative(&task->models, task->rows, !alone, steps, STEPS_MAX);
    for (int i = 0; i < task->split.steps && i < STEPS_MAX; i++)
        record(run, task, i + 1, &steps[i], 0, NAN);
}

static void record_task(struct run *run, const struct task *task, const struct subject *subject)
{
    const struct spmv_split *split = &task->split;
    struct spmv_split_step result = {.level_s = split->predicted_s,
                                     .cpu_rows = (double)split->cpu_rows,
                                     .gpu_rows = (double)split->gpu_rows};
    if (split->note)
        program_note(run, "%s, %zu samples, %lld rows: %s", subject->variant,
                     task->models.cpu_samples.count, (long long)task->rows, split->note);
    for (size_t i = 0; i < subject->count; i++)
        record(run, task, 0, &result, (int)i, subject->times_s[i]);
    if (task->algorithm == ITERATIVE)
        record_steps(run, task);
}

static void measure_size(struct run *run, const struct split_fitted *fitted, int64_t rows)
{
    struct task tasks[ALGORITHMS];
    struct subject subjects[ALGORITHMS];
    size_t count = 0;
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        if (!program_wants_variant(run, algorithm))
            continue;
        tasks[count] = (struct task){algorithm, fitted->models, &fitted->optimum, rows, {0}};
        tasks[count].models.halo_elements = split_plane_elements((double)rows);
        subjects[count] = (struct subject){
            .variant = variants[algorithm].name, .sample = sample, .context = &tasks[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record_task(run, &tasks[i], &subjects[i]);
    measure_free(subjects, count);
}

/* ---- models and sizes ---- */

/* Without --rows: the sampled sizes, or some of them. */
static void choose_sizes(const struct spmv_split_samples *samples)
{
    size_t step = (samples->count + DEFAULT_ROWS - 1) / DEFAULT_ROWS;
    sizes.count = samples->count / step;
    sizes.values = allocate_or_fail(sizes.count, sizeof *sizes.values);
    for (size_t i = 0; i < sizes.count; i++)
        sizes.values[i] = (long)samples->rows[i * step];
}

static void run_all(struct run *run)
{
    if (!samples_path)
        fail("--samples FILE is needed: run spmv_samples -o FILE.csv first");
    struct split_fits fits = split_fits_read(samples_path, (int)threads);
    if (sizes.count == 0)
        choose_sizes(&fits.of[0].file.cpu);
    if (fits.count == 1)
        program_note(run, "no models of every fourth sample: %s", fits.no_coarse);
    for (int i = 0; i < fits.count; i++)
        for (size_t s = 0; s < sizes.count; s++)
            measure_size(run, &fits.of[i], sizes.values[s]);
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
