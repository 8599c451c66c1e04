/* coarrays_options: Asian options on one device alone (Fanfarillo 2016, 7.4.1 to 7.4.5 and
 * 7.4.9.1). */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "coarrays/bench/portfolio.h"
#include "coarrays/hetero/asian_device.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"

enum { MT_CPU, MO_CPU, MT_GPU, MO_GPU, VARIANTS };
static const struct variant variants[] = {
    {"mt-cpu", "one option after the other, its paths spread over all threads"},
    {"mo-cpu", "one option per thread"},
    {"mt-gpu", "one option after the other, its paths spread over the GPU"},
    {"mo-gpu", "one option per thread block of the GPU"},
    {0},
};

static struct option_numbers counts = {.list = "1,2,4,8,16"}, threads;
static int64_t paths = 65536, steps = 64;
static double longest_s = 60;
static const struct program_option options[] = {
    {"options", OPTION_NUMBERS, &counts, "LIST", "options that are queued, such as 1..4,8", 1,
     1000000},
    {"threads", OPTION_NUMBERS, &threads, "LIST",
     "threads of the variants on the CPU; left out: 1 for each core", 1, 1024},
    {"paths", OPTION_INTEGER, &paths, "N", "random paths per option", 2, 4294967296.0},
    {"steps", OPTION_INTEGER, &steps, "N", "prices per path, a multiple of 4", 4, 65536},
    {"longest", OPTION_REAL, &longest_s, "SECONDS",
     "a variant whose options take longer than this is measured with no more of them", 0, 1e6},
    {0},
};

struct row {
    size_t options;
    int threads;
    int64_t paths, steps;
    double throughput_values, throughput_paths;
    int64_t busy_threads;
    double price_error;
};
static const struct column columns[] = {
    PARAMETER(struct row, options, "options that are queued"),
    PARAMETER(struct row, threads, "threads of the CPU; 0: GPU"),
    PARAMETER(struct row, paths, "random paths per option"),
    PARAMETER(struct row, steps, "prices per path"),
    METRIC(struct row, throughput_values, "random values per second: options * paths * steps / s"),
    METRIC(struct row, throughput_paths, "random paths per second: options * paths / s"),
    METRIC(struct row, busy_threads, "threads that computed paths of some option; GPU: empty"),
    METRIC(struct row, price_error,
           "largest |price - reference| of these options / standard error of both"),
    {0},
};

static struct portfolio portfolio;
static struct asian_device *device; /* NULL: there is none, or no variant needs it */

/* A variant on the GPU, or with a number of threads. */
struct way {
    int variant, threads;
    double time_s; /* the last number of options took; 0: none yet */
    bool too_long;
};
static struct way *ways;
static size_t way_count;

struct pricing {
    int variant;
    size_t count; /* options */
    int threads;
    struct way *way;
    int busy;
    double price_error;
    struct asian_sums *sums;
};

static bool is_on_gpu(int variant)
{
    return variant == MT_GPU || variant == MO_GPU;
}

static bool open_pricing(struct run *run, void *task)
{
    struct pricing *pricing = task;
    (void)run;
    pricing->price_error = NAN;
    pricing->sums = scope_allocate(MEMORY_PAGEABLE, pricing->count * sizeof *pricing->sums);
    return true;
}

static void price(void *task)
{
    struct pricing *pricing = task;
    const struct asian_simulation *simulation = &portfolio.simulation;
    const struct asian_option *queued = portfolio.options;
    switch (pricing->variant) {
    case MT_CPU:
        check_status(asian_host_mt(simulation, queued, pricing->count, pricing->threads,
                                   pricing->sums, &pricing->busy));
        break;
    case MO_CPU:
        pricing->busy =
            asian_host_mo(simulation, queued, pricing->count, pricing->threads, pricing->sums);
        break;
    case MT_GPU:
        check_status(asian_device_mt(device, queued, pricing->count, pricing->sums));
        break;
    default:
        check_status(asian_device_mo(device, queued, pricing->count, pricing->sums));
    }
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct pricing *pricing = task;
    double priced_paths = (double)pricing->count * (double)paths;
    *(struct row *)row =
        (struct row){.options = pricing->count,
                     .threads = pricing->threads,
                     .paths = paths,
                     .steps = steps,
                     .throughput_values = priced_paths * (double)steps / time_s,
                     .throughput_paths = priced_paths / time_s,
                     .busy_threads = is_on_gpu(pricing->variant) ? NO_VALUE : pricing->busy};
}

