/* split_test: the shares of CPU and GPU by models of time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/spmv.h>

#include "common/random.h"
#include "tests/unit/test_status.h"

static uint64_t counter;

static double uniform(double low, double high)
{
    return low + (high - low) * random_uniform(77, counter++);
}

/* Log-uniform. */
static double magnitude(double low, double high)
{
    return exp(uniform(log(low), log(high)));
}

static struct spmv_split_line line_of(double slope, double offset)
{
    return (struct spmv_split_line){.slope = slope, .offset = offset};
}

static bool is_near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

/* ---- fits ---- */

static void a_fit_gives_back_its_line(void)
{
    double rows[20], time_s[20];
    for (int trial = 0; trial < 200; trial++) {
        double slope = magnitude(1e-12, 1e-6), offset = magnitude(1e-7, 1e-3);
        for (int i = 0; i < 20; i++) {
            rows[i] = 1000 * (i + 1);
            time_s[i] = slope * rows[i] + offset;
        }
        struct spmv_split_line line;
        expect_ok(spmv_split_fit_line(&(struct spmv_split_samples){20, rows, time_s}, &line));
        expect(fabs(line.slope - slope) * 20000 <= 1e-12 * time_s[19]);
        expect(is_near(line.offset, offset, 1e-9) ||
               fabs(line.offset - offset) < 1e-12 * time_s[19]);
        expect(line.largest_relative_residual < 1e-9);
        expect(line.squared_error < 1e-20 * time_s[19] * time_s[19]);
    }
}

/* By hand: the line through (1,1) (2,3) (3,2) (4,6) is 1.4 x - 0.5. */
static void residuals_are_those_of_the_line(void)
{
    double rows[] = {1, 2, 3, 4}, time_s[] = {1, 3, 2, 6};
    struct spmv_split_line line;
    expect_ok(spmv_split_fit_line(&(struct spmv_split_samples){4, rows, time_s}, &line));
    expect(is_near(line.slope, 1.4, 1e-12));
    expect(is_near(line.offset, -0.5, 1e-12));
    expect(is_near(line.squared_error, 0.01 + 0.49 + 2.89 + 0.81, 1e-12));
    expect(is_near(line.r2, 1 - 4.2 / 14, 1e-12));
    expect(is_near(line.largest_relative_residual, 0.85, 1e-12));
}

static void expect_no_fit(size_t count, const double *rows, const double *time_s, const char *why)
{
    struct spmv_split_line line;
    expect(spmv_split_fit_line(&(struct spmv_split_samples){count, rows, time_s}, &line) != DM_OK);
    if (!strstr(dm_message(), why))
        printf("# '%s' does not say '%s'\n", dm_message(), why);
    expect(strstr(dm_message(), why));
}

static void bad_samples_are_refused(void)
{
    double rows[] = {1, 2, 3}, same[] = {2, 2, 2}, time_s[] = {1, 2, 3};
    expect_no_fit(0, rows, time_s, "no samples");
    expect_no_fit(1, rows, time_s, "two sizes");
    expect_no_fit(3, same, time_s, "two sizes");
    expect_no_fit(3, (double[]){1, 3, 2}, time_s, "in order");
    expect_no_fit(3, (double[]){1, NAN, 2}, time_s, "no number of rows");
    expect_no_fit(3, (double[]){-1, 2, 3}, time_s, "no number of rows");
    expect_no_fit(3, rows, (double[]){1, NAN, 3}, "not above 0 s");
    expect_no_fit(3, rows, (double[]){1, 0, 3}, "not above 0 s");
    expect_no_fit(3, rows, (double[]){1, -2, 3}, "not above 0 s");
    expect_no_fit(3, rows, (double[]){1, INFINITY, 3}, "not above 0 s");
}

/* ---- times ---- */

