/* coarrays_pricing: a portfolio of Asian options priced by all images, CPU and GPU, that take them
 * dynamically (Fanfarillo 2016, 7.4). */
#include <stdlib.h>

#include "coarrays/bench/images.h"
#include "coarrays/bench/pricing_check.h"
#include "coarrays/bench/pricing_setting.h"
#include "coarrays/bench/pricing_summary.h"
#include "coarrays/hetero/pricing.h"
#include "coarrays/hetero/pricing_progress.h"
#include "coarrays/hetero/tasks_progress.h"
#include "common/harness/compare.h"

enum { MPI_MT, CAF_MT, CAF_MTH, VARIANTS };
static const struct variant variants[] = {
    {"mpi-mt",
     "a thread of image 1 replies to requests with one option each; all threads of an image on "
     "one option"},
    {"caf-mt", "fetch-and-add of several options on a counter of image 1; all threads of an image "
               "on one option"},
    {"caf-mth", "the same, but the last CPU image has one thread per option and takes --multi "
                "options at once"},
    {0},
};

static struct pricing_wish wish = {.options = 64, .paths = 16384, .steps = 64, .multi = 8};
static struct option_choices progress = {
    .noun = "progress", .names = pricing_progress_names, .list = "none"};
static struct option_numbers per_request = {.list = "0"}, learning = {.list = "1"};
static const struct program_option options[] = {
    {"options", OPTION_INTEGER, &wish.options, "N", "options in the portfolio", 1, 1 << 20},
    {"distinct", OPTION_INTEGER, &wish.distinct, "N",
     "options that differ: a long run repeats them, and each has to be checked once (0: all)", 0,
     1 << 20},
    {"paths", OPTION_INTEGER, &wish.paths, "N", "random paths per option", 2, 0x1p32},
    {"steps", OPTION_INTEGER, &wish.steps, "N", "random values per path, a multiple of 4", 4,
     65536},
    {"threads", OPTION_NUMBERS, &wish.threads, "LIST",
     "CPU threads of the CPU images in their order, or one number for all (default: each an equal "
     "part of its host's cores)",
     1, 1024},
    {"gpu-images", OPTION_INTEGER, &wish.gpu_images, "N",
     "the last N images compute on a GPU, the others on the CPU", 0, 4096},
    {"progress", OPTION_CHOICES, &progress, "LIST",
     "how MPI gets on while images compute: manual (MPI_Iprobe between options), thread (that "
     "calls MPI_Iprobe without a pause), none",
     0, 0},
    {"per-request", OPTION_NUMBERS, &per_request, "LIST",
     "options per request of the first CPU image, of caf-mt and caf-mth; other images take more or "
     "fewer in the ratio of the throughputs they have alone; 0: learnt",
     0, 1 << 20},
    {"learning", OPTION_NUMBERS, &learning, "LIST",
     "learning phases of a run that learns the options per request", 1, 1 << 20},
    {"multi", OPTION_INTEGER, &wish.multi, "N",
     "options per request of the last CPU image of caf-mth", 1, 4096},
    {"log", OPTION_TEXT, &wish.log, "FILE",
     "append each priced option to FILE, and do not price again what is there; needs one variant, "
     "one configuration, -n 1 and -w 0",
     0, 0},
    {0},
};

struct row {
    const char *progress;
    int per_request;
    int64_t options, paths;
    int images;
    int64_t gpu_images;
    const char *threads;
    int learning_phases, nodes;
    double throughput_values, idle_s, idle_ratio;
    int64_t requests;
    double communication_s, communication_first_s, communication_last_s;
    int per_request_last;
    double maximum_values;
};
static const struct column columns[] = {
    PARAMETER(struct row, progress, "manual, thread or none"),
    PARAMETER(struct row, per_request, "options per request of the first CPU image; 0: learnt"),
    PARAMETER(struct row, options, "options in the portfolio"),
    PARAMETER(struct row, paths, "random paths per option"),
    PARAMETER(struct row, images, "images, CPU and GPU"),
    PARAMETER(struct row, gpu_images, "images that compute on a GPU"),
    PARAMETER(struct row, threads, "CPU threads of the CPU images, as given"),
    PARAMETER(struct row, learning_phases, "learning phases, 0: options per request were given"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, throughput_values, "random values per second, of all images"),
    METRIC(struct row, idle_s, "longest wait for the last image after the last option"),
    METRIC(struct row, idle_ratio, "idle_s / time_s"),
    METRIC(struct row, requests, "requests of all images, those that got nothing as well"),
    METRIC(struct row, communication_s, "in requests and learning, of the image with the most"),
    METRIC(struct row, communication_first_s, "the same of image 2, the next to the boss"),
    METRIC(struct row, communication_last_s, "the same of the last image"),
    METRIC(struct row, per_request_last, "options per request of the last image, as learnt"),
    METRIC(struct row, maximum_values, "sum of the random values per second of each image alone"),
    {0},
};

static struct pricing_setting setting;

struct task {
    int variant;
    enum pricing_progress progress;
    int per_request, phases;
    struct pricing_job job;
    struct pricing_summary summary; /* of the last run */
    long errors;                    /* of all runs, those for warm-up included */
};

/* ---- a run ---- */

