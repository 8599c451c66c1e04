/* coarrays_pricing: a portfolio of Asian options priced by all images, CPU and GPU, that take them
 * dynamically (Fanfarillo 2016, 7.4). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "coarrays/hetero/pricing.h"
#include "coarrays/hetero/pricing_check.h"
#include "coarrays/hetero/pricing_progress.h"
#include "coarrays/hetero/pricing_setting.h"
#include "coarrays/hetero/tasks_progress.h"
#include "common/harness/exit.h"

enum way { MPI_MT, CAF_MT, CAF_MTH, WAYS };
static const struct variant variants[] = {
    {"mpi-mt", "a thread of image 1 answers messages, one option each; all threads of an image on "
               "one option"},
    {"caf-mt", "fetch-and-add of several options on a counter of image 1; all threads of an image "
               "on one option"},
    {"caf-mth", "the same, but the last CPU image has one thread per option and takes --multi "
                "options at once"},
    {0},
};

static struct pricing_wish wish = {.options = 64, .paths = 16384, .steps = 64, .multi = 8};
static const char *progress_list = "none", *per_request_list = "0", *learning_list = "1";
static const struct program_option options[] = {
    {"options", OPTION_INTEGER, &wish.options, "N", "options in the portfolio", 1, 1 << 20},
    {"distinct", OPTION_INTEGER, &wish.distinct, "N",
     "options that differ: a long run repeats them, and each has to be checked once (0: all)", 0,
     1 << 20},
    {"paths", OPTION_INTEGER, &wish.paths, "N", "random paths per option", 2, 0x1p32},
    {"steps", OPTION_INTEGER, &wish.steps, "N", "random values per path, a multiple of 4", 4,
     65536},
    {"threads", OPTION_TEXT, &wish.threads, "LIST",
     "CPU threads of the CPU images in their order, or one number for all (default: each an equal "
     "part of its host's cores)",
     0, 0},
    {"gpu-images", OPTION_INTEGER, &wish.gpu_images, "N",
     "the last N images compute on a GPU, the others on the CPU", 0, 4096},
    {"progress", OPTION_TEXT, &progress_list, "LIST",
     "how MPI gets on while images compute: manual (MPI_Iprobe between options), thread (that "
     "calls MPI_Iprobe without a pause), none",
     0, 0},
    {"per-request", OPTION_TEXT, &per_request_list, "LIST",
     "options per request of the first CPU image, of caf-mt and caf-mth; other images take more or "
     "fewer in the ratio of the throughputs they have alone; 0: learnt",
     0, 0},
    {"learning", OPTION_TEXT, &learning_list, "LIST",
     "learning phases of a run that learns the options per request", 0, 0},
    {"multi", OPTION_INTEGER, &wish.multi, "N",
     "options per request of the last CPU image of caf-mth", 1, 4096},
    {"log", OPTION_TEXT, &wish.log, "FILE",
     "append each priced option to FILE, and do not price again what is there; needs one variant, "
     "one configuration, -n 1 and -w 0",
     0, 0},
    {0},
};

static const struct column columns[] = {
    {"progress", COLUMN_PARAMETER, "manual, thread or none"},
    {"per_request", COLUMN_PARAMETER, "options per request of the first CPU image; 0: learnt"},
    {"options", COLUMN_PARAMETER, "options in the portfolio"},
    {"paths", COLUMN_PARAMETER, "random paths per option"},
    {"images", COLUMN_PARAMETER, "images, CPU and GPU"},
    {"gpu_images", COLUMN_PARAMETER, "images that compute on a GPU"},
    {"threads", COLUMN_PARAMETER, "CPU threads of the CPU images, as given"},
    {"learning_phases", COLUMN_PARAMETER, "learning phases, 0: options per request were given"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"throughput_values", COLUMN_METRIC, "random values per second, of all images"},
    {"idle_s", COLUMN_METRIC, "longest wait for the last image after the last option"},
    {"idle_ratio", COLUMN_METRIC, "idle_s / time_s"},
    {"requests", COLUMN_METRIC, "requests of all images, those that got nothing as well"},
    {"communication_s", COLUMN_METRIC, "in requests and learning, of the image with the most"},
    {"communication_first_s", COLUMN_METRIC, "the same of image 2, the next to the boss"},
    {"communication_last_s", COLUMN_METRIC, "the same of the last image"},
    {"per_request_last", COLUMN_METRIC, "options per request of the last image, as learnt"},
    {"maximum_values", COLUMN_METRIC, "sum of the random values per second of each image alone"},
    {0},
};

/* One run over all options. */
struct sample {
    double wait_s, communication_s, first_communication_s, last_communication_s;
    long requests, last_per_request, errors;
};

/* One way with one configuration. */
struct task {
    enum way way;
    enum pricing_progress progress;
    int per_request, phases;
    const struct pricing_setting *setting;
    struct pricing_job job;
    struct sample *samples; /* warm-up runs as well */
    size_t count, capacity;
};

