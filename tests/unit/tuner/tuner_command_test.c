/* tuner_command_test: commands that are measured, from their text to what they print. */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>

#include "common/harness/exit.h"
#include "tuner/command_output.h"

#include "tuner_objective_test.h"

static const char space_text[] = "integer a 1 3\ncategory flags -O2 {x}\n";

static void parameters_stand_in_a_command(void)
{
    struct tuner_space *space = read_space(space_text);
    size_t configuration = configuration_of(space, 2, 1);
    char *text;

    expect_ok(tuner_command_text(&text, space, "run {a}{a} {{{flags}}} '}}'", configuration));
    expect(text && strcmp(text, "run 33 {'{x}'} '}'") == 0);
    free(text);
    expect_ok(tuner_command_text(&text, space, "", 0));
    expect(text && !*text);
    free(text);
    tuner_space_free(space);
}

static void values_are_words_that_the_shell_does_not_execute(void)
{
    static const char *const cases[][2] = {
        {"c {w}", "c '$(touch pwned)'"},
        {"c {q}", "c 'it'\\''s'"},
        {"c '{q}{w}'", "c 'it'\\''s$(touch pwned)'"},
        {"c \"{w}\"", "c \"\\$(touch pwned)\""},
        {"c \"it's {w}\" {w}", "c \"it's \\$(touch pwned)\" '$(touch pwned)'"},
        {"c \\\"{w}", "c \\\"'$(touch pwned)'"},
        {"c {e} {e*}.", "c '' ."},
        {"c {s} {s*}", "c '-O3  -g' -O3 -g"},
        {"c '{s*}'", "c '-O3  -g'"},
        {"c {w*}", "c '$(touch' 'pwned)'"},
        {"c $(d {p}) `e {p}`", "c $(d -O2) `e -O2`"},
    };
    struct tuner_space *space =
        read_space("category w \"$(touch pwned)\"\ncategory q \"it's\"\ncategory e \"\"\n"
                   "category s \"-O3  -g\"\ncategory p -O2\n");
    char *text;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_ok(tuner_command_text(&text, space, cases[i][0], 0));
        expect(text && strcmp(text, cases[i][1]) == 0);
        if (text && strcmp(text, cases[i][1]) != 0)
            printf("# %s\n", text);
        free(text);
    }
    expect_error(tuner_command_text(&text, space, "c \"$(d {w})\"", 0), DM_INVALID,
                 "behind $( or `");
    expect_error(tuner_command_text(&text, space, "c `d {s*} {q}`", 0), DM_INVALID,
                 "'it's' cannot");
    tuner_space_free(space);
}

static void braces_without_sense_are_refused(void)
{
    static const char *const commands[][2] = {
        {"{b}", "{b}"},      {"{}", "{}"},     {"{a", "{ without"},   {"{a{a}", "{ without"},
        {"a}", "} without"}, {"{ a}", "{ a}"}, {"{a}}", "} without"},
    };
    struct tuner_space *space = read_space(space_text);
    struct tuner_command *command;

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct tuner_command_options options = {
            .command = commands[i][0], .runs = 1, .limit_s = 1.0};
        expect_error(tuner_command_open(&command, space, &options), DM_INVALID, commands[i][1]);
        expect(!command);
    }
    char name[200], *text;
    snprintf(name, sizeof name, "{%0150d}", 1);
    expect_error(tuner_command_text(&text, space, name, 0), DM_INVALID, "no such parameter");
    expect(!text);
    tuner_space_free(space);
}

static void options_of_commands_without_sense_are_refused(void)
{
    struct tuner_space *space = read_space(space_text);
    static const struct {
        struct tuner_command_options options;
        const char *expected;
    } cases[] = {
        {{.command = "true", .runs = 0, .limit_s = 1.0}, "0 runs of a command"},
        {{.command = "true", .runs = 1, .limit_s = 0.0}, "a time limit of 0 s"},
        {{.command = "true", .runs = 1, .limit_s = 1.0, .maximize = true}, "a rate to maximize"},
        {{.command = "true", .runs = 1, .limit_s = 1.0, .build = " "}, "the build is empty"},
        {{.command = "true", .runs = 1, .limit_s = 1.0, .build = "{z}"},
         "the build: the command has {z}"},
        {{.command = "true", .runs = 1, .limit_s = NAN}, "a time limit of nan s"},
        {{.command = " \t", .runs = 1, .limit_s = 1.0}, "the command is empty"}};
    struct tuner_command *command;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_error(tuner_command_open(&command, space, &cases[i].options), DM_INVALID,
                     cases[i].expected);
        expect(!command);
    }
    tuner_space_free(space);
}

