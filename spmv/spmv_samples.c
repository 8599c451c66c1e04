/* spmv_samples: the install-time benchmark: products of CPU and GPU by size, and the bus between
 * them. spmv_split and spmv_hybrid make models of what it writes. */
#include <omp.h>
#include <stdlib.h>

#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "spmv/bench/reference.h"
#include "spmv/bench/hybrid_bench.h"
#include "spmv/bench/bus.h"
#include "spmv/bench/disturb.h"

enum { CPU, GPU, BUS_IN, BUS_OUT };
static const struct variant variants[] = {
    [CPU] = {"cpu", "all rows on the CPU, in CSR"},
    [GPU] = {"gpu", "all rows on the GPU, in HLG"},
    [BUS_IN] = {"bus-in", "one plane of the cube from page-locked memory to the device"},
    [BUS_OUT] = {"bus-out", "the same from the device"},
    {0},
};

static const struct column columns[] = {
    {"points", COLUMN_PARAMETER, "sizes that were sampled"},
    {"point", COLUMN_PARAMETER, "which of them, from 0"},
    {"rows", COLUMN_PARAMETER, "rows of the matrix, edge^3"},
    {"edge", COLUMN_PARAMETER, "points along an edge of the cube"},
    {"threads", COLUMN_PARAMETER, "threads of the CPU; 0: it does not compute"},
    {"disturbed", COLUMN_PARAMETER, "1: the CPU's cores are taken away in bursts"},
    {"bytes", COLUMN_PARAMETER, "bytes of a copy, 8 edge^2; 0: not of the bus"},
    {"gflops", COLUMN_METRIC, "2 entries / time_s in 10^9 per s"},
    {"bandwidth_gbs", COLUMN_METRIC,
     "bytes of the product in CSR, or of the copy, / time_s in 10^9 byte/s"},
    {0},
};

static int64_t points = 40, disturb;
static const char *edge_range = "8,64", *threads_list = "0";
static const struct program_option options[] = {
    {"points", OPTION_INTEGER, &points, "N", "sizes, spread evenly over the edges", 2, 1000},
    {"edges", OPTION_TEXT, &edge_range, "A,B", "smallest and largest edge of the cube", 0, 0},
    {"threads", OPTION_TEXT, &threads_list, "LIST", "threads of the CPU; 0: all cores", 0, 0},
    {"disturb", OPTION_INTEGER, &disturb, "0|1", "1: take the CPU's cores away in bursts", 0, 1},
    {0},
};

/* One variant at one size: a subject of measure(). */
struct task {
    int variant, threads;
    struct hybrid_bench bench;
    struct spmv_bus bus;
    struct spmv_disturb *disturb; /* NULL: nobody disturbs */
};

struct point {
    int64_t index, edge;
    struct hybrid_problem problem;
};

static size_t plane_bytes(int64_t edge)
{
    return (size_t)(edge * edge) * sizeof(double);
}

/* ---- tasks ---- */

static void open_task(struct task *task, const struct point *point)
{
    const int64_t rows = point->problem.coo.rows;
    if (task->variant == CPU || task->variant == GPU)
        hybrid_bench_open(&task->bench, &point->problem, task->variant == CPU ? rows : 0,
                          task->variant == CPU ? task->threads : omp_get_max_threads());
    else
        spmv_bus_open(&task->bus, task->variant == BUS_IN, plane_bytes(point->edge));
}

static void close_task(struct task *task)
{
    if (task->variant == CPU || task->variant == GPU)
        hybrid_bench_close(&task->bench);
    else
        spmv_bus_close(&task->bus);
}

static void before(void *context)
{
    struct task *task = context;
    if (task->variant == CPU || task->variant == GPU)
        hybrid_bench_before(&task->bench);
    if (task->disturb)
        spmv_disturb_enable(task->disturb, task->variant == CPU);
}

static double sample(void *context)
{
    struct task *task = context;
    return task->variant == CPU || task->variant == GPU ? hybrid_bench_sample(&task->bench)
                                                        : spmv_bus_time(&task->bus);
}