/* ---- a run ---- */

static void before(void *context)
{
    struct task *task = context;
    pricing_reset(&task->job);
    pricing_progress_start(task->progress);
}

static struct sample combine(const struct pricing_job *job)
{
    struct account {
        struct pricing_account of;
        int per_request;
    } own = {job->account, job->sizes.settled};
    struct account *all = allocate_or_fail((size_t)ranks.count, sizeof *all);
    check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD));
    int last = ranks.count - 1;
    struct sample sample = {.first_communication_s = all[last > 0].of.communication_s,
                            .last_communication_s = all[last].of.communication_s,
                            .last_per_request = all[last].per_request};
    for (int i = 0; i <= last; i++) {
        sample.wait_s = fmax(sample.wait_s, all[i].of.wait_s);
        sample.communication_s = fmax(sample.communication_s, all[i].of.communication_s);
        sample.requests += all[i].of.requests;
    }
    free(all);
    return sample;
}

static void append(struct task *task, struct sample sample)
{
    if (task->count == task->capacity) {
        task->capacity = task->capacity ? 2 * task->capacity : 64;
        task->samples = realloc(task->samples, task->capacity * sizeof sample);
        if (!task->samples)
            fail("no host memory for %zu samples: choose fewer with -n", task->capacity);
    }
    task->samples[task->count++] = sample;
}

static double run_once(void *context)
{
    struct task *task = context;
    const struct pricing_setting *setting = task->setting;
    pricing_run(&task->job);
    pricing_progress_stop();
    struct sample sample = combine(&task->job);
    if (setting->expected)
        sample.errors =
            setting->wrong_prices + pricing_errors(&task->job, setting->is_done, setting->expected);
    append(task, sample);
    return task->job.account.busy_s;
}

/* ---- the configurations ---- */

/* 0: learnt. */
static int fixed_size(const struct pricing_setting *setting, enum way way, int per_request)
{
    if (per_request == 0 || way == MPI_MT)
        return per_request;
    return (int)fmin(fmax(round(per_request * setting->ratio), 1), (double)wish.options);
}

static struct task open_task(const struct pricing_setting *setting, enum way way,
                             enum pricing_progress progress, int per_request, int phases)
{
    struct task task = {.way = way,
                        .progress = progress,
                        .per_request = per_request,
                        .phases = phases,
                        .setting = setting};
    size_t count = (size_t)setting->portfolio.count;
    task.job =
        (struct pricing_job){.portfolio = &setting->portfolio,
                             .device = setting->device,
                             .way = way == MPI_MT ? PRICING_BOSS : PRICING_FETCH_ADD,
                             .list = setting->list,
                             .left = setting->left,
                             .log = setting->log,
                             .sizes = {.options = setting->left,
                                       .fixed = fixed_size(setting, way, per_request),
                                       .many = way == CAF_MTH ? setting->multi : 0,
                                       .phases = phases,
                                       .pace_image = way == CAF_MTH ? setting->multi_image : 1,
                                       .pace = setting->pace}};
    task.job.sums = allocate_or_fail(count, sizeof *task.job.sums);
    task.job.priced = allocate_or_fail(count, sizeof *task.job.priced);
    memcpy(task.job.sums, setting->logged, count * sizeof *task.job.sums);
    pricing_open(&task.job);
    return task;
}

static void close_task(struct task *task)
{
    pricing_close(&task->job);
    free(task->job.sums);
    free(task->job.priced);
    free(task->samples);
}

static void record(struct run *run, const struct task *task, const struct subject *subject)
{
    const struct pricing_setting *setting = task->setting;
    double values = (double)setting->left * (double)wish.paths * (double)wish.steps;
    const struct sample *samples = task->samples + (task->count - subject->count);
    for (size_t k = 0; k < subject->count; k++) {
        const struct sample *s = &samples[k];
        double time_s = subject->times_s[k];
        struct value row[] = {
            text(pricing_progress_names[task->progress]),
            integer(task->per_request),
            integer(wish.options),
            integer(wish.paths),
            integer(ranks.count),
            integer(wish.gpu_images),
            text(setting->threads),
            integer(task->phases),
            integer(setting->nodes),
            real(values / time_s),
            real(s->wait_s),
            real(s->wait_s / time_s),
            integer(s->requests),
            real(s->communication_s),
            real(s->first_communication_s),
            real(s->last_communication_s),
            integer(s->last_per_request),
            real(task->way == CAF_MTH ? setting->maximum_multi : setting->maximum)};
        record_values(run, subject->variant, (int)k, row, time_s, s->errors);
    }
}

/* ---- all tasks ---- */

struct tasks {
    struct task *tasks;
    size_t count;
};

/* Options per request are given, with no learning phase, or learnt, in each number of phases. The
 * boss of mpi-mt hands out one at a time. */