static void the_bus_counts_its_slower_way(void)
{
    struct spmv_split_bus bus = {
        .to_device_bytes_per_s = 8e9, .from_device_bytes_per_s = 4e9, .latency_s = 1e-5};
    expect(spmv_split_bus_time(&bus, 0) == 0);
    expect(is_near(spmv_split_bus_time(&bus, 1000), 1e-5 + 2e-6, 1e-12));
    expect(spmv_split_bus_time(&(struct spmv_split_bus){0}, 1000) == 0);
    struct spmv_split_models models = {
        .gpu = line_of(1e-9, 1e-6), .bus = bus, .halo_elements = 1000};
    expect(is_near(spmv_split_gpu_time(&models, 1000), 1e-6 + 1e-6 + 1.2e-5, 1e-12));
}

static void time_is_linear_between_samples(void)
{
    double rows[] = {10, 20, 20, 40}, time_s[] = {2, 4, 5, 6};
    struct spmv_split_models models = {.cpu_samples = {4, rows, time_s}};
    expect(is_near(spmv_split_cpu_time(&models, 10), 2, 1e-15));
    expect(is_near(spmv_split_cpu_time(&models, 15), 3, 1e-15));
    expect(is_near(spmv_split_cpu_time(&models, 30), 5.5, 1e-15));
    expect(is_near(spmv_split_cpu_time(&models, 40), 6, 1e-15));
    expect(is_near(spmv_split_cpu_time(&models, 60), 7, 1e-15));
    expect(spmv_split_cpu_time(&models, 0) == 0);
    expect(is_near(spmv_split_cpu_time(&models, 5), 1, 1e-15));
}

static void time_never_falls_beyond_the_samples(void)
{
    double rows[] = {10, 20, 30, 40}, time_s[] = {5, 4, 7, 6};
    struct spmv_split_models models = {.cpu_samples = {4, rows, time_s}};
    expect(spmv_split_cpu_time(&models, 1000) == 6);
    expect(spmv_split_cpu_time(&models, 0) == 5);
    models.cpu_samples.count = 1; /* proportional */
    expect(is_near(spmv_split_cpu_time(&models, 20), 10, 1e-15));
    models.cpu_samples.count = 0;
    expect(isnan(spmv_split_cpu_time(&models, 20)));
}

/* ---- the linear algorithm ---- */

static struct spmv_split_models random_lines(void)
{
    return (struct spmv_split_models){
        .cpu_line = line_of(magnitude(1e-11, 1e-6), uniform(-1e-5, 1e-3)),
        .gpu = line_of(magnitude(1e-11, 1e-6), uniform(-1e-5, 1e-3)),
        .bus = {magnitude(1e8, 1e12), magnitude(1e8, 1e12), magnitude(1e-7, 1e-4)},
        .halo_elements = magnitude(1, 1e6)};
}

/* Fanfarillo's closed formula: both lines give the same time. */
static void the_formula_balances_both_lines(void)
{
    for (int trial = 0; trial < 10000; trial++) {
        struct spmv_split_models models = random_lines();
        double rows = floor(magnitude(1e3, 1e9)), cpu_rows = spmv_split_linear_rows(&models, rows);
        double cpu_s = spmv_split_cpu_line_time(&models, cpu_rows);
        double gpu_s = spmv_split_gpu_time(&models, rows - cpu_rows);
        double scale_s = fmax(fabs(models.cpu_line.offset), fmax(fabs(cpu_s), fabs(gpu_s)));
        expect(fabs(cpu_s - gpu_s) <= 1e-9 * scale_s);
    }
}

static void linear_rounds_the_formula_and_stays_in_range(void)
{
    for (int trial = 0; trial < 10000; trial++) {
        struct spmv_split_models models = random_lines();
        int64_t rows = (int64_t)magnitude(2, 1e9);
        double cpu_rows = spmv_split_linear_rows(&models, (double)rows);
        struct spmv_split split = spmv_split_linear(&models, rows, true);
        expect(split.cpu_rows + split.gpu_rows == rows);
        expect(split.cpu_rows >= 1 && split.gpu_rows >= 1);
        if (cpu_rows >= 1 && cpu_rows <= (double)rows - 1)
            expect(fabs((double)split.cpu_rows - cpu_rows) <= 0.5 && !split.note);
        else
            expect((split.cpu_rows == 1 || split.gpu_rows == 1));
        double cpu_s = spmv_split_cpu_line_time(&models, (double)split.cpu_rows);
        expect(split.predicted_s ==
               fmax(cpu_s, spmv_split_gpu_time(&models, (double)split.gpu_rows)));
    }
}

