/* tuner_oracle_test: replayed tables, commands, kernels, and the log of trials. */
#include "clock.h"
#include "random.h"
#include "status.h"
#include "test.h"
#include "tuner_command_output.h"
#include "tuner_command_text.h"
#include "tuner_csv.h"
#include "tuner_log.h"
#include "tuner_mean.h"
#include "tuner_oracle.h"
#include "workloads/tunable.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

static char folder[64];
static const char *complaint;

/* A path in the test's folder, valid until the fourth call from here. */
static const char *path_of(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static const char *write_bytes(const char *name, const char *bytes, size_t count)
{
    const char *path = path_of(name);
    FILE *out = fopen(path, "we");

    check_errno(out);
    check_errno(fwrite(bytes, 1, count, out) == count);
    check_errno(fclose(out) == 0);
    return path;
}

static const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

static struct tuner_trial ask(struct tuner_oracle oracle, size_t configuration)
{
    return oracle.measure(oracle.context, configuration);
}

static struct tuner_space *read_space(const char *text)
{
    struct tuner_space *space = tuner_space_read(text, strlen(text), "space", &complaint);

    if (!space)
        fail("%s", complaint);
    return space;
}

/* The configuration of two parameters with these indices. */
static size_t configuration_of(const struct tuner_space *space, size_t first, size_t second)
{
    size_t configuration = 0;

    expect(tuner_space_find(space, (size_t[]){first, second}, &configuration));
    return configuration;
}

/* ---- replayed tables ---- */

static const char table[] = "flags,bx,note,time_s\r\n"
                            "-O3,16,x,0.25\r\n"
                            "\"a \"\"b\"\", c\",8,\"two\nlines\",1e-3\n"
                            "-O3,8,,\n"
                            "\"a \"\"b\"\", c\",-2,,nan\n";

static void check_table(const char *path)
{
    const char *const ignored[] = {"note", "not there", NULL};
    struct tuner_replay *replay = tuner_replay_load(path, ignored, NULL, NULL, &complaint);

    expect(replay != NULL);
    if (!replay)
        return;
    const struct tuner_space *space = tuner_replay_space(replay);
    struct tuner_oracle oracle = tuner_replay_oracle(replay);
    expect(tuner_space_size(space) == 4 && tuner_space_dimensions(space) == 2);
    expect(tuner_replay_valid(replay) == 2);
    expect(tuner_replay_best_s(replay) == 1e-3);
    const struct tuner_parameter *flags = tuner_space_parameter(space, 0);
    expect(flags->kind == TUNER_CATEGORY && flags->count == 2);
    expect(strcmp(flags->words[0], "-O3") == 0 && strcmp(flags->words[1], "a \"b\", c") == 0);
    const struct tuner_parameter *block = tuner_space_parameter(space, 1);
    expect(block->kind == TUNER_INTEGER && block->count == 3);
    expect(block->values[0] == -2 && block->values[1] == 8 && block->values[2] == 16);
    struct tuner_trial trial = ask(oracle, configuration_of(space, 0, 2));
    expect(trial.outcome == TUNER_OK && trial.time_s == 0.25 && trial.cost_s == 0.25);
    expect(trial.spread_s == 0.0);
    trial = ask(oracle, configuration_of(space, 0, 1));
    expect(trial.outcome == TUNER_INVALID && isnan(trial.time_s) && trial.cost_s == 0.0);
    expect(ask(oracle, configuration_of(space, 1, 0)).outcome == TUNER_INVALID);
    expect(ask(oracle, configuration_of(space, 1, 1)).time_s == 1e-3);
    tuner_replay_free(replay);
}

static void a_table_is_replayed(void)
{
    check_table(write_text("table.csv", table));
}

static void a_compressed_table_is_replayed(void)
{
    const char *path = path_of("table.csv.gz");
    gzFile out = gzopen(path, "wb");

    expect(gzwrite(out, table, sizeof table - 1) == sizeof table - 1);
    expect(gzclose(out) == Z_OK);
    check_table(path);
}

static void a_compressed_table_that_is_cut_off_is_refused(void)
{
    const char *path = path_of("cut.csv.gz");
    gzFile out = gzopen(path, "wb");
    struct stat status;

    for (int i = 0; i < 1000; i++)
        gzprintf(out, "%s%d,%d\n", i ? "" : "bx,time_s\n", i, i + 1);
    expect(gzclose(out) == Z_OK);
    check_errno(stat(path, &status) == 0);
    for (off_t length = status.st_size - 1; length > 30; length -= 97) {
        check_errno(truncate(path, length) == 0);
        expect(tuner_replay_load(path, NULL, NULL, NULL, &complaint) == NULL);
        expect(strstr(complaint, "ends within compressed data"));
    }
}

static void bad_tables_are_refused_with_their_line(void)
{
    static const struct {
        const char *text, *expected;
    } tables[] = {
        {"", "no header"},
        {"bx,time_s", "no header"},
        {"bx,time\n1,2\n", "no column time_s"},
        {"time_s\n1\n", "no column of a parameter"},
        {"bx,bx,time_s\n1,1,2\n", "two columns bx"},
        {"bx,,time_s\n1,1,2\n", "column 2"},
        {"bx,time_s\n", "no rows"},
        {"bx,time_s\n1,2\n2\n", ":3: 1 cells, the header has 2"},
        {"bx,time_s\n1,2\n2,1,3\n", ":3: 3 cells"},
        {"bx,time_s\n1,2\n\n", ":3: 1 cells"},
        {"bx,time_s\n\"1\n1\",2\n2,x\n", ":4: the time x is no number"},
        {"bx,time_s\n1,0x1\n", "no number"},
        {"bx,time_s\n1,1e400\n", "no number"},
        {"bx,time_s\n1, 1\n", "no number"},
        {"bx,time_s\n1,inf\n", "no number"},
        {"bx,time_s\n1,-1\n", ":2: the time -1 is not above 0"},
        {"bx,time_s\n1,0\n", "not above 0"},
        {"bx,time_s\n,1\n", ":2: the parameter bx has no value"},
        {"bx,time_s\n1,2\n1,3\n", "table.csv: "},
        {"bx,time_s\n1,\n2,nan\n", "no row with a time"},
        {"bx,time_s\n1,2\n2,3", ":3: the last line is cut off"},
        {"bx,time_s\n1,2\n\"2,3\n", ":3: the last line is cut off"},
        {"bx,time_s\n1,2\n\"2\"x,3\n", ":3: quotes"},
        {"bx,time_s\n1,2\n2\",3\n", ":3: quotes"},
    };

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *path = write_text("table.csv", tables[i].text);
        struct tuner_replay *replay = tuner_replay_load(path, NULL, NULL, NULL, &complaint);
        expect(replay == NULL);
        if (replay || !strstr(complaint, tables[i].expected))
            printf("# %s gave: %s\n", tables[i].text, replay ? "a table" : complaint);
        expect(!replay && strstr(complaint, tables[i].expected));
    }
}

