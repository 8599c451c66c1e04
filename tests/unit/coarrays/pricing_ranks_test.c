/* Started with mpirun by coarrays_pricing.bats: tasks and options that images take from image 1,
 * with MPI called by the threads that hand them out, compute, and ask for progress. */
#include "coarrays/bench/pricing_check.h"
#include "coarrays/hetero/pricing_progress.h"
#include "coarrays/hetero/tasks.h"
#include "coarrays/hetero/tasks_progress.h"
#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "caf_ranks_test.h"
#include "tests/unit/test_status.h"

static int me, images;

static int32_t sum_of_all(int32_t value)
{
    expect_ok(caf_sum(&value, 1, CAF_INT32, 0));
    return value;
}

/* ---- tasks ---- */

enum { TASKS = 37 };

/* Every task comes to one image, with its input. */
static void take_all(const struct tasks_way *way, size_t words)
{
    uint64_t *input = allocate_or_fail(TASKS * words, sizeof *input);
    uint64_t *own = allocate_or_fail(words, sizeof *own);
    uint64_t seed = words;
    for (size_t i = 0; i < TASKS * words; i++)
        input[i] = random_below(&seed, UINT32_MAX);
    void *state = NULL;
    expect_ok(way->create(&state, TASKS, me == 1 ? input : NULL, words));
    for (int round = 0; round < 3; round++) {
        int32_t taken[TASKS] = {0};
        expect_ok(way->start(state));
        for (;;) {
            int task = TASKS;
            expect_ok(way->next(state, own, &task));
            expect(task < TASKS);
            if (task < 0 || task >= TASKS)
                break;
            expect(memcmp(own, input + (size_t)task * words, words * sizeof *own) == 0);
            taken[task]++;
        }
        expect_ok(way->finish(state));
        expect_ok(caf_sum(taken, TASKS, CAF_INT32, 0));
        for (int task = 0; task < TASKS; task++)
            expect(taken[task] == 1);
    }
    way->destroy(state);
    free(input);
    free(own);
}

static void every_task_is_taken_once(void)
{
    static const size_t words[] = {0, 3, 2000};
    for (int i = 0; i < 3; i++) {
        take_all(&tasks_caf, words[i]);
        take_all(&tasks_mpi, words[i]);
    }
}

/* ---- a counter, and progress of the image that has it ---- */

static uint32_t add(const struct tasks_counter *counter, int32_t value)
{
    uint32_t old = 0;
    expect_ok(tasks_counter_add(counter, value, &old));
    return old;
}

static void add_while_it_computes(bool in_coarray, enum tasks_progress progress)
{
    enum { TIMES = 50 };
    int32_t wrong = 0;
    struct tasks_counter counter, ended;
    expect_ok(tasks_counter_open(&counter, in_coarray));
    expect_ok(tasks_counter_open(&ended, true));
    if (me == 1)
        expect_ok(tasks_progress_start(progress));
    ranks.barrier();
    if (me == 1) {
        expect_ok(tasks_progress_compute(progress, 1e-5, ended.memory, images - 1));
        expect_ok(tasks_progress_stop(progress));
    } else {
        int64_t last = -1;
        for (int i = 0; i < TIMES; i++) {
            int64_t old = add(&counter, 3);
            wrong += old <= last || old % 3 != 0;
            last = old;
        }
        add(&ended, 1);
    }
    ranks.barrier();
    expect(wrong == 0);
    expect(add(&counter, 0) == 3u * TIMES * (unsigned)(images - 1));
    ranks.barrier();
    tasks_counter_close(&ended);
    tasks_counter_close(&counter);
}

static void no_addition_is_lost(void)
{
    for (int progress = 0; progress < TASKS_PROGRESSES; progress++) {
        add_while_it_computes(true, (enum tasks_progress)progress);
        add_while_it_computes(false, (enum tasks_progress)progress);
    }
}

/* ---- pricing ---- */

enum { OPTIONS = 24, DISTINCT = 10 };

/* ThreadSanitizer does not know libgomp's barriers. */
#ifdef __SANITIZE_THREAD__
enum { THREADS = 1 };
#else
enum { THREADS = 2 };
#endif

static struct pricing_portfolio portfolio = {
    .simulation = {.seed = 5, .paths = 2000, .steps = 8}, .count = OPTIONS, .distinct = DISTINCT};