/* No cut of the lines is faster than the split, nor either device alone. */
static void without_keep_both_nothing_is_faster(void)
{
    int alone[3] = {0};
    for (int trial = 0; trial < 300; trial++) {
        struct spmv_split_models models = random_lines();
        models.cpu_line = line_of(magnitude(1e-8, 1e-5), uniform(0, 1e-4));
        models.gpu = line_of(magnitude(1e-8, 1e-5), uniform(0, 1e-4));
        int64_t rows = (int64_t)magnitude(1, 1e3);
        struct spmv_split split = spmv_split_linear(&models, rows, false);
        expect(split.cpu_rows >= 0 && split.cpu_rows + split.gpu_rows == rows);
        alone[split.cpu_rows == 0 ? 0 : split.gpu_rows == 0 ? 1 : 2]++;
        double best_s = fmin(spmv_split_cpu_line_time(&models, (double)rows),
                             models.gpu.slope * (double)rows + models.gpu.offset);
        for (int64_t cpu_rows = 1; cpu_rows < rows; cpu_rows++)
            best_s = fmin(best_s, fmax(spmv_split_cpu_line_time(&models, (double)cpu_rows),
                                       spmv_split_gpu_time(&models, (double)(rows - cpu_rows))));
        double one_row_s = fmax(models.cpu_line.slope, models.gpu.slope);
        expect(split.predicted_s <= best_s + one_row_s);
        expect((split.cpu_rows > 0 && split.gpu_rows > 0) || split.note);
    }
    expect(alone[0] > 0 && alone[1] > 0 && alone[2] > 0);
}

/* ---- the iterative algorithm ---- */

/* A CPU whose time has a knee, as where its cache ends, and a GPU that meets it at a known cut. */
static void iterative_finds_the_known_cut(void)
{
    for (int trial = 0; trial < 1000; trial++) {
        double knee = floor(magnitude(1e3, 1e5)), slope = magnitude(1e-10, 1e-8);
        double rows[] = {0, knee, 50 * knee};
        double time_s[] = {1e-6, 1e-6 + slope * knee, 0};
        time_s[2] = time_s[1] + 3 * slope * 49 * knee;
        int64_t all = (int64_t)(20 * knee), cpu_rows = (int64_t)(uniform(0.05, 0.9) * (double)all);
        struct spmv_split_models models = {.cpu_samples = {3, rows, time_s}};
        double level_s = spmv_split_cpu_time(&models, (double)cpu_rows);
        double gpu_slope = uniform(0.2, 0.99) * level_s / (double)(all - cpu_rows);
        models.bus = (struct spmv_split_bus){.latency_s = uniform(0, 0.1) * gpu_slope};
        models.halo_elements = 1;
        models.gpu = line_of(gpu_slope,
                             level_s - gpu_slope * (double)(all - cpu_rows) - models.bus.latency_s);
        struct spmv_split split = spmv_split_iterative(&models, all, true, NULL, 0);
        expect(llabs(split.cpu_rows - cpu_rows) <= 1);
        expect(split.cpu_rows + split.gpu_rows == all);
        expect(is_near(split.predicted_s, level_s, 1e-3));
        expect(split.steps > 0 && split.steps <= 30);
    }
}

