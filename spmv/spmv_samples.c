/* spmv_samples: the install-time benchmark: products of CPU and GPU by size, and the bus between
 * them. spmv_split and spmv_hybrid make models of what it writes. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "spmv/bench/bus.h"
#include "spmv/bench/disturb.h"
#include "spmv/bench/hybrid_bench.h"
#include "spmv/bench/reference.h"

enum { CPU, GPU, BUS_IN, BUS_OUT };
static const struct variant variants[] = {
    [CPU] = {"cpu", "all rows on the CPU, in CSR"},
    [GPU] = {"gpu", "all rows on the GPU, in HLG"},
    [BUS_IN] = {"bus-in", "one plane of the cube from page-locked memory to the device"},
    [BUS_OUT] = {"bus-out", "the same from the device"},
    {0},
};

struct row {
    int64_t points, point, rows, edge;
    int threads;
    int64_t disturbed;
    size_t bytes;
    double gflops, bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, points, "sizes that were sampled"),
    PARAMETER(struct row, point, "which of them, from 0"),
    PARAMETER(struct row, rows, "rows of the matrix, edge^3"),
    PARAMETER(struct row, edge, "points along an edge of the cube"),
    PARAMETER(struct row, threads, "threads of the CPU; 0: it does not compute"),
    PARAMETER(struct row, disturbed, "1: the CPU's cores are taken away in bursts"),
    PARAMETER(struct row, bytes, "bytes of a copy, 8 edge^2; 0: not of the bus"),
    METRIC(struct row, gflops, "2 entries / time_s in 10^9 per s"),
    METRIC(struct row, bandwidth_gbs,
           "bytes of the product in CSR, or of the copy, / time_s in 10^9 byte/s"),
    {0},
};

static int64_t points = 40, disturb;
static struct option_numbers edges = {.list = "8,64"}, threads = {.list = "0"};
static const struct program_option options[] = {
    {"points", OPTION_INTEGER, &points, "N", "sizes, spread evenly over the edges", 2, 1000},
    {"edges", OPTION_NUMBERS, &edges, "A,B", "smallest and largest edge of the cube", 1, 1000},
    {"threads", OPTION_NUMBERS, &threads, "LIST", "threads of the CPU; 0: all cores", 0, 4096},
    {"disturb", OPTION_INTEGER, &disturb, "0|1", "1: take the CPU's cores away in bursts", 0, 1},
    {0},
};

struct point {
    int64_t index, edge;
    struct hybrid_problem problem;
    struct spmv_disturb *disturber; /* NULL: nobody disturbs */
};

/* One variant at one size. */
struct part {
    int variant, threads;
    const struct point *point;
    struct hybrid_bench bench;
    struct spmv_bus bus;
};

static bool is_bus(const struct part *part)
{
    return part->variant == BUS_IN || part->variant == BUS_OUT;
}

static size_t copied_bytes(const struct part *part)
{
    return is_bus(part) ? (size_t)(part->point->edge * part->point->edge) * sizeof(double) : 0;
}

static bool open_part(struct run *run, void *task)
{
    struct part *part = task;
    const struct hybrid_problem *problem = &part->point->problem;
    (void)run;
    if (is_bus(part))
        spmv_bus_open(&part->bus, part->variant == BUS_IN, copied_bytes(part));
    else if (part->variant == CPU)
        hybrid_bench_open(&part->bench, problem, problem->coo.rows, part->threads);
    else
        hybrid_bench_open(&part->bench, problem, 0, omp_get_max_threads());
    return true;
}

static void disturb_while(const struct part *part, bool is_wanted)
{
    if (part->point->disturber)
        spmv_disturb_enable(part->point->disturber, is_wanted);
}

static void prepare(void *task)
{
    struct part *part = task;
    if (!is_bus(part))
        hybrid_bench_prepare(&part->bench);
    disturb_while(part, part->variant == CPU);
}

static double time_part(void *task)
{
    struct part *part = task;
    return is_bus(part) ? spmv_bus_time(&part->bus) : hybrid_bench_sample(&part->bench);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct part *part = task;
    const struct spmv_coo *coo = &part->point->problem.coo;
    double bytes =
        is_bus(part) ? (double)copied_bytes(part) : sparse_product_bytes(coo, sizeof(double));
    *(struct row *)row = (struct row){
        .points = points,
        .point = part->point->index,
        .rows = coo->rows,
        .edge = part->point->edge,
        .threads = part->threads,
        .disturbed = disturb,
        .bytes = copied_bytes(part),
        .gflops = is_bus(part) ? (double)NAN : 2e-9 * (double)coo->entries / time_s,
        .bandwidth_gbs = 1e-9 * bytes / time_s,
    };
}

static long count_errors(struct run *run, void *task)
{
    struct part *part = task;
    disturb_while(part, false);
    return is_bus(part) ? spmv_bus_errors(&part->bus, run->settings.seed)
                        : hybrid_bench_errors(&part->bench);
}

static void close_part(void *task)
{
    struct part *part = task;
    disturb_while(part, false);
    if (is_bus(part))
        spmv_bus_close(&part->bus);
    else
        hybrid_bench_close(&part->bench);
}

static const struct comparison comparison = {.task_bytes = TASK(struct part),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_part,
                                             .prepare = prepare,
                                             .sample = time_part,
                                             .row = fill_row,
                                             .verify = count_errors,
                                             .close = close_part};

static void compare_point(struct run *run, const struct point *point)
{
    struct part *parts = allocate_or_fail(threads.count + BUS_OUT, sizeof *parts);
    size_t count = 0;
    for (int variant = CPU; variant <= BUS_OUT; variant++)
        for (size_t t = 0; t < (variant == CPU ? threads.count : 1); t++)
            if (program_wants_variant(run, variant))
                parts[count++] =
                    (struct part){.variant = variant,
                                  .threads = variant == CPU ? (int)threads.values[t] : 0,
                                  .point = point};
    compare_tasks(run, &comparison, parts, count);
    free(parts);
}

static void run_all(struct run *run)
{
    /* The edges are different, so that no size is sampled twice. */
    if (edges.count != 2 || edges.values[1] - edges.values[0] + 1 < points)
        fail("--edges %s: two edges that have %lld whole numbers between them, themselves included",
             edges.list, (long long)points);
    hybrid_use_all_cores(&threads);
    struct spmv_disturb *disturber = disturb ? spmv_disturb_start(run->settings.seed) : NULL;
    if (disturber)
        spmv_disturb_enable(disturber, false);
    for (int64_t i = 0; i < points; i++) {
        int64_t span = edges.values[1] - edges.values[0];
        struct point point = {.index = i,
                              .edge =
                                  edges.values[0] + (i * span + (points - 1) / 2) / (points - 1),
                              .disturber = disturber};
        hybrid_problem_open(&point.problem, point.edge, run->settings.seed);
        compare_point(run, &point);
        hybrid_problem_close(&point.problem);
    }
    if (disturber)
        spmv_disturb_stop(disturber);
}

const struct program program = {
    .name = "spmv_samples",
    .summary = "samples the time of products by rows, on the CPU and on the GPU, and of the bus",
    .details =
        "time_s is that of one of many products, x <- A x, of a pde matrix, on the host's clock;\n"
        "of the bus that of one of many copies, by events. With --disturb 1 threads take the\n"
        "cores away in bursts while the CPU is sampled; GPU and bus are sampled undisturbed.\n"
        "Source: Fanfarillo 2016, 3.3.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
