/* tuner_kernel_log_test: kernels that are measured, and the log of trials. */
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "tuner/kernel.h"
#include "tuner/mean.h"

#include "tuner_objective_test.h"

/* ---- kernels ---- */

static void kernels_are_measured(void)
{
    struct tuner_space *space = read_space("values bx 1 8 2048\nvalues by 1 4 1024\n");

    for (size_t k = 0; tunable_kinds[k]; k++) {
        struct kernel *kernel;
        expect_ok(kernel_open(&kernel, space, tunable_kinds[k], "tiny", 3, 7));
        if (!kernel)
            continue;
        struct tuner_objective objective = kernel_objective(kernel);
        for (size_t i = 0; i < tuner_space_size(space); i++) {
            bool possible = tuner_space_value(space, i, 0) * tuner_space_value(space, i, 1) <= 1024;
            struct tuner_trial trial = ask(objective, i);
            expect(trial.outcome == (possible ? TUNER_OK : TUNER_INVALID));
            expect(possible == (trial.time_s > 0.0));
            expect(possible ? trial.spread_s >= 0.0 : trial.spread_s == 0.0);
            expect(trial.cost_s >= (possible ? 3.0 * trial.time_s : 0.0));
        }
        kernel_close(kernel);
    }
    tuner_space_free(space);
}

static void blocks_that_are_no_numbers_of_threads_are_invalid(void)
{
    struct tuner_space *space = read_space("values bx 0 4294967297\nvalues by 1 4294967297\n");
    struct kernel *kernel;

    expect_ok(kernel_open(&kernel, space, &mvt_tunable, "tiny", 1, 1));
    for (size_t i = 0; kernel && i < tuner_space_size(space); i++)
        expect(ask(kernel_objective(kernel), i).outcome == TUNER_INVALID);
    kernel_close(kernel);
    tuner_space_free(space);
}

static void bad_kernels_are_refused(void)
{
    struct tuner_space *blocks = read_space("integer by 1 2\ninteger bx 1 2\n");
    struct tuner_space *other = read_space("integer bx 1 2\n");
    struct tuner_space *reals = read_space("integer by 1 2\nvalues bx 1.0 2.5\n");
    struct kernel *kernel;

    expect_error(kernel_open(&kernel, other, &gemm_tunable, "tiny", 3, 1), DM_INVALID, "bx and by");
    expect_error(kernel_open(&kernel, reals, &gemm_tunable, "tiny", 3, 1), DM_INVALID, "bx and by");
    tuner_space_free(reals);
    expect_error(kernel_open(&kernel, blocks, &gemm_tunable, "huge", 3, 1), DM_INVALID,
                 "unknown data set 'huge'");
    expect_error(kernel_open(&kernel, blocks, &gemm_tunable, "tiny", 0, 1), DM_INVALID, "0 runs");
    expect(!kernel);
    tuner_space_free(blocks);
    tuner_space_free(other);
}

static void the_interval_of_a_mean_is_students(void)
{
    double values[41];
    struct mean mean = mean_of((double[]){1, 2, 3, 4, 5}, 5);

    expect(mean.mean == 3.0);
    expect(fabs(mean.half_width - 2.77645 * sqrt(2.5 / 5.0)) < 1e-4);
    for (int i = 0; i < 41; i++)
        values[i] = i % 2 ? 1.0 : -1.0;
    double variance = (41.0 - 1.0 / 41.0) / 40.0;
    mean = mean_of(values, 41);
    expect(fabs(mean.half_width - 2.02108 * sqrt(variance / 41.0)) < 1e-4);
    mean = mean_of(values, 1);
    expect(mean.mean == -1.0 && mean.half_width == 0.0);
}

/* ---- the log ---- */

static const char log_space[] = "integer a 1 9\ncategory flags -O2,x -O3\n";

static struct tuner_trial random_trial(size_t i)
{
    struct tuner_trial trial = {.outcome = random_below(3, i, TUNER_OUTCOMES), .time_s = NAN};

    trial.cost_s = random_uniform(4, i);
    if (trial.outcome == TUNER_OK) {
        trial.time_s = random_uniform(5, i) * 1e-3;
        trial.spread_s = random_uniform(6, i) / 3.0;
    }
    return trial;
}

static bool same_bits(double left, double right)
{
    return memcmp(&left, &right, sizeof left) == 0;
}