static void what_is_no_table_is_refused(void)
{
    static const char zero[] = "bx,time_s\n1,\0\n";

    expect(!tuner_replay_load(path_of("none"), NULL, NULL, NULL, &complaint));
    expect(strstr(complaint, "No such file"));
    expect(!tuner_replay_load(folder, NULL, NULL, NULL, &complaint));
    expect(strstr(complaint, "irectory"));
    const char *path = write_bytes("zero.csv", zero, sizeof zero - 1);
    expect(!tuner_replay_load(path, NULL, NULL, NULL, &complaint));
    expect(strstr(complaint, "is no text"));
}

static void columns_that_are_too_much_are_refused(void)
{
    char text[2000] = "", *at = text;

    for (int i = 0; i <= TUNER_PARAMETERS; i++)
        at += sprintf(at, "p%d,", i);
    at += sprintf(at, "time_s\n");
    expect(!tuner_replay_load(write_text("many.csv", text), NULL, NULL, NULL, &complaint));
    expect(strstr(complaint, "more than 16 columns"));
    at = text + sprintf(text, "p,time_s\n");
    for (int i = 0; i <= TUNER_CATEGORIES; i++)
        at += sprintf(at, "w%d,1\n", i);
    expect(!tuner_replay_load(write_text("words.csv", text), NULL, NULL, NULL, &complaint));
    expect(strstr(complaint, "64 words"));
    sprintf(text, "p,time_s\n%064d-,1\n", 1);
    expect(!tuner_replay_load(write_text("long.csv", text), NULL, NULL, NULL, &complaint));
    expect(strstr(complaint, "longer than 63 bytes"));
    sprintf(text, "p,time_s\n9223372036854775808,1\n5,2\n"); /* beyond int64: a word */
    struct tuner_replay *replay =
        tuner_replay_load(write_text("large.csv", text), NULL, NULL, NULL, &complaint);
    expect(replay && tuner_space_parameter(tuner_replay_space(replay), 0)->kind == TUNER_CATEGORY);
    tuner_replay_free(replay);
}