static void brackets_shrink_to_half_a_row(void)
{
    double rows[] = {1e4, 1e5, 1e6, 1e7}, time_s[] = {1e-5, 2e-4, 3e-3, 5e-2};
    struct spmv_split_models models = {.cpu_samples = {4, rows, time_s},
                                       .gpu = line_of(1e-9, 2e-5)};
    struct spmv_split_step steps[64];
    struct spmv_split split = spmv_split_iterative(&models, 8000000, true, steps, 64);
    expect(split.steps >= 15 && split.steps <= 30);
    double low_s = 0, high_s = INFINITY;
    for (int i = 0; i < split.steps; i++) {
        expect(steps[i].level_s > low_s && steps[i].level_s < high_s);
        expect(is_near(spmv_split_cpu_time(&models, steps[i].cpu_rows), steps[i].level_s, 1e-9));
        expect(is_near(spmv_split_gpu_time(&models, steps[i].gpu_rows), steps[i].level_s, 1e-9));
        expect(
            is_near((steps[i].cpu_rows + steps[i].gpu_rows) / 8e6 - 1, steps[i].imbalance, 1e-6) ||
            fabs(steps[i].imbalance) < 1e-6);
        *(steps[i].imbalance < 0 ? &low_s : &high_s) = steps[i].level_s;
    }
    for (int i = 2; i < split.steps; i++)
        expect(is_near(fabs(steps[i].level_s - steps[i - 1].level_s),
                       fabs(steps[i - 1].level_s - steps[i - 2].level_s) / 2, 1e-6));
    expect((high_s - low_s) / 1e-9 <= 0.5);
    expect(fabs(steps[split.steps - 1].imbalance) < 1e-6);

    struct spmv_split_step few[3] = {{0}};
    struct spmv_split again = spmv_split_iterative(&models, 8000000, true, few, 2);
    expect(again.cpu_rows == split.cpu_rows && again.steps == split.steps);
    expect(few[1].level_s == steps[1].level_s);
    expect(few[2].level_s == 0);
}

/* Any samples: no loop, no lost row, no wild prediction; on straight ones both algorithms agree. */
static void noise_does_no_harm(void)
{
    double rows[30], time_s[30];
    for (int trial = 0; trial < 3000; trial++) {
        double noise = trial % 3 == 0 ? 0 : magnitude(0.01, 5);
        double slope = magnitude(1e-10, 1e-7), offset = magnitude(1e-7, 1e-4);
        size_t count = 1 + (size_t)uniform(0, 30);
        for (size_t i = 0; i < count; i++) {
            rows[i] = (i ? rows[i - 1] : 0) + floor(uniform(0, 1e5));
            time_s[i] = (slope * rows[i] + offset) * (1 + uniform(0, noise));
        }
        struct spmv_split_models models = random_lines();
        models.cpu_line = line_of(slope, offset);
        models.cpu_samples = (struct spmv_split_samples){count, rows, time_s};
        int64_t all = (int64_t)magnitude(1, 1e7);
        struct spmv_split split = spmv_split_iterative(&models, all, trial & 1, NULL, 0);
        expect(split.cpu_rows >= 0 && split.gpu_rows >= 0);
        expect(split.cpu_rows + split.gpu_rows == all);
        expect(isfinite(split.predicted_s));
        expect(split.steps <= 30);
        if (noise > 0 || count < 2 || rows[0] == rows[count - 1])
            continue;
        struct spmv_split straight = spmv_split_linear(&models, all, trial & 1);
        double off = fabs((double)(split.cpu_rows - straight.cpu_rows));
        expect(off <= 1 + 1e-6 * (double)all);
    }
}

/* Noise makes all rows seem faster than half of them: the first rise of the time is balanced.
 * By hand: 1e7 T + 2e7 T = 2000. */
static void the_first_rise_is_balanced(void)
{
    double rows[] = {100, 1000, 2000}, time_s[] = {1e-5, 1e-4, 2e-5};
    struct spmv_split_models models = {.cpu_samples = {3, rows, time_s}, .gpu = line_of(5e-8, 0)};
    struct spmv_split split = spmv_split_iterative(&models, 2000, true, NULL, 0);
    expect(split.cpu_rows == 667 && split.gpu_rows == 1333);
    expect(is_near(split.predicted_s, 2000 / 3e7, 1e-3));
}

