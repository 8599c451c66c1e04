/* spmv_hybrid: products on CPU and GPU together, by the cut of three algorithms, of each device
 * alone, and of an exhaustive search. */
#include <math.h>
#include <stdlib.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "spmv/bench/disturb.h"
#include "spmv/bench/fitted.h"
#include "spmv/bench/hybrid_bench.h"

/* The algorithms in the order of enum split_algorithm. */
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

struct row {
    int64_t points, rows, edge;
    int threads;
    int64_t disturbed, cut, cpu_rows, gpu_rows;
    double cpu_s, gpu_s, exchange_s, gflops;
    int64_t halo_bytes;
};
static const struct column columns[] = {
    PARAMETER(struct row, points, "samples that the models are made of; 0: no models"),
    PARAMETER(struct row, rows, "rows of the matrix, edge^3"),
    PARAMETER(struct row, edge, "points along an edge of the cube"),
    PARAMETER(struct row, threads, "threads of the CPU"),
    PARAMETER(struct row, disturbed, "1: the CPU's cores are taken away in bursts"),
    PARAMETER(struct row, cut, "exhaustive: which cut, from 0; else 0"),
    METRIC(struct row, cpu_rows, "rows of the CPU"),
    METRIC(struct row, gpu_rows, "rows of the GPU"),
    METRIC(struct row, cpu_s, "the CPU's part of a product"),
    METRIC(struct row, gpu_s, "the GPU's part"),
    METRIC(struct row, exchange_s, "packing and copying of the halo, the longer way"),
    METRIC(struct row, gflops, "2 entries / time_s in 10^9 per s"),
    METRIC(struct row, halo_bytes, "bytes that cross the bus for one product, the larger way"),
    {0},
};

static const char *samples_path;
static struct option_numbers edges = {.list = "16,32,64"}, threads = {.list = "0"};
static struct option_reals shares = {.list = "0,1"};
static int64_t exhaustive, cuts = 21, disturb;
static bool alone;
static const struct program_option options[] = {
    {"samples", OPTION_TEXT, &samples_path, "FILE", "samples of spmv_samples, CSV or CSV.gz", 0, 0},
    {"edges", OPTION_NUMBERS, &edges, "LIST", "edges of the cubes", 1, 1000},
    {"threads", OPTION_NUMBERS, &threads, "LIST",
     "threads of the CPU, of which there are samples; 0: all cores", 0, 4096},
    {"alone", OPTION_FLAG, &alone, NULL,
     "the algorithms may give one device all rows; else each keeps at least one", 0, 0},
    {"exhaustive", OPTION_INTEGER, &exhaustive, "0|1", "1: also search exhaustively", 0, 1},
    {"cuts", OPTION_INTEGER, &cuts, "N", "cuts of the search, spread evenly", 2, 10000},
    {"shares", OPTION_REALS, &shares, "A,B", "shares of the CPU that the search goes through", 0,
     1},
    {"disturb", OPTION_INTEGER, &disturb, "0|1", "1: take the CPU's cores away in bursts", 0, 1},
    {0},
};

/* One cut of a matrix. */
struct cut {
    int variant, threads;
    int64_t edge, points, number, cpu_rows;
    const struct hybrid_problem *problem;
    struct hybrid_bench bench;
};

static bool open_cut(struct run *run, void *task)
{
    struct cut *cut = task;
    (void)run;
    hybrid_bench_open(&cut->bench, cut->problem, cut->cpu_rows, cut->threads);
    return true;
}

static void prepare(void *task)
{
    hybrid_bench_prepare(&((struct cut *)task)->bench);
}

static double time_product(void *task)
{
    return hybrid_bench_sample(&((struct cut *)task)->bench);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct cut *cut = task;
    const struct spmv_coo *coo = &cut->problem->coo;
    const struct spmv_hybrid_report report = spmv_hybrid_report(cut->bench.hybrid);
    int64_t halo = report.to_device_elements > report.from_device_elements
                       ? report.to_device_elements
                       : report.from_device_elements;
    *(struct row *)row = (struct row){
        .points = cut->points,
        .rows = coo->rows,
        .edge = cut->edge,
        .threads = cut->threads,
        .disturbed = disturb,
        .cut = cut->number,
        .cpu_rows = cut->cpu_rows,
        .gpu_rows = coo->rows - cut->cpu_rows,
        .cpu_s = report.cpu_s,
        .gpu_s = report.gpu_s,
        .exchange_s = report.exchange_s,
        .gflops = 2e-9 * (double)coo->entries / time_s,
        .halo_bytes = halo * (int64_t)sizeof(double),
    };
}

static long count_errors(struct run *run, void *task)
{
    (void)run;
    return hybrid_bench_errors(&((struct cut *)task)->bench);
}

static void close_cut(void *task)
{
    hybrid_bench_close(&((struct cut *)task)->bench);
}

static const struct comparison comparison = {.task_bytes = TASK(struct cut),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_cut,
                                             .prepare = prepare,
                                             .sample = time_product,
                                             .row = fill_row,
                                             .verify = count_errors,
                                             .close = close_cut};

/* ---- which cuts ---- */

struct cuts {
    struct cut *of;
    size_t count;
};