/* A table as tuner_sweep writes it, of two kernels. */
static void write_sweep(const char *path, int side)
{
    FILE *out = fopen(path, "we");

    check_errno(out);
    fprintf(out, "experiment,variant,gpu,host,rank,ranks,gpus,rep,size,block_x,block_y,outcome,"
                 "rate_gflops,spread_s,time_s,errors,status\n");
    for (int kernel = 0; kernel < 2; kernel++)
        for (int y = side; y > 0; y--)
            for (int x = 1; x <= side; x++)
                fprintf(out, "sweep,%s,soft,here,0,1,1,0,64,%d,%d,ok,1,0,%.9g,0,pass\n",
                        kernel ? "gemm" : "mvt", x, y, 1e-6 * (kernel * 5000000 + 1000 * x + y));
    check_errno(fclose(out) == 0);
}

static void one_kernel_of_a_sweep_is_replayed(void)
{
    enum { SIDE = 90 };
    const char *path = path_of("sweep.csv");

    write_sweep(path, SIDE);
    double start_s = clock_now_s();
    struct tuner_replay *replay =
        tuner_replay_load(path, tuner_replay_sweep_ignored, "variant", "gemm", &complaint);
    expect(clock_now_s() - start_s < 5.0);
    expect(replay != NULL);
    if (!replay)
        return;
    const struct tuner_space *space = tuner_replay_space(replay);
    expect(tuner_space_size(space) == SIDE * SIDE && tuner_space_dimensions(space) == 2);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        double x = (double)tuner_space_value(space, i, 0);
        double y = (double)tuner_space_value(space, i, 1);
        double time_s = ask(tuner_replay_oracle(replay), i).time_s;
        expect(fabs(time_s - 1e-6 * (5000000 + 1000 * x + y)) < 1e-7);
    }
    tuner_replay_free(replay);
    expect(!tuner_replay_load(path, tuner_replay_sweep_ignored, "variant", "syrk", &complaint));
    expect(strstr(complaint, "no rows with the value syrk"));
    expect(!tuner_replay_load(path, tuner_replay_sweep_ignored, "kernel", "syrk", &complaint));
    expect(strstr(complaint, "no column kernel"));
}

static void more_than_a_million_rows_are_refused(void)
{
    const char *path = path_of("rows.csv");
    FILE *out = fopen(path, "we");

    check_errno(out);
    fprintf(out, "a,b,time_s\n");
    for (int i = 0; i <= 1000000; i++)
        fprintf(out, "%d,%d,1\n", i / 1001, i % 1001);
    check_errno(fclose(out) == 0);
    expect(!tuner_replay_load(path, NULL, NULL, NULL, &complaint));
    expect(strstr(complaint, "more than 1000000 rows"));
}

/* ---- commands ---- */

static const char space_text[] = "integer a 1 3\ncategory flags -O2 {x}\n";

static void parameters_stand_in_a_command(void)
{
    struct tuner_space *space = read_space(space_text);
    size_t configuration = configuration_of(space, 2, 1);
    char *text =
        tuner_command_text(space, "run {a}{a} {{{flags}}} '}}'", configuration, &complaint);

    expect(text && strcmp(text, "run 33 {{x}} '}'") == 0);
    free(text);
    text = tuner_command_text(space, "", 0, &complaint);
    expect(text && !*text);
    free(text);
    tuner_space_free(space);
}

