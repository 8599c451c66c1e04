/* spmv_hybrid: products on CPU and GPU together, by the cut of three algorithms, of each device
 * alone, and of an exhaustive search. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "spmv/bench/hybrid_bench.h"
#include "spmv/bench/fitted.h"
#include "spmv/bench/disturb.h"

enum { CPU, GPU, LINEAR, ITERATIVE, HYBRID, EXHAUSTIVE };
static const struct variant variants[] = {
    [CPU] = {"cpu", "all rows on the CPU, in CSR"},
    [GPU] = {"gpu", "all rows on the GPU, in HLG"},
    [LINEAR] = {"linear", "cut by two lines"},
    [ITERATIVE] = {"iterative", "cut by bisection of the common time, CPU between its samples"},
    [HYBRID] = {"hybrid", "cut by a model of the optimal time"},
    [EXHAUSTIVE] = {"exhaustive", "all cuts of --cuts, with --exhaustive 1"},
    {0},
};

static const struct column columns[] = {
    {"points", COLUMN_PARAMETER, "samples that the models are made of; 0: no models"},
    {"rows", COLUMN_PARAMETER, "rows of the matrix, edge^3"},
    {"edge", COLUMN_PARAMETER, "points along an edge of the cube"},
    {"threads", COLUMN_PARAMETER, "threads of the CPU"},
    {"disturbed", COLUMN_PARAMETER, "1: the CPU's cores are taken away in bursts"},
    {"cut", COLUMN_PARAMETER, "exhaustive: which cut, from 0; else 0"},
    {"cpu_rows", COLUMN_METRIC, "rows of the CPU"},
    {"gpu_rows", COLUMN_METRIC, "rows of the GPU"},
    {"cpu_s", COLUMN_METRIC, "the CPU's part of a product"},
    {"gpu_s", COLUMN_METRIC, "the GPU's part"},
    {"exchange_s", COLUMN_METRIC, "packing and copying of the halo, the longer way"},
    {"gflops", COLUMN_METRIC, "2 entries / time_s in 10^9 per s"},
    {"halo_bytes", COLUMN_METRIC, "bytes that cross the bus for one product, the larger way"},
    {0},
};

static const char *samples_path, *edges_list = "16,32,64", *threads_list = "0", *shares = "0,1";
static int64_t exhaustive, cuts = 21, disturb;
static bool alone;
static const struct program_option options[] = {
    {"samples", OPTION_TEXT, &samples_path, "FILE", "samples of spmv_samples, CSV or CSV.gz", 0, 0},
    {"edges", OPTION_TEXT, &edges_list, "LIST", "edges of the cubes", 0, 0},
    {"threads", OPTION_TEXT, &threads_list, "LIST",
     "threads of the CPU, of which there are samples; 0: all cores", 0, 0},
    {"alone", OPTION_FLAG, &alone, NULL,
     "the algorithms may give one device all rows; else each keeps at least one", 0, 0},
    {"exhaustive", OPTION_INTEGER, &exhaustive, "0|1", "1: also search exhaustively", 0, 1},
    {"cuts", OPTION_INTEGER, &cuts, "N", "cuts of the search, spread evenly", 2, 10000},
    {"shares", OPTION_TEXT, &shares, "A,B", "shares of the CPU that the search goes through", 0, 0},
    {"disturb", OPTION_INTEGER, &disturb, "0|1", "1: take the CPU's cores away in bursts", 0, 1},
    {0},
};

/* One cut: a subject of measure(). */
struct task {
    int variant;
    int64_t points, cut, cpu_rows;
    struct hybrid_bench bench;
};

/* All cuts of one matrix. */
struct tasks {
    struct task *of;
    size_t count;
};

/* ---- which cuts ---- */

static bool needs_samples(const struct run *run)
{
    return program_wants(run, "linear") || program_wants(run, "iterative") ||
           program_wants(run, "hybrid");
}

static void add(const struct run *run, struct tasks *tasks, struct task task)
{
    if (program_wants(run, variants[task.variant].name))
        tasks->of[tasks->count++] = task;
}

static void add_algorithm(const struct run *run, struct tasks *tasks, int variant,
                          const struct split_fitted *fitted, int64_t rows)
{
    struct spmv_split_models models = fitted->models;
    int64_t points = (int64_t)models.cpu_samples.count;
    models.halo_elements = split_plane_elements((double)rows);
    struct spmv_split split = variant == LINEAR ? spmv_split_linear(&models, rows, !alone)
                              : variant == ITERATIVE
                                  ? spmv_split_iterative(&models, rows, !alone, NULL, 0)
                                  : spmv_split_hybrid(&models, &fitted->optimum, rows, !alone);
    if (split.note && program_wants(run, variants[variant].name))
        program_note(run, "%s, %lld samples, %lld rows: %s", variants[variant].name,
                     (long long)points, (long long)rows, split.note);
    add(run, tasks,
        (struct task){.variant = variant, .points = points, .cpu_rows = split.cpu_rows});
}

static void add_search(const struct run *run, struct tasks *tasks, int64_t rows)
{
    struct option_reals range = option_read_reals("shares", shares, 0, 1);
    if (range.count != 2 || range.values[0] >= range.values[1])
        fail("--shares %s: two shares from 0 to 1 are expected, the smaller one first", shares);
    for (int64_t cut = 0; cut < cuts; cut++) {
        double part = (double)cut / (double)(cuts - 1);
        double share = range.values[0] + part * (range.values[1] - range.values[0]);
        add(run, tasks,
            (struct task){
                .variant = EXHAUSTIVE, .cut = cut, .cpu_rows = llround(share * (double)rows)});
    }
    free(range.values);
}