static void prepare(void *context)
{
    struct task *task = context;
    check_status(pricing_reset(&task->job));
    check_status(pricing_progress_start(task->progress));
}

static double sample(void *context)
{
    struct task *task = context;
    check_status(pricing_run(&task->job));
    check_status(pricing_progress_stop());
    task->summary = pricing_summarize(&task->job);
    if (setting.expected)
        task->errors += pricing_errors(&task->job, setting.is_done, setting.expected);
    return task->job.account.busy_s;
}

static void fill_row(const void *context, double time_s, void *row)
{
    const struct task *task = context;
    const struct pricing_summary *summary = &task->summary;
    double values = (double)setting.left * (double)wish.paths * (double)wish.steps;
    *(struct row *)row = (struct row){
        .progress = pricing_progress_names[task->progress],
        .per_request = task->per_request,
        .options = wish.options,
        .paths = wish.paths,
        .images = ranks.count,
        .gpu_images = wish.gpu_images,
        .threads = setting.threads,
        .learning_phases = task->phases,
        .nodes = images_nodes(),
        .throughput_values = values / time_s,
        .idle_s = summary->wait_s,
        .idle_ratio = summary->wait_s / time_s,
        .requests = summary->requests,
        .communication_s = summary->communication_s,
        .communication_first_s = summary->first_communication_s,
        .communication_last_s = summary->last_communication_s,
        .per_request_last = summary->last_per_request,
        .maximum_values = task->variant == CAF_MTH ? setting.maximum_multi : setting.maximum};
}

static long count_wrong(struct run *run, void *context)
{
    (void)run;
    return setting.wrong_prices + ((const struct task *)context)->errors;
}

/* ---- the configurations ---- */

static bool open_task(struct run *run, void *context)
{
    struct task *task = context;
    (void)run;
    task->job = pricing_setting_job(&setting, task->variant == MPI_MT, task->variant == CAF_MTH,
                                    task->per_request, task->phases);
    check_status(pricing_open(&task->job));
    return true;
}

static void close_task(void *context)
{
    pricing_close(&((struct task *)context)->job);
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_task,
                                             .prepare = prepare,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_task};

/* Options per request are given, with no learning phase, or learnt, in each number of phases. The
 * boss of mpi-mt hands out one at a time. */
static size_t add_sizes(struct task *tasks, struct task task)
{
    size_t count = 0;
    if (task.variant == MPI_MT) {
        task.per_request = 1;
        tasks[0] = task;
        return 1;
    }
    for (size_t k = 0; k < per_request.count; k++) {
        task.per_request = (int)per_request.values[k];
        for (size_t l = 0; l < (task.per_request > 0 ? 1 : learning.count); l++) {
            task.phases = task.per_request > 0 ? 0 : (int)learning.values[l];
            tasks[count++] = task;
        }
    }
    return count;
}

static void measure_all(struct run *run)
{
    size_t count = 0;
    struct task *tasks = allocate_or_fail(
        VARIANTS * progress.count * per_request.count * learning.count, sizeof *tasks);
    for (size_t p = 0; p < progress.count; p++)
        for (int variant = 0; variant < VARIANTS; variant++)
            if (program_wants_variant(run, variant))
                count +=
                    add_sizes(&tasks[count],
                              (struct task){.variant = variant,
                                            .progress = (enum pricing_progress)progress.values[p]});
    compare_tasks(run, &comparison, tasks, count);
    free(tasks);
}

/* A log makes a second run over the same options a run over none. */
static void check_log(const struct run *run)
{
    int wanted = __builtin_popcountl(run->settings.variants & ((1ul << VARIANTS) - 1));
    if (wish.log &&
        (wanted != 1 || progress.count != 1 || per_request.count != 1 || learning.count != 1 ||
         run->settings.iterations != 1 || run->settings.warmup != 0))
        images_refuse(
            "--log %s needs a single run: choose one variant with --variants, one --progress, "
            "one --per-request, one --learning, -n 1 and -w 0",
            wish.log);
}

static void run_all(struct run *run)
{
    if (wish.gpu_images >= ranks.count)
        images_refuse("--gpu-images %lld of %d images: the first must be a CPU image",
                      (long long)wish.gpu_images, ranks.count);
    if (!tasks_threads_may_call_mpi())
        waive("MPI does not allow several threads");
    check_log(run);
    check_status(caf_start(NULL, NULL));
    setting = pricing_setting_create(run, &wish);
    measure_all(run);
    pricing_setting_destroy(&setting);
    check_status(caf_end());
}

const struct program program = {
    .name = "coarrays_pricing",
    .summary = "prices Asian options by all images, which take them dynamically",
    .details =
        "Start it with mpirun -np IMAGES; the last --gpu-images of them compute on a GPU. time_s\n"
        "is from the common start until the last image has learnt that no option is left. An\n"
        "image whose options per request are learnt first prices 3 options one at a time, then\n"
        "takes as many as last as long as a request of the image that sets the pace: the first\n"
        "(2 options), or in caf-mth the last CPU image (--multi options). Near the end it requests\n"
        "at most half its share of what is left. Options per request that are given stay as they\n"
        "are. Each option must be priced once, with the same sums bit for bit as by one image, and\n"
        "within 6 standard errors of a reference. A run with --log that is killed goes on when\n"
        "started again, with any number of images.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