static long count_wrong(struct run *run, void *task)
{
    struct pricing *pricing = task;
    (void)run;
    return portfolio_count_wrong(&portfolio, pricing->sums, pricing->count, &pricing->price_error);
}

/* The error is known when the prices have been verified. */
static void fill_error(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    const struct pricing *pricing = compared->tasks[task];
    ((struct row *)row)->price_error = pricing->price_error;
    if (repetition == 0)
        pricing->way->time_s = measure_interval(&compared->subjects[task]).median;
}

static const struct comparison comparison = {.task_bytes = TASK(struct pricing),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_pricing,
                                             .operation = price,
                                             .row = fill_row,
                                             .relate = fill_error,
                                             .verify = count_wrong};

static void open_device(struct run *run, const struct asian_simulation *simulation)
{
    int devices = 0;
    if (!program_wants_variant(run, MT_GPU) && !program_wants_variant(run, MO_GPU))
        return;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        for (int variant = MT_GPU; variant <= MO_GPU; variant++)
            if (program_wants_variant(run, variant))
                record_waived(run, variants[variant].name, "no GPU was found");
        return;
    }
    program_choose_device(run);
    check_status(asian_device_open(&device, simulation));
}

static void list_ways(struct run *run)
{
    ways = allocate_or_fail(VARIANTS * threads.count, sizeof *ways);
    for (int variant = 0; variant < VARIANTS; variant++)
        for (size_t t = 0; t < (is_on_gpu(variant) ? (device != NULL) : threads.count); t++)
            if (program_wants_variant(run, variant))
                ways[way_count++] = (struct way){
                    .variant = variant, .threads = is_on_gpu(variant) ? 0 : (int)threads.values[t]};
}

static void leave_out_more(struct run *run, struct way *way, size_t count)
{
    char sentence[256], with[32] = "";
    if (way->time_s <= longest_s || way->too_long)
        return;
    way->too_long = true;
    if (!is_on_gpu(way->variant))
        snprintf(with, sizeof with, " with %d threads", way->threads);
    snprintf(sentence, sizeof sentence,
             "more than %zu options%s are left out, as these take %.2g s, longer than --longest "
             "%.2g",
             count, with, way->time_s, longest_s);
    record_waived(run, variants[way->variant].name, sentence);
}

static void measure_options(struct run *run, size_t count)
{
    struct pricing *tasks = allocate_or_fail(way_count, sizeof *tasks);
    size_t tasks_count = 0;
    for (size_t i = 0; i < way_count; i++)
        if (!ways[i].too_long)
            tasks[tasks_count++] = (struct pricing){.variant = ways[i].variant,
                                                    .count = count,
                                                    .threads = ways[i].threads,
                                                    .way = &ways[i]};
    program_note(run, "%zu options", count);
    if (tasks_count > 0)
        compare_tasks(run, &comparison, tasks, tasks_count);
    for (size_t i = 0; i < way_count; i++)
        leave_out_more(run, &ways[i], count);
    free(tasks);
}

static void run_all(struct run *run)
{
    char cores[16];
    long largest = 0;
    snprintf(cores, sizeof cores, "%d", omp_get_num_procs());
    if (!threads.list)
        threads = option_read_numbers("threads", cores, 1, 1024);
    for (size_t i = 0; i < counts.count; i++)
        largest = counts.values[i] > largest ? counts.values[i] : largest;
    const struct asian_simulation simulation = {
        .seed = run->settings.seed, .paths = paths, .steps = (int)steps};
    check_status(asian_check(&simulation));
    open_device(run, &simulation);
    list_ways(run);
    portfolio = portfolio_make(&simulation, (size_t)largest, run->settings.check);
    for (size_t i = 0; i < counts.count; i++)
        measure_options(run, (size_t)counts.values[i]);
    asian_device_close(device);
    free(ways);
}

const struct program program = {
    .name = "coarrays_options",
    .summary = "prices Asian options by Monte Carlo on one device alone",
    .details =
        "Options on the arithmetic mean of prices that follow geometric Brownian motion. A\n"
        "random value is a normally distributed number, of which each price of a path takes one.\n"
        "time_s is of all queued options. The sums of payoffs must be those that one thread per\n"
        "option computes, bit for bit. The reference is a simulation in double precision with\n"
        "other random numbers and the geometric mean as control variate, and for the geometric\n"
        "mean of the same paths the closed form; a price more than 6 standard errors away counts\n"
        "as an error.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