static double time_in(const char *text)
{
    struct command_output output = {.prefix = "t:"};
    double time_s;

    command_output_take(&output, text, strlen(text));
    return command_output_time(&output, &time_s) ? time_s : 0.0;
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
    expect(fabs(time_in("t: 3ms\n") - 3e-3) < 1e-12 && time_in("t: 3 s\n") == 3.0);
    expect(fabs(time_in("t: 3 us.\n") - 3e-6) < 1e-15 && fabs(time_in("t:4ns") - 4e-9) < 1e-18);
    expect(time_in("t: 3msec\n") == 0.0 && time_in("t: 3 msec\n") == 3.0);
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
    struct command_output output = {.prefix = "t:"};
    double time_s;

    command_output_take(&output, "t: 4 ", 5);
    for (int i = 0; i < 100000; i++)
        command_output_take(&output, "9", 1);
    command_output_take(&output, "\nt", 2);
    expect(command_output_time(&output, &time_s) && time_s == 4.0);
}

struct command_test {
    struct tuner_space *space;
    struct tuner_command *command;
};

static struct command_test open_command(const char *text, int runs, double limit_s,
                                        const char *prefix)
{
    struct tuner_command_options options = {
        .command = text, .runs = runs, .limit_s = limit_s, .prefix = prefix};
    struct command_test test = {.space = read_space("integer a 0 3\n")};

    check_status(tuner_command_open(&test.command, test.space, &options));
    return test;
}

static struct tuner_trial try_command(const struct command_test *test, size_t configuration)
{
    return ask(tuner_command_objective(test->command), configuration);
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
    expect(trial.time_s >= 0.1 && trial.time_s < 20.0);
    expect(trial.cost_s >= 2 * 0.1 && trial.cost_s < 20.0);
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
    expect(trial.cost_s > 0.0 && trial.cost_s < 20.0);
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

/* All that a command starts has the end of this pipe that is written to, until it ends. */
static int watch[2];

static struct command_test open_watched_command(const char *text, double limit_s,
                                                const char *prefix)
{
    check_errno(pipe(watch) == 0);
    return open_command(text, 1, limit_s, prefix);
}

static bool nothing_is_left(void)
{
    struct pollfd end = {.fd = watch[0], .events = POLLIN};

    close(watch[1]);
    bool ended = poll(&end, 1, 10000) == 1 && end.revents == POLLHUP;
    close(watch[0]);
    return ended;
}

static void check_hanging(const char *text)
{
    struct command_test test = open_watched_command(text, 0.2, NULL);
    struct tuner_trial trial = try_command(&test, 0);
    expect(trial.outcome == TUNER_HANGING && isnan(trial.time_s));
    expect(trial.cost_s >= 0.2 && trial.cost_s < 20.0);
    expect(nothing_is_left());
    close_command(&test);
}

static void a_hanging_command_is_killed_with_its_children(void)
{
    check_hanging("(sleep 60; :) & sleep 60");
}

static void a_child_that_left_the_group_is_killed(void)
{
    check_hanging("setsid sh -c 'sleep 60; :' & sleep 60");
}

static void a_command_that_ignores_sigterm_is_killed(void)
{
    check_hanging("trap '' TERM; sleep 60; sleep 60");
}

static void a_child_left_behind_ends_with_its_command(void)
{
    struct command_test test = open_watched_command("(sleep 60; :) & echo t: 1", 10, "t:");
    struct tuner_trial trial = try_command(&test, 0);
    expect(trial.outcome == TUNER_OK && trial.cost_s < 10); /* the child holds the output */
    expect(nothing_is_left());
    close_command(&test);
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

int main(void)
{
    make_folder();
    run_test(parameters_stand_in_a_command);
    run_test(values_are_words_that_the_shell_does_not_execute);
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
    remove_folder();
    return end_tests();
}