static bool needs_samples(const struct run *run)
{
    return program_wants_variant(run, LINEAR) || program_wants_variant(run, ITERATIVE) ||
           program_wants_variant(run, HYBRID);
}

static void add(const struct run *run, struct cuts *all, struct cut cut, int variant)
{
    cut.variant = variant;
    if (program_wants_variant(run, variant))
        all->of[all->count++] = cut;
}

static void add_algorithm(const struct run *run, struct cuts *all, struct cut cut, int variant,
                          const struct split_fitted *fitted)
{
    struct spmv_split_models models = fitted->models;
    const int64_t rows = cut.problem->coo.rows;
    cut.points = (int64_t)models.cpu_samples.count;
    models.halo_elements = split_plane_elements((double)rows);
    struct spmv_split split =
        split_by((enum split_algorithm)(variant - LINEAR), &models, &fitted->optimum, rows, !alone);
    if (split.note && program_wants_variant(run, variant))
        program_note(run, "%s, %lld samples, %lld rows: %s", variants[variant].name,
                     (long long)cut.points, (long long)rows, split.note);
    cut.cpu_rows = split.cpu_rows;
    add(run, all, cut, variant);
}

static void add_search(const struct run *run, struct cuts *all, struct cut cut)
{
    const double first = shares.values[0], last = shares.values[1];
    for (cut.number = 0; cut.number < cuts; cut.number++) {
        double share = first + (double)cut.number / (double)(cuts - 1) * (last - first);
        cut.cpu_rows = llround(share * (double)cut.problem->coo.rows);
        add(run, all, cut, EXHAUSTIVE);
    }
}

/* cut: what all cuts of a matrix have in common. */
static void compare_cuts(struct run *run, const struct split_fits *fits, struct cut cut)
{
    size_t count = 2 + 3 * (size_t)fits->count + (exhaustive ? (size_t)cuts : 0);
    struct cuts all = {.of = allocate_or_fail(count, sizeof *all.of)};
    cut.cpu_rows = cut.problem->coo.rows;
    add(run, &all, cut, CPU);
    cut.cpu_rows = 0;
    add(run, &all, cut, GPU);
    for (int i = 0; i < fits->count; i++)
        for (int variant = LINEAR; variant <= HYBRID; variant++)
            add_algorithm(run, &all, cut, variant, &fits->of[i]);
    if (exhaustive)
        add_search(run, &all, cut);
    compare_tasks(run, &comparison, all.of, all.count);
    free(all.of);
}

/* Without models the devices alone and the search are still measured. */
static void waive_algorithms(struct run *run, long thread_count, const char *reason)
{
    program_note(run, "%ld threads: %s", thread_count, reason);
    for (int variant = LINEAR; variant <= HYBRID; variant++)
        if (program_wants_variant(run, variant))
            record_waived(run, variants[variant].name, reason);
}

/* Of each number of threads. */
static struct split_fits *read_fits(struct run *run)
{
    struct split_fits *fits = allocate_or_fail(threads.count, sizeof *fits);
    for (size_t t = 0; needs_samples(run) && t < threads.count; t++) {
        fits[t] = split_fits_read(samples_path, (int)threads.values[t]);
        if (fits[t].count == 0)
            waive_algorithms(run, threads.values[t], fits[t].no_models);
        else if (fits[t].count == 1)
            program_note(run, "%ld threads: no models of every fourth sample: %s",
                         threads.values[t], fits[t].no_coarse);
    }
    return fits;
}

static void run_all(struct run *run)
{
    hybrid_use_all_cores(&threads);
    if (shares.count != 2 || shares.values[0] >= shares.values[1])
        fail("--shares %s: two shares from 0 to 1 are expected, the smaller one first",
             shares.list);
    if (needs_samples(run) && !samples_path)
        fail("--samples FILE is needed: run spmv_samples -o FILE.csv first, or choose "
             "--variants cpu,gpu,exhaustive");
    struct split_fits *fits = read_fits(run);
    struct spmv_disturb *disturber = disturb ? spmv_disturb_start(run->settings.seed) : NULL;
    for (size_t i = 0; i < edges.count; i++) {
        struct hybrid_problem problem;
        hybrid_problem_open(&problem, edges.values[i], run->settings.seed);
        for (size_t t = 0; t < threads.count; t++)
            compare_cuts(run, &fits[t],
                         (struct cut){.threads = (int)threads.values[t],
                                      .edge = edges.values[i],
                                      .problem = &problem});
        hybrid_problem_close(&problem);
    }
    if (disturber)
        spmv_disturb_stop(disturber);
    for (size_t t = 0; t < threads.count; t++)
        split_fits_close(&fits[t]);
    free(fits);
}

const struct program program = {
    .name = "spmv_hybrid",
    .summary = "multiplies on CPU and GPU together, with the rows cut by several algorithms",
    .details =
        "time_s is that of one of many products, x <- A x, of a pde matrix, on the host's clock:\n"
        "exchange of the halo, CPU in CSR and GPU in HLG at the same time. Models as in\n"
        "spmv_split, of all samples and of every fourth. All cuts of a matrix are measured in\n"
        "turn. cpu_s and gpu_s may overlap; the time of a wait for the other side is in neither.\n"
        "Source: Fanfarillo 2016, 3.3 and 3.4.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
