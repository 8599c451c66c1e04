/* spmv_split: how the three algorithms share rows between CPU and GPU, from samples of a file. */
#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "spmv/bench/fitted.h"

enum algorithm { LINEAR, ITERATIVE, HYBRID, ALGORITHMS };
enum {
    CALLS = 200,       /* timed together: one takes less than a microsecond */
    DEFAULT_ROWS = 20, /* sizes without --rows, at most */
    MOST_STEPS = 64
};

static const struct variant variants[] = {
    {"linear", "one formula from two lines"},
    {"iterative", "bisection of the common time, CPU linear between two samples"},
    {"hybrid", "two equations, with the optimal time that iterative had at install time"},
    {0},
};

static const char *samples_path, *rows_list;
static bool alone;
static int64_t threads;
static const struct program_option options[] = {
    {"samples", OPTION_TEXT, &samples_path, "FILE", "samples of spmv_samples, CSV or CSV.gz", 0, 0},
    {"rows", OPTION_TEXT, &rows_list, "LIST",
     "rows of the problems, cubes of pde; none: the sampled sizes, at most 20", 0, 0},
    {"threads", OPTION_INTEGER, &threads, "N",
     "threads of the CPU, of which there are samples; 0: the one number that there is", 0, 4096},
    {"alone", OPTION_FLAG, &alone, NULL,
     "one device may get all rows; else each keeps at least one", 0, 0},
    {0},
};

static const struct column columns[] = {
    {"points", COLUMN_PARAMETER, "samples of the CPU that the models are made of"},
    {"rows", COLUMN_PARAMETER, "rows of the problem"},
    {"step", COLUMN_PARAMETER, "0: the result; 1 and more: a step of iterative"},
    {"cpu_rows", COLUMN_METRIC, "rows of the CPU"},
    {"gpu_rows", COLUMN_METRIC, "rows of the GPU"},
    {"level_s", COLUMN_METRIC, "common time that the step tried; of a result predicted_s"},
    {"cpu_s", COLUMN_METRIC, "the CPU's time for cpu_rows, between its samples"},
    {"gpu_s", COLUMN_METRIC, "the GPU's time for gpu_rows, by its line and the bus"},
    {"imbalance", COLUMN_METRIC,
     "of a result |cpu_s - gpu_s| / the larger; of a step (cpu_rows + gpu_rows - rows) / rows"},
    {"steps", COLUMN_METRIC, "steps that the algorithm took"},
    {"cpu_r2", COLUMN_METRIC, "share of the variance that the CPU's line explains"},
    {"gpu_r2", COLUMN_METRIC, "the same of the GPU"},
    {"cpu_squared_error", COLUMN_METRIC, "sum of squared residuals of the CPU's line in s^2"},
    {"gpu_squared_error", COLUMN_METRIC, "the same of the GPU"},
    {"cpu_residual", COLUMN_METRIC, "largest relative residual of the CPU's line"},
    {"gpu_residual", COLUMN_METRIC, "the same of the GPU"},
    {"gpu_faster", COLUMN_METRIC,
     "share of the sizes up to rows at which the GPU is faster; 1: over the whole range"},
    {"predicted_s", COLUMN_METRIC, "time of a product that the algorithm expects"},
    {"formula_residual", COLUMN_METRIC,
     "linear: relative difference of both lines' times at the formula's result, not rounded"},
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
    struct value values[] = {
        integer((int64_t)models->cpu_samples.count),
        integer(task->rows),
        integer(step),
        real(state->cpu_rows),
        real(state->gpu_rows),
        real(state->level_s),
        real(cpu_s),
        real(gpu_s),
        real(step > 0 ? state->imbalance : apart),
        integer(task->split.steps),
        real(models->cpu_line.r2),
        real(models->gpu.r2),
        real(models->cpu_line.squared_error),
        real(models->gpu.squared_error),
        real(models->cpu_line.largest_relative_residual),
        real(models->gpu.largest_relative_residual),
        real(spmv_split_gpu_faster(models, (double)task->rows)),
        real(task->split.predicted_s),
        is_formula ? real(formula_residual(task)) : none(),
    };
    record_values(run, variants[task->algorithm].name, repetition, values, time_s,
                  run->settings.check ? count_errors(task) : 0);
}

static void record_steps(struct run *run, const struct task *task)
{
    struct spmv_split_step steps[MOST_STEPS];
    spmv_split_iterative(&task->models, task->rows, !alone, steps, MOST_STEPS);
    for (int i = 0; i < task->split.steps && i < MOST_STEPS; i++)
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
        if (!program_wants(run, variants[algorithm].name))
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

static struct option_numbers sizes_of(const struct spmv_split_samples *samples)
{
    if (rows_list)
        return option_read_numbers("rows", rows_list, 1, INT32_MAX);
    size_t step = (samples->count + DEFAULT_ROWS - 1) / DEFAULT_ROWS;
    size_t count = samples->count / step;
    struct option_numbers sizes = {.values = allocate_or_fail(count, sizeof *sizes.values),
                                   .count = count};
    for (size_t i = 0; i < count; i++)
        sizes.values[i] = (long)samples->rows[i * step];
    return sizes;
}

static void run_all(struct run *run)
{
    if (!samples_path)
        fail("--samples FILE is needed: run spmv_samples -o FILE.csv first");
    struct split_fits fits = split_fits_read(samples_path, (int)threads);
    struct option_numbers sizes = sizes_of(&fits.of[0].file.cpu);
    if (fits.count == 1)
        program_note(run, "no models of every fourth sample: %s", fits.no_coarse);
    for (int i = 0; i < fits.count; i++)
        for (size_t s = 0; s < sizes.count; s++)
            measure_size(run, &fits.of[i], sizes.values[s]);
    split_fits_close(&fits);
    free(sizes.values);
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