static void add_sizes(struct tasks *tasks, const struct pricing_setting *setting, enum way way,
                      enum pricing_progress progress, const struct numbers *per_request,
                      const struct numbers *learning)
{
    if (way == MPI_MT) {
        tasks->tasks[tasks->count++] = open_task(setting, way, progress, 1, 0);
        return;
    }
    for (size_t k = 0; k < per_request->count; k++) {
        int given = (int)per_request->values[k];
        for (size_t l = 0; l < (given > 0 ? 1 : learning->count); l++)
            tasks->tasks[tasks->count++] =
                open_task(setting, way, progress, given, given > 0 ? 0 : (int)learning->values[l]);
    }
}

struct choices {
    unsigned progress; /* bit per strategy */
    struct numbers per_request, learning;
};

static struct tasks open_tasks(const struct run *run, const struct pricing_setting *setting,
                               const struct choices *choices)
{
    size_t most =
        (size_t)WAYS * PRICING_PROGRESSES * choices->per_request.count * choices->learning.count;
    struct tasks tasks = {.tasks = allocate_or_fail(most, sizeof *tasks.tasks)};
    for (int progress = 0; progress < PRICING_PROGRESSES; progress++)
        for (int way = 0; way < WAYS && choices->progress >> progress & 1; way++)
            if (program_wants(run, variants[way].name))
                add_sizes(&tasks, setting, (enum way)way, (enum pricing_progress)progress,
                          &choices->per_request, &choices->learning);
    return tasks;
}

static void measure_tasks(struct run *run, struct tasks *tasks)
{
    struct subject *subjects = allocate_or_fail(tasks->count, sizeof *subjects);
    for (size_t i = 0; i < tasks->count; i++)
        subjects[i] = (struct subject){.variant = variants[tasks->tasks[i].way].name,
                                       .sample = run_once,
                                       .before = before,
                                       .context = &tasks->tasks[i]};
    measure(run, subjects, tasks->count);
    for (size_t i = 0; i < tasks->count; i++)
        record(run, &tasks->tasks[i], &subjects[i]);
    measure_free(subjects, tasks->count);
    free(subjects);
}

/* A log makes a second run over the same options a run over none. */
static void check_log(const struct run *run, const struct choices *choices)
{
    int wanted = 0, strategies = __builtin_popcount(choices->progress);
    for (int way = 0; way < WAYS; way++)
        wanted += program_wants(run, variants[way].name);
    if (wish.log && (wanted != 1 || strategies != 1 || choices->per_request.count != 1 ||
                     choices->learning.count != 1 || run->settings.iterations != 1 ||
                     run->settings.warmup != 0))
        images_refuse("--log %s is of one run: choose one variant with --variants, one --progress, "
                      "one --per-request, one --learning, -n 1 and -w 0",
                      wish.log);
}

static struct choices read_choices(void)
{
    return (struct choices){
        .progress = lists_choose("progress", progress_list, pricing_progress_names),
        .per_request = lists_numbers("per-request", per_request_list, 0, 1 << 20),
        .learning = lists_numbers("learning", learning_list, 1, 1 << 20)};
}

static void run_all(struct run *run)
{
    if (wish.gpu_images >= ranks.count)
        images_refuse("--gpu-images %lld of %d images: the first must be a CPU image",
                      (long long)wish.gpu_images, ranks.count);
    if (!tasks_threads_may_call_mpi())
        waive("MPI does not allow several threads");
    struct choices choices = read_choices();
    check_log(run, &choices);
    caf_start(NULL, NULL);
    struct pricing_setting setting = pricing_setting_create(run, &wish);
    struct tasks tasks = open_tasks(run, &setting, &choices);
    measure_tasks(run, &tasks);
    for (size_t i = 0; i < tasks.count; i++)
        close_task(&tasks.tasks[i]);
    free(tasks.tasks);
    pricing_setting_destroy(&setting);
    free(choices.per_request.values);
    free(choices.learning.values);
    caf_end();
}

const struct program program = {
    .name = "coarrays_pricing",
    .summary = "prices Asian options by all images, which take them dynamically",
    .details =
        "Start it with mpirun -np IMAGES; the last --gpu-images of them compute on a GPU. time_s\n"
        "is from the common start until the last image has learnt that no option is left. An\n"
        "image whose options per request are learnt first prices 3 options one at a time, then\n"
        "takes as many as last as long as a request of the image that sets the pace: the first\n"
        "(2 options), or in caf-mth the last CPU image (--multi options). Near the end it asks\n"
        "for at most half its share of what is left. Options per request that are given stay as\n"
        "they are. Each option must be priced once, with the same sums bit for bit as by one\n"
        "image, and within 6 standard errors of a reference. A run with --log that is killed goes\n"
        "on when started again, with any number of images.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_all,
};