static bool is_same(const struct tuner_trial *left, const struct tuner_trial *right)
{
    return left->outcome == right->outcome && same_bits(left->cost_s, right->cost_s) &&
           same_bits(left->spread_s, right->spread_s) &&
           (same_bits(left->time_s, right->time_s) ||
            (isnan(left->time_s) && isnan(right->time_s)));
}

static const char oracle[] = "a \"b\",\nc";

static struct tuner_log *open_log(const char *path, const struct tuner_space *space)
{
    struct tuner_log *log;

    expect_ok(tuner_log_open(&log, path, space, oracle));
    return log;
}

static struct tuner_log *write_log(const struct tuner_space *space, const char *path)
{
    unlink(path);
    struct tuner_log *log = open_log(path, space);
    expect(log && tuner_log_size(log) == 0 && !tuner_log_was_cut(log));
    for (size_t i = 0; log && i < 10; i++) {
        struct tuner_trial trial = random_trial(i);
        expect_ok(tuner_log_add(log, i, &trial, UINT64_MAX - i, "iterml"));
    }
    return log;
}

static void a_log_is_read_back(void)
{
    struct tuner_space *space = read_space(log_space);
    const char *path = path_of("log.csv");
    struct tuner_trial trial;

    struct tuner_log *log = write_log(space, path), *second;
    expect(tuner_log_size(log) == 0 && !tuner_log_find(log, 0, &trial));
    expect_error(tuner_log_open(&second, path, space, oracle), DM_FAILED, "another tuner writes");
    expect(!second);
    tuner_log_close(log);
    log = open_log(path, space);
    expect(log && tuner_log_size(log) == 10 && !tuner_log_was_cut(log));
    for (size_t i = 0; log && i < tuner_space_size(space); i++) {
        struct tuner_trial written = random_trial(i);
        expect(tuner_log_find(log, i, &trial) == (i < 10));
        expect(i >= 10 || is_same(&trial, &written));
    }
    trial = random_trial(11);
    expect_ok(tuner_log_add(log, 3, &trial, 1, "local")); /* a later trial of it counts */
    tuner_log_close(log);
    log = open_log(path, space);
    struct tuner_trial later = {0};
    expect(log && tuner_log_size(log) == 10 && tuner_log_find(log, 3, &later));
    expect(is_same(&later, &trial));
    tuner_log_close(log);
    struct tuner_replay *replay;
    expect_error(tuner_replay_load(&replay, path, tuner_log_ignored(), NULL, NULL), DM_INVALID,
                 "there are two rows for");
    expect(!replay);
    tuner_space_free(space);
}

static void a_log_can_be_replayed(void)
{
    struct tuner_space *space = read_space(log_space);
    const char *path = path_of("log.csv");
    struct tuner_replay *replay;

    tuner_log_close(write_log(space, path));
    expect_ok(tuner_replay_load(&replay, path, tuner_log_ignored(), NULL, NULL));
    expect(replay && tuner_space_size(tuner_replay_space(replay)) == 10);
    tuner_replay_free(replay);
    tuner_space_free(space);
}

/* A search may find a time of 0; its log can be gone on with. */
static void a_time_of_zero_is_logged(void)
{
    struct tuner_space *space = read_space(log_space);
    struct tuner_trial trial = {.outcome = TUNER_OK}, found = {.time_s = NAN};
    const char *path = path_of("zero.csv");

    struct tuner_log *log = open_log(path, space);
    expect_ok(tuner_log_add(log, 5, &trial, 1, "local"));
    tuner_log_close(log);
    log = open_log(path, space);
    expect(log && tuner_log_find(log, 5, &found) && is_same(&found, &trial));
    tuner_log_close(log);
    tuner_space_free(space);
}