static struct tasks choose_cuts(const struct run *run, const struct split_fits *fits, int64_t rows)
{
    size_t most = 2 + 3 * (size_t)fits->count + (exhaustive ? (size_t)cuts : 0);
    struct tasks tasks = {.of = allocate_or_fail(most, sizeof *tasks.of)};
    add(run, &tasks, (struct task){.variant = CPU, .cpu_rows = rows});
    add(run, &tasks, (struct task){.variant = GPU});
    for (int i = 0; i < fits->count; i++)
        for (int variant = LINEAR; variant <= HYBRID; variant++)
            add_algorithm(run, &tasks, variant, &fits->of[i], rows);
    if (exhaustive)
        add_search(run, &tasks, rows);
    return tasks;
}

/* ---- a matrix ---- */

static void record(struct run *run, int64_t edge, struct task *task, const struct subject *subject)
{
    struct hybrid_bench *bench = &task->bench;
    const struct spmv_coo *coo = &bench->problem->coo;
    const struct spmv_hybrid_report *reports = bench->reports + (bench->samples - subject->count);
    long errors = run->settings.check ? hybrid_bench_errors(bench) : 0;
    for (size_t i = 0; i < subject->count; i++) {
        const struct spmv_hybrid_report *report = &reports[i];
        int64_t halo = report->to_device_elements > report->from_device_elements
                           ? report->to_device_elements
                           : report->from_device_elements;
        struct value values[] = {
            integer(task->points),
            integer(coo->rows),
            integer(edge),
            integer(bench->threads),
            integer(disturb),
            integer(task->cut),
            integer(task->cpu_rows),
            integer(coo->rows - task->cpu_rows),
            real(report->cpu_s),
            real(report->gpu_s),
            real(report->exchange_s),
            real(2e-9 * (double)coo->entries / subject->times_s[i]),
            integer(halo * (int64_t)sizeof(double)),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], errors);
    }
}

static void measure_cuts(struct run *run, const struct hybrid_problem *problem, int64_t edge,
                         int threads, struct tasks tasks)
{
    struct subject *subjects = allocate_or_fail(tasks.count, sizeof *subjects);
    for (size_t i = 0; i < tasks.count; i++) {
        struct task *task = &tasks.of[i];
        hybrid_bench_open(&task->bench, problem, task->cpu_rows, threads);
        subjects[i] = (struct subject){.variant = variants[task->variant].name,
                                       .before = hybrid_bench_before,
                                       .sample = hybrid_bench_sample,
                                       .context = &task->bench};
    }
    measure(run, subjects, tasks.count);
    for (size_t i = 0; i < tasks.count; i++) {
        record(run, edge, &tasks.of[i], &subjects[i]);
        hybrid_bench_close(&tasks.of[i].bench);
    }
    measure_free(subjects, tasks.count);
    free(subjects);
}

/* `fits` has an entry for each number of threads. */
static void measure_matrix(struct run *run, int64_t edge, const struct option_numbers *threads,
                           const struct split_fits *fits)
{
    struct hybrid_problem problem;
    hybrid_problem_open(&problem, edge, run->settings.seed);
    for (size_t t = 0; t < threads->count; t++) {
        struct tasks tasks = choose_cuts(run, &fits[t], problem.coo.rows);
        measure_cuts(run, &problem, edge, (int)threads->values[t], tasks);
        free(tasks.of);
    }
    hybrid_problem_close(&problem);
}

static struct split_fits *read_fits(const struct run *run, const struct option_numbers *threads)
{
    struct split_fits *fits = allocate_or_fail(threads->count, sizeof *fits);
    for (size_t t = 0; needs_samples(run) && t < threads->count; t++) {
        fits[t] = split_fits_read(samples_path, (int)threads->values[t]);
        if (fits[t].count == 1)
            program_note(run, "%ld threads: no models of every fourth sample: %s",
                         threads->values[t], fits[t].no_coarse);
    }
    return fits;
}

static void run_all(struct run *run)
{
    struct option_numbers edges = option_read_numbers("edges", edges_list, 1, 1000);
    struct option_numbers threads = option_read_numbers("threads", threads_list, 0, 4096);
    for (size_t t = 0; t < threads.count; t++)
        if (threads.values[t] == 0)
            threads.values[t] = omp_get_max_threads();
    if (needs_samples(run) && !samples_path)
        fail("--samples FILE is needed: run spmv_samples -o FILE.csv first, or choose "
             "--variants cpu,gpu,exhaustive");
    struct split_fits *fits = read_fits(run, &threads);
    struct spmv_disturb *disturber = disturb ? spmv_disturb_start(run->settings.seed) : NULL;
    for (size_t i = 0; i < edges.count; i++)
        measure_matrix(run, edges.values[i], &threads, fits);
    if (disturber)
        spmv_disturb_stop(disturber);
    for (size_t t = 0; t < threads.count; t++)
        split_fits_close(&fits[t]);
    free(fits);
    free(edges.values);
    free(threads.values);
}

const struct program program = {
    .name = "spmv_hybrid",
    .summary = "multiplies on CPU and GPU together, with the rows cut by several algorithms",
    .details =
        "time_s is that of one of many products, x <- A x, of a pde matrix, on the host's clock:\n"
        "exchange of the halo, CPU in CSR and GPU in HLG at the same time. Models as in\n"
        "spmv_split, of all samples and of every fourth. All cuts of a matrix are measured in\n"
        "turns. cpu_s and gpu_s may overlap; the time of a wait for the other side is in neither.\n"
        "Source: Fanfarillo 2016, 3.3 and 3.4.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
