/* coarrays_options: Asian options on one device alone (Fanfarillo 2016, 7.4.1 to 7.4.5 and
 * 7.4.9.1). */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "coarrays/hetero/asian.h"
#include "coarrays/hetero/asian_device.h"
#include "coarrays/hetero/asian_reference.h"
#include "common/clock.h"
#include "common/harness/option_lists.h"
#include "common/harness/program.h"

enum way { MT_CPU, MO_CPU, MT_GPU, MO_GPU, WAYS };
static const struct variant variants[] = {
    {"mt-cpu", "one option after the other, its paths spread over all threads"},
    {"mo-cpu", "one option per thread"},
    {"mt-gpu", "one option after the other, its paths spread over the GPU"},
    {"mo-gpu", "one option per thread block of the GPU"},
    {0},
};

static const char *option_list = "1,2,4,8,16", *thread_list;
static int64_t paths = 65536, steps = 64;
static const struct program_option options[] = {
    {"options", OPTION_TEXT, &option_list, "LIST", "options that are queued, such as 1..4,8", 0, 0},
    {"threads", OPTION_TEXT, &thread_list, "LIST",
     "threads of the variants on the CPU; left out: 1 for each core", 0, 0},
    {"paths", OPTION_INTEGER, &paths, "N", "random paths per option", 2, 4294967296.0},
    {"steps", OPTION_INTEGER, &steps, "N", "prices per path, a multiple of 4", 4, 65536},
    {0},
};

static const struct column columns[] = {
    {"options", COLUMN_PARAMETER, "options that are queued"},
    {"threads", COLUMN_PARAMETER, "threads of the CPU; 0: GPU"},
    {"paths", COLUMN_PARAMETER, "random paths per option"},
    {"steps", COLUMN_PARAMETER, "prices per path"},
    {"throughput_values", COLUMN_METRIC, "random values per second: options * paths * steps / s"},
    {"throughput_paths", COLUMN_METRIC, "random paths per second: options * paths / s"},
    {"busy_threads", COLUMN_METRIC, "threads that computed paths of some option; GPU: empty"},
    {"price_error", COLUMN_METRIC,
     "largest |price - reference| of these options / standard error of both"},
    {0},
};

/* A price further from the reference is wrong: by chance that happens once in 5 * 10^8 options. */
static const double most_errors = 6;

/* The options with their trusted sums. */
struct portfolio {
    struct asian_simulation simulation;
    size_t count;
    struct asian_option *options;
    struct asian_sums *sums;
    double *price_errors;
};

/* One way with a number of options and threads. */
struct task {
    enum way way;
    const struct portfolio *portfolio;
    size_t count;
    int threads;
    struct asian_device *device;
    int busy;
    struct asian_sums *sums;
};

static bool on_gpu(enum way way)
{
    return way == MT_GPU || way == MO_GPU;
}

static double sample(void *context)
{
    struct task *task = context;
    const struct asian_simulation *simulation = &task->portfolio->simulation;
    const struct asian_option *queued = task->portfolio->options;
    double start_s = clock_now_s();
    switch (task->way) {
    case MT_CPU:
        task->busy = asian_host_mt(simulation, queued, task->count, task->threads, task->sums);
        break;
    case MO_CPU:
        task->busy = asian_host_mo(simulation, queued, task->count, task->threads, task->sums);
        break;
    case MT_GPU:
        asian_device_mt(task->device, queued, task->count, task->sums);
        break;
    default:
        asian_device_mo(task->device, queued, task->count, task->sums);
    }
    return clock_now_s() - start_s;
}

/* ---- what is trusted ---- */

/* Each option is priced by one thread, which does all its paths. */
static struct portfolio make_portfolio(const struct run *run, size_t count)
{
    struct portfolio portfolio = {
        .simulation = {.seed = run->settings.seed, .paths = paths, .steps = (int)steps},
        .count = count,
        .options = allocate_or_fail(count, sizeof(struct asian_option)),
        .sums = allocate_or_fail(count, sizeof(struct asian_sums)),
        .price_errors = allocate_or_fail(count, sizeof(double)),
    };
    for (size_t i = 0; i < count; i++)
        portfolio.options[i] = asian_option_of(run->settings.seed, i);
    if (!run->settings.check)
        return portfolio;
    asian_host_mo(&portfolio.simulation, portfolio.options, count, omp_get_num_procs(),
                  portfolio.sums);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < count; i++)
        portfolio.price_errors[i] =
            asian_reference_error(&portfolio.simulation, &portfolio.options[i], &portfolio.sums[i]);
    return portfolio;
}