static struct pricing_device device = {.threads = THREADS};
static struct caf_coarray *pace;
static struct asian_sums *expected;
/* Options that are left, so that others must not be priced. */
static int list[OPTIONS];
static bool is_done[OPTIONS];
static int left;

/* The last of several images computes on the GPU. */
static void create_portfolio(void)
{
    portfolio.options = allocate_or_fail(OPTIONS, sizeof *portfolio.options);
    for (uint64_t i = 0; i < OPTIONS; i++)
        portfolio.options[i] = asian_option_of(5, i % DISTINCT);
    for (int i = 0; i < OPTIONS; i++)
        if (!(is_done[i] = i % 7 == 2))
            list[left++] = i;
    if (images > 1 && me == images)
        expect_ok(asian_device_open(&device.gpu, &portfolio.simulation));
    expect_ok(pricing_pace_create(&pace));
    expected = pricing_expected(&portfolio, THREADS);
}

static void free_portfolio(void)
{
    asian_device_close(device.gpu);
    free(portfolio.options);
    free(expected);
    expect_ok(caf_free(pace));
}

static struct pricing_job open_job(enum pricing_way way, int fixed)
{
    struct pricing_job job = {
        .portfolio = &portfolio,
        .device = device,
        .way = way,
        .list = list,
        .left = left,
        .sizes = {.options = left, .fixed = fixed, .phases = !fixed, .pace_image = 1, .pace = pace},
        .sums = allocate_or_fail(OPTIONS, sizeof *job.sums),
        .priced = allocate_or_fail(OPTIONS, sizeof *job.priced)};
    for (int i = 0; i < OPTIONS; i++)
        job.sums[i] = expected[i % DISTINCT];
    expect_ok(pricing_open(&job));
    return job;
}

static void close_job(struct pricing_job *job)
{
    pricing_close(job);
    free(job->sums);
    free(job->priced);
}

static void run_job(struct pricing_job *job, enum pricing_progress progress)
{
    expect_ok(pricing_reset(job));
    expect_ok(pricing_progress_start(progress));
    expect_ok(pricing_run(job));
    expect_ok(pricing_progress_stop());
}

static void every_option_is_priced_once(void)
{
    for (int size = 0; size < 4; size++) {
        enum pricing_way way = size < 3 ? PRICING_FETCH_ADD : PRICING_BOSS;
        struct pricing_job job = open_job(way, size < 3 ? size : 1);
        for (int progress = 0; progress < PRICING_PROGRESSES; progress++) {
            run_job(&job, (enum pricing_progress)progress);
            expect(pricing_errors(&job, is_done, expected) == 0);
            /* Each image is told once that nothing is left. */
            if (way == PRICING_BOSS)
                expect(sum_of_all(job.account.requests) == left + images);
        }
        close_job(&job);
    }
}

/* Large requests of many images bring the counter so far. */
static void a_counter_beyond_31_bits_hands_out_nothing(void)
{
    struct pricing_job job = open_job(PRICING_FETCH_ADD, 1);
    expect_ok(pricing_reset(&job));
    if (me == 1)
        add(&job.counter, INT32_MIN);
    expect_ok(caf_sync_all());
    expect_ok(pricing_run(&job));
    expect(sum_of_all(job.account.requests) == images);
    expect(pricing_errors(&job, is_done, expected) == left);
    run_job(&job, PRICING_NONE);
    expect(pricing_errors(&job, is_done, expected) == 0);
    close_job(&job);
}

static void wrong_prices_are_counted(void)
{
    struct pricing_job job = open_job(PRICING_FETCH_ADD, 1);
    run_job(&job, PRICING_NONE);
    expect(pricing_wrong_prices(&portfolio, expected) == 0);
    int option = list[3];
    if (job.priced[option])
        job.sums[option].arithmetic += 1;
    expect(pricing_errors(&job, is_done, expected) == 1);
    if (me == images)
        job.priced[list[4]]++;
    expect(pricing_errors(&job, is_done, expected) == 2);
    if (me == 1)
        job.priced[2]++; /* is done already */
    expect(pricing_errors(&job, is_done, expected) == 3);
    close_job(&job);
}

/* ---- the log ---- */

static enum dm_status open_log(const char *path)
{
    struct pricing_log *log = NULL;
    struct asian_sums sums[OPTIONS] = {{0}};
    bool done[OPTIONS] = {false};
    enum dm_status status =
        pricing_log_open(&log, path, OPTIONS, &portfolio.simulation, sums, done);
    expect(!log);
    return status;
}