static void braces_without_sense_are_refused(void)
{
    static const char *const commands[][2] = {
        {"{b}", "{b}"},      {"{}", "{}"},     {"{a", "{ without"},   {"{a{a}", "{ without"},
        {"a}", "} without"}, {"{ a}", "{ a}"}, {"{a}}", "} without"},
    };
    struct tuner_space *space = read_space(space_text);

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct tuner_command_options options = {commands[i][0], 1, 1.0, NULL, false};
        expect(!tuner_command_open(space, &options, &complaint));
        expect(strstr(complaint, commands[i][1]));
    }
    char name[200];
    snprintf(name, sizeof name, "{%0150d}", 1);
    expect(!tuner_command_text(space, name, 0, &complaint));
    expect(strstr(complaint, "no parameter"));
    tuner_space_free(space);
}

static void options_of_commands_without_sense_are_refused(void)
{
    struct tuner_space *space = read_space(space_text);
    const struct tuner_command_options options[] = {{"true", 0, 1.0, NULL, false},
                                                    {"true", 1, 0.0, NULL, false},
                                                    {"true", 1, NAN, NULL, false},
                                                    {" \t", 1, 1.0, NULL, false}};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        complaint = "";
        expect(!tuner_command_open(space, &options[i], &complaint));
        expect(*complaint);
    }
    tuner_space_free(space);
}

static double time_in(const char *text)
{
    struct tuner_command_output output = {.prefix = "t:"};
    double time_s;

    tuner_command_output_take(&output, text, strlen(text));
    return tuner_command_output_time(&output, &time_s) ? time_s : 0.0;
}

static void the_time_is_found_in_the_output(void)
{
    expect(time_in("t: 1.5\n") == 1.5);
    expect(time_in("t:1.5e-3") == 1.5e-3);
    expect(time_in("x\nt: took .5s, 3 times\ny") == 0.5);
    expect(time_in("t:a1 -b information 7 s\n") == 7.0);
    expect(time_in("t: 1\nt: 2\n") == 2.0);
    expect(time_in("t: 1\nt: none\n") == 0.0);
    expect(time_in(" t: 1\n") == 0.0);
    expect(time_in("t: 3ms\n") == 0.0);
    expect(time_in("t: 3se\n") == 0.0);
    expect(time_in("t: nan 3\n") == 0.0);
    expect(time_in("t: inf\n") == 0.0);
    expect(time_in("t: 1e999\n") == 0.0);
    expect(time_in("t: -1\n") == 0.0);
    expect(time_in("t: 0\n") == 0.0);
    expect(time_in("t:\n1\n") == 0.0);
    expect(time_in("") == 0.0);
}

static void a_long_line_is_no_problem(void)
{
    struct tuner_command_output output = {.prefix = "t:"};
    double time_s;

    tuner_command_output_take(&output, "t: 4 ", 5);
    for (int i = 0; i < 100000; i++)
        tuner_command_output_take(&output, "9", 1);
    tuner_command_output_take(&output, "\nt", 2);
    expect(tuner_command_output_time(&output, &time_s) && time_s == 4.0);
}

struct command_test {
    struct tuner_space *space;
    struct tuner_command *command;
};

static struct command_test open_command(const char *text, int runs, double limit_s,
                                        const char *pattern)
{
    struct tuner_command_options options = {text, runs, limit_s, pattern, false};
    struct command_test test = {.space = read_space("integer a 0 3\n")};

    test.command = tuner_command_open(test.space, &options, &complaint);
    if (!test.command)
        fail("%s", complaint);
    return test;
}

static struct tuner_trial try_command(const struct command_test *test, size_t configuration)
{
    return ask(tuner_command_oracle(test->command), configuration);
}

static void close_command(struct command_test *test)
{
    tuner_command_close(test->command);
    tuner_space_free(test->space);
}