static void free_portfolio(struct portfolio *portfolio)
{
    free(portfolio->options);
    free(portfolio->sums);
    free(portfolio->price_errors);
}

/* Options whose sums are not the trusted ones, or whose price is not. */
static long verify(const struct task *task, double *price_error)
{
    long wrong = 0;
    *price_error = 0;
    for (size_t i = 0; i < task->count; i++) {
        double error = task->portfolio->price_errors[i];
        wrong += !asian_equal(&task->sums[i], &task->portfolio->sums[i]) || !(error <= most_errors);
        *price_error = fmax(*price_error, error);
    }
    return wrong;
}

/* ---- one number of options ---- */

static void record(struct run *run, const struct task *task, const struct subject *subject)
{
    double price_error = 0, priced_paths = (double)task->count * (double)paths;
    long wrong = run->settings.check ? verify(task, &price_error) : 0;
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {
            integer((int64_t)task->count),
            integer(task->threads),
            integer(paths),
            integer(steps),
            real(priced_paths * (double)steps / time_s),
            real(priced_paths / time_s),
            on_gpu(task->way) ? none() : integer(task->busy),
            run->settings.check ? real(price_error) : none(),
        };
        record_values(run, subject->variant, (int)i, values, time_s, wrong);
    }
}

static void measure_options(struct run *run, const struct portfolio *portfolio, size_t count,
                            const struct option_numbers *threads, struct asian_device *device)
{
    struct task *tasks = allocate_or_fail(WAYS * threads->count, sizeof *tasks);
    struct subject *subjects = allocate_or_fail(WAYS * threads->count, sizeof *subjects);
    size_t tasks_count = 0;
    for (int way = 0; way < WAYS; way++) {
        if (!program_wants(run, variants[way].name) || (on_gpu(way) && !device))
            continue;
        for (size_t t = 0; t < (on_gpu(way) ? 1 : threads->count); t++) {
            struct task *task = &tasks[tasks_count];
            *task = (struct task){.way = way, .portfolio = portfolio, .count = count};
            task->threads = on_gpu(way) ? 0 : (int)threads->values[t];
            task->device = device;
            task->sums = allocate_or_fail(count, sizeof *task->sums);
            subjects[tasks_count++] =
                (struct subject){.variant = variants[way].name, .sample = sample, .context = task};
        }
    }
    program_note(run, "%zu options", count);
    measure(run, subjects, tasks_count);
    for (size_t i = 0; i < tasks_count; i++) {
        record(run, &tasks[i], &subjects[i]);
        free(tasks[i].sums);
    }
    measure_free(subjects, tasks_count);
    free(subjects);
    free(tasks);
}

/* ---- all ---- */

/* The GPU, or NULL where it is not wanted or there is none. */
static struct asian_device *open_device(struct run *run, const struct asian_simulation *simulation)
{
    int devices = 0;
    bool wanted = program_wants(run, "mt-gpu") || program_wants(run, "mo-gpu");
    if (!wanted)
        return NULL;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        for (int way = MT_GPU; way <= MO_GPU; way++)
            if (program_wants(run, variants[way].name))
                record_waived(run, variants[way].name, "no GPU was found");
        return NULL;
    }
    program_choose_device(run);
    return asian_device_open(simulation);
}

static size_t largest(const struct option_numbers *numbers)
{
    long most = 0;
    for (size_t i = 0; i < numbers->count; i++)
        most = numbers->values[i] > most ? numbers->values[i] : most;
    return (size_t)most;
}

static void run_all(struct run *run)
{
    char cores[16];
    snprintf(cores, sizeof cores, "%d", omp_get_num_procs());
    struct option_numbers counts = option_read_numbers("options", option_list, 1, 1000000);
    struct option_numbers threads =
        option_read_numbers("threads", thread_list ? thread_list : cores, 1, 1024);
    struct asian_simulation simulation = {
        .seed = run->settings.seed, .paths = paths, .steps = (int)steps};
    if (asian_complaint(&simulation))
        fail("--paths %lld --steps %lld: %s", (long long)paths, (long long)steps,
             asian_complaint(&simulation));

    struct asian_device *device = open_device(run, &simulation);
    struct portfolio portfolio = make_portfolio(run, largest(&counts));
    for (size_t i = 0; i < counts.count; i++)
        measure_options(run, &portfolio, (size_t)counts.values[i], &threads, device);
    free_portfolio(&portfolio);
    if (device)
        asian_device_close(device);
    free(counts.values);
    free(threads.values);
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