/* No cut is faster by the samples than the found one, up to a row, where time ascends. */
static void iterative_is_as_good_as_all_cuts(void)
{
    double rows[8], time_s[8];
    for (int trial = 0; trial < 300; trial++) {
        for (int i = 0; i < 8; i++) {
            rows[i] = (i ? rows[i - 1] : 0) + floor(uniform(1, 200));
            time_s[i] = (i ? time_s[i - 1] : 1e-6) + magnitude(1e-8, 1e-5);
        }
        struct spmv_split_models models = {.gpu = line_of(magnitude(1e-9, 1e-7), 2e-6),
                                           .cpu_samples = {8, rows, time_s}};
        int64_t all = (int64_t)uniform(2, 1000);
        struct spmv_split split = spmv_split_iterative(&models, all, true, NULL, 0);
        double best_s = INFINITY, next_s;
        for (int64_t cpu_rows = 1; cpu_rows < all; cpu_rows++)
            best_s = fmin(best_s, fmax(spmv_split_cpu_time(&models, (double)cpu_rows),
                                       spmv_split_gpu_time(&models, (double)(all - cpu_rows))));
        next_s = fmax(spmv_split_cpu_time(&models, (double)split.cpu_rows - 1),
                      spmv_split_gpu_time(&models, (double)split.gpu_rows - 1));
        expect(split.predicted_s >= best_s * (1 - 1e-12));
        expect(next_s <= best_s * (1 + 1e-9));
    }
}

static void a_slower_gpu_is_reported(void)
{
    double rows[] = {100, 1000, 10000}, time_s[] = {1e-6, 1e-5, 1e-4};
    struct spmv_split_models models = {.cpu_samples = {3, rows, time_s},
                                       .gpu = line_of(2e-8, 1e-6)};
    expect(spmv_split_gpu_faster(&models, 10000) == 0);
    struct spmv_split split = spmv_split_iterative(&models, 10000, true, NULL, 0);
    expect(split.note && strstr(split.note, "slower"));
    expect(split.cpu_rows > split.gpu_rows && split.gpu_rows > 0);
    models.gpu = line_of(1e-9, 1e-7);
    expect(spmv_split_gpu_faster(&models, 10000) == 1);
    expect(!spmv_split_iterative(&models, 10000, true, NULL, 0).note);
    models.gpu = line_of(5e-9, 2e-6);
    expect(is_near(spmv_split_gpu_faster(&models, 10000), 2.0 / 3, 1e-12));
    models.gpu = line_of(1e-8, 1e-2);
    expect(spmv_split_iterative(&models, 10000, true, NULL, 0).gpu_rows == 1);
    struct spmv_split alone = spmv_split_iterative(&models, 10000, false, NULL, 0);
    expect(alone.gpu_rows == 0 && alone.predicted_s == 1e-4 && strstr(alone.note, "CPU alone"));
}

/* A bus that costs more than it saves: the GPU alone needs none. */
static void the_bus_may_forbid_a_cpu_part(void)
{
    double rows[] = {0, 1e6}, time_s[] = {1e-6, 1e-3};
    struct spmv_split_models models = {.cpu_samples = {2, rows, time_s},
                                       .cpu_line = line_of(1e-9, 1e-6),
                                       .gpu = line_of(1e-10, 1e-6),
                                       .bus = {.latency_s = 1e-6},
                                       .halo_elements = 1e4};
    expect(spmv_split_iterative(&models, 1000000, false, NULL, 0).cpu_rows > 50000);
    models.bus.latency_s = 1e-3;
    struct spmv_split split = spmv_split_iterative(&models, 1000000, false, NULL, 0);
    expect(split.cpu_rows == 0 && strstr(split.note, "GPU alone"));
    expect(is_near(split.predicted_s, 1.01e-4, 1e-12));
    expect(spmv_split_linear(&models, 1000000, false).cpu_rows == 0);
    expect(spmv_split_iterative(&models, 1000000, true, NULL, 0).cpu_rows > 0);
}

/* ---- models that do not tell ---- */

static void expect_whole(struct spmv_split split, int64_t rows, const char *note)
{
    expect(split.cpu_rows >= 0 && split.gpu_rows >= 0);
    expect(split.cpu_rows + split.gpu_rows == rows);
    expect(split.note && strstr(split.note, note));
}