static void a_commands_wall_time_counts(void)
{
    struct command_test test = open_command("sleep 0.1; echo noise; echo noise >&2", 2, 5, NULL);
    struct tuner_trial trial = try_command(&test, 0);

    expect(trial.outcome == TUNER_OK);
    expect(trial.time_s >= 0.1 && trial.time_s < 2.0);
    expect(trial.cost_s >= 2 * 0.1 && trial.cost_s < 4.0);
    close_command(&test);
}

static void outcomes_of_commands_are_told_apart(void)
{
    struct command_test test = open_command(
        "case {a} in 0) echo 't: 2';; 1) echo 't: 2'; exit 3;; 2) kill -SEGV $$;; esac", 1, 10,
        "t:");

    expect(tuner_command_failure(test.command)[0] == '\0');
    struct tuner_trial trial = try_command(&test, 0);
    expect(trial.outcome == TUNER_OK && trial.time_s == 2.0 && trial.spread_s == 0.0);
    expect(trial.cost_s > 0.0 && trial.cost_s < 2.0);
    trial = try_command(&test, 1);
    expect(trial.outcome == TUNER_FAILED && isnan(trial.time_s) && trial.cost_s > 0.0);
    expect(strstr(tuner_command_failure(test.command), "exit code 3"));
    expect(try_command(&test, 2).outcome == TUNER_FAILED);
    expect(strstr(tuner_command_failure(test.command), "signal 11"));
    expect(try_command(&test, 3).outcome == TUNER_FAILED);
    expect(strstr(tuner_command_failure(test.command), "no line that begins with t:"));
    close_command(&test);
}

/* Each run takes the next line of a file. */
static void the_median_of_the_runs_counts(void)
{
    char text[600];
    const char *path = write_text("times", "t: 5\nt: 1\nt: 4\n");

    snprintf(text, sizeof text, "head -n 1 %s; sed -i 1d %s", path, path);
    struct command_test test = open_command(text, 3, 10, "t:");
    struct tuner_trial trial = try_command(&test, 0);
    expect(trial.outcome == TUNER_OK && trial.time_s == 4.0 && trial.spread_s == 2.0);
    write_text("times", "t: 5\nx\nt: 4\n"); /* the second run fails: there is no third */
    expect(try_command(&test, 0).outcome == TUNER_FAILED);
    struct stat status;
    expect(stat(path, &status) == 0 && status.st_size == 5);
    close_command(&test);
}

/* What the shell started touches a file later, unless it was killed. */
static void check_hanging(const char *start)
{
    char text[600];
    const char *path = path_of("alive");

    snprintf(text, sizeof text, start, path);
    struct command_test test = open_command(text, 1, 0.2, NULL);
    struct tuner_trial trial = try_command(&test, 0);
    expect(trial.outcome == TUNER_HANGING && isnan(trial.time_s));
    expect(trial.cost_s >= 0.2 && trial.cost_s < 3.0);
    close_command(&test);
    usleep(700000);
    expect(access(path, F_OK) != 0);
    unlink(path);
}

static void a_hanging_command_is_killed_with_its_children(void)
{
    check_hanging("(sleep 0.7; touch %s) & sleep 20");
}

static void a_child_that_left_the_group_is_killed(void)
{
    check_hanging("setsid sh -c 'sleep 0.7; touch %s' & sleep 20");
}

static void a_command_that_ignores_sigterm_is_killed(void)
{
    check_hanging("trap '' TERM; sleep 1.5; touch %s; sleep 20");
}

static void a_child_left_behind_ends_with_its_command(void)
{
    char text[600];
    const char *path = path_of("left");

    snprintf(text, sizeof text, "(sleep 0.6; touch %s) & echo t: 1", path);
    struct command_test test = open_command(text, 1, 10, "t:");
    struct tuner_trial trial = try_command(&test, 0);
    expect(trial.outcome == TUNER_OK && trial.cost_s < 0.5); /* the child holds the pipe */
    close_command(&test);
    usleep(700000);
    expect(access(path, F_OK) != 0);
}