static long count_errors(struct task *task, uint64_t seed)
{
    return task->variant == CPU || task->variant == GPU ? hybrid_bench_errors(&task->bench)
                                                        : spmv_bus_errors(&task->bus, seed);
}

/* ---- a size ---- */

static void record(struct run *run, const struct point *point, struct task *task,
                   const struct subject *subject)
{
    const struct spmv_coo *coo = &point->problem.coo;
    bool is_bus = task->variant == BUS_IN || task->variant == BUS_OUT;
    size_t copied = is_bus ? plane_bytes(point->edge) : 0;
    double bytes = is_bus ? (double)copied : sparse_product_bytes(coo, sizeof(double));
    long errors = run->settings.check ? count_errors(task, run->settings.seed) : 0;
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {
            integer(points),
            integer(point->index),
            integer(coo->rows),
            integer(point->edge),
            integer(task->threads),
            integer(disturb),
            integer((int64_t)copied),
            is_bus ? none() : real(2e-9 * (double)coo->entries / time_s),
            real(1e-9 * bytes / time_s),
        };
        record_values(run, subject->variant, (int)i, values, time_s, errors);
    }
}

static size_t add_tasks(const struct run *run, struct task *tasks,
                        const struct option_numbers *threads, struct spmv_disturb *disturber)
{
    size_t count = 0;
    for (int variant = CPU; variant <= BUS_OUT; variant++)
        for (size_t t = 0; t < (variant == CPU ? threads->count : 1); t++)
            if (program_wants(run, variants[variant].name))
                tasks[count++] =
                    (struct task){.variant = variant,
                                  .threads = variant == CPU ? (int)threads->values[t] : 0,
                                  .disturb = disturber};
    return count;
}

static void measure_point(struct run *run, const struct point *point,
                          const struct option_numbers *threads, struct spmv_disturb *disturber)
{
    struct task *tasks = allocate_or_fail(threads->count + BUS_OUT, sizeof *tasks);
    struct subject *subjects = allocate_or_fail(threads->count + BUS_OUT, sizeof *subjects);
    size_t count = add_tasks(run, tasks, threads, disturber);
    for (size_t i = 0; i < count; i++) {
        open_task(&tasks[i], point);
        subjects[i] = (struct subject){.variant = variants[tasks[i].variant].name,
                                       .before = before,
                                       .sample = sample,
                                       .context = &tasks[i]};
    }
    measure(run, subjects, count);
    if (disturber)
        spmv_disturb_enable(disturber, false);
    for (size_t i = 0; i < count; i++) {
        record(run, point, &tasks[i], &subjects[i]);
        close_task(&tasks[i]);
    }
    measure_free(subjects, count);
    free(subjects);
    free(tasks);
}

/* ---- all ---- */

/* The edges are different, so that no size is sampled twice. */
static struct option_numbers read_edges(void)
{
    struct option_numbers edges = option_read_numbers("edges", edge_range, 1, 1000);
    if (edges.count != 2 || edges.values[1] - edges.values[0] + 1 < points)
        fail("--edges %s: two edges that have %lld whole numbers between them, themselves included",
             edge_range, (long long)points);
    return edges;
}

static struct option_numbers read_threads(void)
{
    struct option_numbers threads = option_read_numbers("threads", threads_list, 0, 4096);
    for (size_t i = 0; i < threads.count; i++)
        if (threads.values[i] == 0)
            threads.values[i] = omp_get_max_threads();
    return threads;
}

static void run_all(struct run *run)
{
    struct option_numbers edges = read_edges(), threads = read_threads();
    struct spmv_disturb *disturber = disturb ? spmv_disturb_start(run->settings.seed) : NULL;
    if (disturber)
        spmv_disturb_enable(disturber, false);
    for (int64_t i = 0; i < points; i++) {
        int64_t span = edges.values[1] - edges.values[0];
        struct point point = {
            .index = i, .edge = edges.values[0] + (i * span + (points - 1) / 2) / (points - 1)};
        hybrid_problem_open(&point.problem, point.edge, run->settings.seed);
        measure_point(run, &point, &threads, disturber);
        hybrid_problem_close(&point.problem);
    }
    if (disturber)
        spmv_disturb_stop(disturber);
    free(edges.values);
    free(threads.values);
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