static void degenerate_models_are_noted(void)
{
    double rows[] = {1, 2}, time_s[] = {1e-6, 2e-6}, no_time[] = {1e-6, NAN};
    struct spmv_split_models models = {.cpu_samples = {2, rows, time_s},
                                       .cpu_line = line_of(1e-6, 0),
                                       .gpu = line_of(-1e-9, 1e-3)};
    struct spmv_split_optimum optimum = {.line = line_of(1e-9, 1e-6)};
    expect_whole(spmv_split_linear(&models, 1000, true), 1000, "more rows do not take");
    expect_whole(spmv_split_iterative(&models, 1000, true, NULL, 0), 1000, "more rows do not take");
    expect_whole(spmv_split_hybrid(&models, &optimum, 1000, true), 1000, "more rows do not take");
    models.gpu = line_of(NAN, NAN);
    expect_whole(spmv_split_linear(&models, 1000, false), 1000, "more rows do not take");
    expect_whole(spmv_split_iterative(&models, 1000, false, NULL, 0), 1000, "line is none");
    expect(spmv_split_iterative(&models, 1000, false, NULL, 0).gpu_rows == 0);
    expect_whole(spmv_split_hybrid(&models, &optimum, 1000, false), 1000, "more rows do not take");
    models.gpu = line_of(1e-9, 1e-6);
    models.cpu_samples.time_s = no_time;
    expect_whole(spmv_split_iterative(&models, 1000, true, NULL, 0), 1000, "not above 0 s");
    models.cpu_samples.count = 0;
    expect_whole(spmv_split_iterative(&models, 1000, false, NULL, 0), 1000, "no samples");
    expect(spmv_split_iterative(&models, 1000, false, NULL, 0).cpu_rows == 0);
}

static void one_row_goes_to_one_device(void)
{
    double rows[] = {1, 2}, time_s[] = {1e-6, 2e-6};
    struct spmv_split_models models = {
        .cpu_samples = {2, rows, time_s}, .cpu_line = line_of(1e-6, 0), .gpu = line_of(1e-6, 1e-6)};
    for (int keep = 0; keep < 2; keep++) {
        struct spmv_split linear = spmv_split_linear(&models, 1, keep);
        struct spmv_split iterative = spmv_split_iterative(&models, 1, keep, NULL, 0);
        expect(linear.cpu_rows == 1 && linear.gpu_rows == 0);
        expect(iterative.cpu_rows == 1 && iterative.gpu_rows == 0);
    }
}

/* ---- the hybrid algorithm ---- */

/* Where both lines are straight without offsets, the optimal time is a line, so that all three
 * algorithms agree. */
static void hybrid_agrees_on_straight_models(void)
{
    double sizes[12], planes[12];
    for (int trial = 0; trial < 300; trial++) {
        double cpu = magnitude(1e-9, 1e-8), gpu = cpu * uniform(0.2, 2);
        double rows[] = {1e3, 1e7}, time_s[] = {1e3 * cpu, 1e7 * cpu};
        struct spmv_split_models models = {
            .cpu_samples = {2, rows, time_s}, .cpu_line = line_of(cpu, 0), .gpu = line_of(gpu, 0)};
        for (int i = 0; i < 12; i++) {
            sizes[i] = 50000.0 * (i + 1);
            planes[i] = 0;
        }
        struct spmv_split_optimum optimum;
        expect_ok(
            spmv_split_learn_optimum(&models, sizes, trial & 1 ? planes : NULL, 12, &optimum));
        int64_t all = (int64_t)uniform(5e4, 6e5);
        expect(is_near(spmv_split_optimal_time(&optimum, (double)all),
                       cpu * gpu / (cpu + gpu) * all, 1e-4));
        struct spmv_split linear = spmv_split_linear(&models, all, true);
        struct spmv_split hybrid = spmv_split_hybrid(&models, &optimum, all, true);
        expect(fabs((double)(hybrid.cpu_rows - linear.cpu_rows)) <= 1e-3 * (double)all);
    }
}