static void much_output_is_no_problem(void)
{
    struct command_test test = open_command(
        "head -c 3000000 /dev/zero; echo; echo t: 3; head -c 60000 /dev/zero", 1, 20, "t:");

    expect(try_command(&test, 0).time_s == 3.0);
    close_command(&test);
}

static void a_command_has_no_input_and_usual_signals(void)
{
    struct command_test test =
        open_command("cat; grep -q '^SigBlk:.*0000000000000000$' /proc/self/status", 1, 5, NULL);
    struct sigaction action;

    expect(try_command(&test, 0).outcome == TUNER_OK);
    expect(sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
    close_command(&test);
}

/* ---- kernels ---- */

static void kernels_are_measured(void)
{
    struct tuner_space *space = read_space("values bx 1 8 2048\nvalues by 1 4 1024\n");

    for (size_t k = 0; tunable_kinds[k]; k++) {
        const char *name = tunable_kinds[k]->name;
        struct tuner_kernel *kernel = tuner_kernel_open(space, name, "tiny", 3, 7, &complaint);
        expect(kernel != NULL);
        if (!kernel)
            continue;
        struct tuner_oracle oracle = tuner_kernel_oracle(kernel);
        for (size_t i = 0; i < tuner_space_size(space); i++) {
            bool possible = tuner_space_value(space, i, 0) * tuner_space_value(space, i, 1) <= 1024;
            struct tuner_trial trial = ask(oracle, i);
            expect(trial.outcome == (possible ? TUNER_OK : TUNER_INVALID));
            expect(possible == (trial.time_s > 0.0));
            expect(possible ? trial.spread_s >= 0.0 : trial.spread_s == 0.0);
            expect(trial.cost_s >= (possible ? 3.0 * trial.time_s : 0.0));
        }
        tuner_kernel_close(kernel);
    }
    tuner_space_free(space);
}

static void blocks_that_are_no_numbers_of_threads_are_invalid(void)
{
    struct tuner_space *space = read_space("values bx 0 4294967297\nvalues by 1 4294967297\n");
    struct tuner_kernel *kernel = tuner_kernel_open(space, "mvt", "tiny", 1, 1, &complaint);

    for (size_t i = 0; kernel && i < tuner_space_size(space); i++)
        expect(ask(tuner_kernel_oracle(kernel), i).outcome == TUNER_INVALID);
    expect(kernel != NULL);
    tuner_kernel_close(kernel);
    tuner_space_free(space);
}

static void bad_kernels_are_refused(void)
{
    struct tuner_space *blocks = read_space("integer by 1 2\ninteger bx 1 2\n");
    struct tuner_space *other = read_space("integer bx 1 2\n");

    expect(!tuner_kernel_open(other, "gemm", "tiny", 3, 1, &complaint));
    expect(strstr(complaint, "bx and by"));
    expect(!tuner_kernel_open(blocks, "gem", "tiny", 3, 1, &complaint));
    expect(strstr(complaint, "no kernel gem"));
    expect(!tuner_kernel_open(blocks, "gemm", "huge", 3, 1, &complaint));
    expect(strstr(complaint, "no data set huge"));
    expect(!tuner_kernel_open(blocks, "gemm", "tiny", 0, 1, &complaint));
    expect(strstr(complaint, "0 runs"));
    tuner_space_free(blocks);
    tuner_space_free(other);
}

static void the_interval_of_a_mean_is_students(void)
{
    double values[41];
    struct tuner_mean mean = tuner_mean_of((double[]){1, 2, 3, 4, 5}, 5);

    expect(mean.mean == 3.0);
    expect(fabs(mean.half_width - 2.77645 * sqrt(2.5 / 5.0)) < 1e-4);
    for (int i = 0; i < 41; i++)
        values[i] = i % 2 ? 1.0 : -1.0;
    double variance = (41.0 - 1.0 / 41.0) / 40.0;
    mean = tuner_mean_of(values, 41);
    expect(fabs(mean.half_width - 2.02108 * sqrt(variance / 41.0)) < 1e-4);
    mean = tuner_mean_of(values, 1);
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

static struct tuner_log *write_log(const struct tuner_space *space, const char *path)
{
    unlink(path);
    struct tuner_log *log = tuner_log_open(path, space, "a \"b\",\nc", &complaint);
    expect(log && tuner_log_size(log) == 0 && !tuner_log_was_cut(log));
    for (size_t i = 0; log && i < 10; i++) {
        struct tuner_trial trial = random_trial(i);
        tuner_log_add(log, i, &trial, UINT64_MAX - i, "iterml");
    }
    return log;
}

static void a_log_is_read_back(void)
{
    struct tuner_space *space = read_space(log_space);
    const char *path = path_of("log.csv");
    struct tuner_trial trial;

    struct tuner_log *log = write_log(space, path);
    expect(tuner_log_size(log) == 0 && !tuner_log_find(log, 0, &trial));
    expect(!tuner_log_open(path, space, "a \"b\",\nc", &complaint));
    expect(strstr(complaint, "another tuner writes"));
    tuner_log_close(log);
    log = tuner_log_open(path, space, "a \"b\",\nc", &complaint);
    expect(log && tuner_log_size(log) == 10 && !tuner_log_was_cut(log));
    for (size_t i = 0; log && i < tuner_space_size(space); i++) {
        struct tuner_trial written = random_trial(i);
        expect(tuner_log_find(log, i, &trial) == (i < 10));
        expect(i >= 10 || is_same(&trial, &written));
    }
    trial = random_trial(11);
    tuner_log_add(log, 3, &trial, 1, "local"); /* a later trial of a configuration counts */
    tuner_log_close(log);
    log = tuner_log_open(path, space, "a \"b\",\nc", &complaint);
    struct tuner_trial later = {0};
    expect(log && tuner_log_size(log) == 10 && tuner_log_find(log, 3, &later));
    expect(is_same(&later, &trial));
    tuner_log_close(log);
    struct tuner_replay *replay =
        tuner_replay_load(path, tuner_log_ignored, NULL, NULL, &complaint);
    expect(!replay); /* two rows for one configuration */
    tuner_space_free(space);
}

static void a_log_can_be_replayed(void)
{
    struct tuner_space *space = read_space(log_space);
    const char *path = path_of("log.csv");

    tuner_log_close(write_log(space, path));
    struct tuner_replay *replay =
        tuner_replay_load(path, tuner_log_ignored, NULL, NULL, &complaint);
    expect(replay && tuner_space_size(tuner_replay_space(replay)) == 10);
    tuner_replay_free(replay);
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
        struct tuner_log *log = tuner_log_open(path, space, "a \"b\",\nc", &complaint);
        expect(log != NULL);
        if (!log)
            break;
        size_t size = tuner_log_size(log);
        struct tuner_trial trial = random_trial(size), found;
        tuner_log_add(log, size, &trial, UINT64_MAX - size, "iterml");
        tuner_log_close(log);
        check_errno(stat(path, &status) == 0);
        expect((size_t)status.st_size <= length && (size_t)status.st_size > cut - (cut > 0));
        log = tuner_log_open(path, space, "a \"b\",\nc", &complaint);
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
        {"notes without an end", "", "no log of this space"},
        {"b,flags,outcome,time_s,spread_s,cost_s,seed,strategy,oracle\n", "",
         "no log of this space"},
        {header, "1,-O3,ok,1,0,1,1,x,other\n", ":2: this is a trial of 'other', not of 'o'"},
        {header, "10,-O3,ok,1,0,1,1,x,o\n", ":2: this configuration is not in the space"},
        {header, "1,-O4,ok,1,0,1,1,x,o\n", "not in the space"},
        {header, "1,-O3,fine,1,0,1,1,x,o\n", ":2: this is no trial"},
        {header, "1,-O3,ok,,0,1,1,x,o\n", "no trial"},
        {header, "1,-O3,ok,-1,0,1,1,x,o\n", "no trial"},
        {header, "1,-O3,failed,1,0,1,1,x,o\n", "no trial"},
        {header, "1,-O3,ok,1,0,1,1,x\n", "no trial"},
        {header, "1,-O3,ok,1,0,1,1,x,o\n1\"\n", ":3: this is no trial"},
    };
    struct tuner_space *space = read_space(log_space);

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        char text[300], after[300] = "";
        snprintf(text, sizeof text, "%s%s", logs[i].header, logs[i].rows);
        const char *path = write_text("other.csv", text);
        expect(!tuner_log_open(path, space, "o", &complaint));
        expect(strstr(complaint, logs[i].expected));
        FILE *in = fopen(path, "re");
        expect(fread(after, 1, sizeof after - 1, in) == strlen(text) && !strcmp(text, after));
        fclose(in);
    }
    expect(!tuner_log_open("/dev/null", space, "o", &complaint));
    expect(strstr(complaint, "no regular file"));
    expect(!tuner_log_open(folder, space, "o", &complaint));
    expect(!tuner_log_open("/nowhere/log.csv", space, "o", &complaint));
    tuner_space_free(space);
}