static void a_log_on_a_full_disk_is_an_error(void)
{
    struct tuner_space *space = read_space(log_space);
    struct rlimit before, small = {.rlim_cur = 100};
    struct tuner_trial trial = random_trial(0);
    enum dm_status status = DM_OK;

    struct tuner_log *log = write_log(space, path_of("full.csv"));
    check_errno(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    check_errno(setrlimit(RLIMIT_FSIZE, &small) == 0);
    status = tuner_log_add(log, 1, &trial, 1, "local");
    check_errno(setrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, SIG_DFL);
    expect_error(status, DM_FAILED, "full.csv cannot be written: File too large");
    tuner_log_close(log);
    tuner_space_free(space);
}

/* Wherever it is cut, the whole lines before are there, and it can be gone on with. */
static void a_log_that_is_cut_anywhere_is_read_back(void)
{
    struct tuner_space *space = read_space(log_space);
    const char *path = path_of("log.csv");
    static char bytes[10000];
    struct stat status;

    tuner_log_close(write_log(space, path));
    FILE *in = fopen(path, "re");
    size_t length = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    expect(length > 100 && length < sizeof bytes);
    for (size_t cut = 0; cut < length; cut++) {
        write_bytes("log.csv", bytes, cut);
        struct tuner_log *log = open_log(path, space);
        if (!log)
            break;
        size_t size = tuner_log_size(log);
        struct tuner_trial trial = random_trial(size), found;
        expect_ok(tuner_log_add(log, size, &trial, UINT64_MAX - size, "iterml"));
        tuner_log_close(log);
        check_errno(stat(path, &status) == 0);
        expect((size_t)status.st_size <= length && (size_t)status.st_size > cut - (cut > 0));
        log = open_log(path, space);
        expect(log && tuner_log_size(log) == size + 1 && !tuner_log_was_cut(log));
        expect(log && tuner_log_find(log, size, &found) && is_same(&found, &trial));
        tuner_log_close(log);
    }
    tuner_space_free(space);
}

static void other_logs_are_refused_and_left_alone(void)
{
    static const char header[] = "a,flags,outcome,time_s,spread_s,cost_s,seed,strategy,oracle\n";
    static const struct {
        const char *header, *rows, *expected;
    } logs[] = {
        {"notes without an end", "", "not a log of this space"},
        {"b,flags,outcome,time_s,spread_s,cost_s,seed,strategy,oracle\n", "",
         "not a log of this space"},
        {header, "1,-O3,ok,1,0,1,1,x,other\n", ":2: this is a trial of 'other', not of 'o'"},
        {header, "10,-O3,ok,1,0,1,1,x,o\n", ":2: this configuration is not in the space"},
        {header, "1,-O4,ok,1,0,1,1,x,o\n", "not in the space"},
        {header, "1,-O3,fine,1,0,1,1,x,o\n", ":2: this is not a trial"},
        {header, "1,-O3,ok,,0,1,1,x,o\n", "not a trial"},
        {header, "1,-O3,ok,-1,0,1,1,x,o\n", "not a trial"},
        {header, "1,-O3,failed,1,0,1,1,x,o\n", "not a trial"},
        {header, "1,-O3,ok,1,0,1,1,x\n", "not a trial"},
        {header, "1,-O3,ok,1,0,1,1,x,o\n1\"\n", ":3: this is not a trial"},
    };
    struct tuner_space *space = read_space(log_space);
    struct tuner_log *log;

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char text[300], after[300] = "";
        snprintf(text, sizeof text, "%s%s", logs[i].header, logs[i].rows);
        const char *path = write_text("other.csv", text);
        expect_error(tuner_log_open(&log, path, space, "o"), DM_INVALID, logs[i].expected);
        expect(!log);
        FILE *in = fopen(path, "re");
        expect(fread(after, 1, sizeof after - 1, in) == strlen(text) && !strcmp(text, after));
        fclose(in);
    }
    expect_error(tuner_log_open(&log, "/dev/null", space, "o"), DM_INVALID, "not a regular file");
    expect_error(tuner_log_open(&log, folder, space, "o"), DM_FAILED, "Is a directory");
    expect_error(tuner_log_open(&log, "/nowhere/log.csv", space, "o"), DM_FAILED, "No such file");
    expect(!log);
    tuner_space_free(space);
}

int main(void)
{
    make_folder();
    run_test(kernels_are_measured);
    run_test(blocks_that_are_no_numbers_of_threads_are_invalid);
    run_test(bad_kernels_are_refused);
    run_test(the_interval_of_a_mean_is_students);
    run_test(a_log_is_read_back);
    run_test(a_log_can_be_replayed);
    run_test(a_time_of_zero_is_logged);
    run_test(a_log_on_a_full_disk_is_an_error);
    run_test(a_log_that_is_cut_anywhere_is_read_back);
    run_test(other_logs_are_refused_and_left_alone);
    remove_folder();
    return end_tests();
}