/* Models whose optimal time is a power of the rows, and one whose is a line with an offset. */
static void the_better_model_is_learned(void)
{
    enum { COUNT = 40 };
    double rows[COUNT], time_s[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rows[i] = 1000 * pow(1.3, i);
        time_s[i] = 1e-8 * pow(rows[i], 1.4);
    }
    struct spmv_split_models models = {.cpu_samples = {COUNT, rows, time_s},
                                       .gpu = line_of(1e-4, 0)};
    struct spmv_split_optimum optimum;
    expect_ok(spmv_split_learn_optimum(&models, rows, NULL, 15, &optimum));
    expect(optimum.is_power);
    models.gpu = line_of(1e-9, 1e-4);
    for (int i = 0; i < COUNT; i++)
        time_s[i] = 1e-8 * rows[i] + 1e-4;
    expect_ok(spmv_split_learn_optimum(&models, rows, NULL, COUNT, &optimum));
    expect(!optimum.is_power);
}

/* The bus grows with the size, and so does its part in what is learned. */
static void each_size_has_its_halo(void)
{
    double rows[] = {1e3, 1e7}, time_s[] = {1e-5, 1e-1}, sizes[] = {1e5, 2e5, 4e5}, halos[3];
    struct spmv_split_models models = {
        .cpu_samples = {2, rows, time_s}, .gpu = line_of(1e-9, 1e-6), .bus = {1e9, 1e9, 0}};
    struct spmv_split_optimum none, some;
    for (int i = 0; i < 3; i++)
        halos[i] = sizes[i] / 100;
    expect_ok(spmv_split_learn_optimum(&models, sizes, NULL, 3, &none));
    expect_ok(spmv_split_learn_optimum(&models, sizes, halos, 3, &some));
    /* The halo adds 8e-11 s per row to the GPU's 1e-9. */
    expect(is_near(spmv_split_optimal_time(&some, 3e5) / spmv_split_optimal_time(&none, 3e5), 1.07,
                   0.02));
}

static void learning_refuses_bad_sizes(void)
{
    double rows[] = {1e3, 1e7}, time_s[] = {1e-5, 1e-1};
    struct spmv_split_models models = {.cpu_samples = {2, rows, time_s},
                                       .gpu = line_of(1e-9, 1e-6)};
    struct spmv_split_optimum optimum;
    const double bad[] = {1, NAN, -5, 1e300, INFINITY};
    for (int i = 0; i < 5; i++) {
        double sizes[] = {100, bad[i], 300};
        expect_error(spmv_split_learn_optimum(&models, sizes, NULL, 3, &optimum), DM_INVALID,
                     "is no size of a problem");
    }
    expect_error(spmv_split_learn_optimum(&models, (double[]){100}, NULL, 1, &optimum), DM_INVALID,
                 "two sizes");
    expect(spmv_split_learn_optimum(&models, NULL, NULL, 0, &optimum) != DM_OK);
    models.gpu = line_of(NAN, NAN);
    expect_error(spmv_split_learn_optimum(&models, rows, NULL, 2, &optimum), DM_INVALID,
                 "line is none");
}

int main(void)
{
    run_test(a_fit_gives_back_its_line);
    run_test(residuals_are_those_of_the_line);
    run_test(bad_samples_are_refused);
    run_test(the_bus_counts_its_slower_way);
    run_test(time_is_linear_between_samples);
    run_test(time_never_falls_beyond_the_samples);
    run_test(the_formula_balances_both_lines);
    run_test(linear_rounds_the_formula_and_stays_in_range);
    run_test(without_keep_both_nothing_is_faster);
    run_test(iterative_finds_the_known_cut);
    run_test(brackets_shrink_to_half_a_row);
    run_test(noise_does_no_harm);
    run_test(the_first_rise_is_balanced);
    run_test(iterative_is_as_good_as_all_cuts);
    run_test(a_slower_gpu_is_reported);
    run_test(the_bus_may_forbid_a_cpu_part);
    run_test(degenerate_models_are_noted);
    run_test(one_row_goes_to_one_device);
    run_test(hybrid_agrees_on_straight_models);
    run_test(the_better_model_is_learned);
    run_test(each_size_has_its_halo);
    run_test(learning_refuses_bad_sizes);
    return end_tests();
}