/* Every image gets the same error. What is written to /dev/null is not there afterwards. */
static void a_log_that_cannot_be_used_is_told(void)
{
    expect_error(open_log("/nowhere/log"), DM_FAILED, "the log /nowhere/log cannot be opened: No");
    expect_error(open_log("/dev/full"), DM_FAILED, "the log /dev/full cannot be written: No space");
    expect_error(open_log("/dev/null"), DM_INVALID, "the log /dev/null belongs to other options");
    pricing_log_close(NULL);
}

/* ---- options per request ---- */

static struct pricing_sizes start_sizes(struct pricing_sizes sizes)
{
    sizes.options = 1000;
    sizes.pace = pace;
    sizes.pace_image = 1;
    expect_ok(pricing_sizes_start(&sizes));
    expect_ok(caf_sync_all());
    return sizes;
}

/* Options one at a time, `time_s` each. */
static void price_samples(struct pricing_sizes *sizes, double time_s)
{
    for (int i = 0; i < PRICING_SAMPLES; i++) {
        expect(pricing_sizes_next(sizes) == 1);
        double communication_s = 0;
        expect_ok(pricing_sizes_priced(sizes, 1, time_s, &communication_s));
        expect(communication_s >= 0);
    }
}

/* An image twice as fast as that of the pace takes twice its options, however early it asks. */
static void sizes_match_the_pace(void)
{
    struct pricing_sizes sizes = start_sizes((struct pricing_sizes){.phases = 1});
    if (me > 1)
        price_samples(&sizes, 0.01);
    expect_ok(caf_sync_all());
    if (me == 1) {
        price_samples(&sizes, 0.02);
        expect(pricing_sizes_next(&sizes) == PRICING_PACE_OPTIONS);
    }
    expect_ok(caf_sync_all());
    if (me > 1) {
        expect(pricing_sizes_next(&sizes) == 1);
        double communication_s = 0;
        expect_ok(pricing_sizes_priced(&sizes, 1, 0.01, &communication_s));
        expect(pricing_sizes_next(&sizes) == 2 * PRICING_PACE_OPTIONS);
    }
}

/* Of 12 options that all images took an image had 4: near the end it asks for half its third. */
static void sizes_shrink_near_the_end(void)
{
    struct pricing_sizes sizes = start_sizes((struct pricing_sizes){.many = 4});
    pricing_sizes_taken(&sizes, 100, 4);
    pricing_sizes_taken(&sizes, 112, 4);
    expect(pricing_sizes_next(&sizes) == 4);
    pricing_sizes_taken(&sizes, 970, 4);
    pricing_sizes_taken(&sizes, 982, 4);
    expect(pricing_sizes_next(&sizes) == 14 / 6);
    pricing_sizes_taken(&sizes, 998, 2);
    expect(pricing_sizes_next(&sizes) == 1);
}

static void sizes_that_are_given_stay(void)
{
    struct pricing_sizes sizes = start_sizes((struct pricing_sizes){.fixed = 3});
    for (int first = 0; first < 1000; first += 7) {
        expect(pricing_sizes_next(&sizes) == 3);
        pricing_sizes_taken(&sizes, first, 3);
        double communication_s = 0;
        expect_ok(pricing_sizes_priced(&sizes, 3, 0.01, &communication_s));
        expect(communication_s == 0);
    }
    expect(pricing_sizes_next(&sizes) == 3);
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {
        STEP(every_task_is_taken_once),    STEP(no_addition_is_lost),
        STEP(every_option_is_priced_once), STEP(a_counter_beyond_31_bits_hands_out_nothing),
        STEP(wrong_prices_are_counted),    STEP(a_log_that_cannot_be_used_is_told),
        STEP(sizes_match_the_pace),        STEP(sizes_shrink_near_the_end),
        STEP(sizes_that_are_given_stay),   {0},
    };
    alarm(HANGS_AFTER_S);
    ranks_start(&argc, &argv);
    program_start(NULL, NULL);
    me = caf_this_image();
    images = caf_num_images();
    create_portfolio();
    run_steps(steps);
    free_portfolio();
    int code = me == 1 ? end_tests() : 0;
    expect_ok(caf_end());
    ranks.stop();
    return code;
}