/* ---- CSV ---- */

static void cells_are_read_as_they_were_written(void)
{
    enum { ROWS = 200, CELLS = 5 };
    static char cells[ROWS][CELLS][8];
    const char *path = path_of("cells.csv");
    FILE *out = fopen(path, "we");
    uint64_t drawn = 0;

    for (int row = 0; row < ROWS; row++)
        for (int c = 0; c < CELLS; c++) {
            size_t length = random_below(1, drawn++, 7);
            for (size_t i = 0; i < length; i++)
                cells[row][c][i] = "a,\"\n\r b"[random_below(1, drawn++, 7)];
            tuner_csv_write(out, cells[row][c], c ? ',' : 0);
            fputs(c == CELLS - 1 ? "\n" : "", out);
        }
    check_errno(fclose(out) == 0);
    struct tuner_csv csv;
    expect(tuner_csv_load(&csv, path, &complaint));
    for (int row = 0; row < ROWS; row++) {
        expect(tuner_csv_next(&csv) == TUNER_CSV_ROW && csv.count == CELLS);
        for (int c = 0; c < CELLS; c++)
            expect(strcmp(csv.cells[c], cells[row][c]) == 0);
    }
    expect(tuner_csv_next(&csv) == TUNER_CSV_END);
    tuner_csv_release(&csv);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/tuner_oracle_test.XXXXXX");
    check_errno(mkdtemp(folder));
    run_test(a_table_is_replayed);
    run_test(a_compressed_table_is_replayed);
    run_test(a_compressed_table_that_is_cut_off_is_refused);
    run_test(bad_tables_are_refused_with_their_line);
    run_test(what_is_no_table_is_refused);
    run_test(columns_that_are_too_much_are_refused);
    run_test(one_kernel_of_a_sweep_is_replayed);
    run_test(more_than_a_million_rows_are_refused);
    run_test(parameters_stand_in_a_command);
    run_test(braces_without_sense_are_refused);
    run_test(options_of_commands_without_sense_are_refused);
    run_test(the_time_is_found_in_the_output);
    run_test(a_long_line_is_no_problem);
    run_test(a_commands_wall_time_counts);
    run_test(outcomes_of_commands_are_told_apart);
    run_test(the_median_of_the_runs_counts);
    run_test(a_hanging_command_is_killed_with_its_children);
    run_test(a_child_that_left_the_group_is_killed);
    run_test(a_command_that_ignores_sigterm_is_killed);
    run_test(a_child_left_behind_ends_with_its_command);
    run_test(much_output_is_no_problem);
    run_test(a_command_has_no_input_and_usual_signals);
    run_test(kernels_are_measured);
    run_test(blocks_that_are_no_numbers_of_threads_are_invalid);
    run_test(bad_kernels_are_refused);
    run_test(the_interval_of_a_mean_is_students);
    run_test(a_log_is_read_back);
    run_test(a_log_can_be_replayed);
    run_test(a_log_that_is_cut_anywhere_is_read_back);
    run_test(other_logs_are_refused_and_left_alone);
    run_test(cells_are_read_as_they_were_written);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    expect(system(command) == 0);
    return end_tests();
}
