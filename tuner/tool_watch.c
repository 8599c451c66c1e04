#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"

#include "tool.h"

/* ---- signals ---- */

static volatile sig_atomic_t signals_caught;

static void write_text(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* Only async-signal-safe calls in here. */
static void on_signal(int signal)
{
    if (signals_caught++ == 0) {
        write_text(
            "\nthe search ends after this configuration; interrupt again to end it at once\n");
        return;
    }
    tuner_command_kill();
    own_kernel_kill();
    write_text("RESULT: FAIL interrupted by a signal\n");
    _exit(128 + signal);
}

void tool_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool tool_interrupted(void)
{
    return signals_caught > 0;
}

/* ---- progress ---- */

static const double refresh_s = 0.1;
static bool line_open; /* the line on the terminal has no end yet */

static void describe(const struct tuner_search *search, char *line, size_t size)
{
    const struct tuner_progress *progress = tuner_search_progress(search);
    const struct tuner_search_options *options = tuner_search_options(search);
    char time[TOOL_TIME_BYTES];
    int used =
        snprintf(line, size, "%zu of at most %zu trials", progress->trials, options->trials_max);

    if (!progress->found) {
        snprintf(line + used, size - (size_t)used, ", none was ok");
        return;
    }
    used += snprintf(line + used, size - (size_t)used,
                     ", best %s: ", tool_value(progress->best_trial.time_s, time));
    tuner_space_describe(options->space, progress->best, line + used, size - (size_t)used);
}

void tool_show(const struct tuner_search *search, bool improved)
{
    static double shown_s = -1e9;
    bool terminal = isatty(STDERR_FILENO);
    double now_s = clock_now_s();
    char line[256];

    if (!improved && !(terminal && now_s - shown_s >= refresh_s))
        return;
    shown_s = now_s;
    describe(search, line, sizeof line);
    if (terminal)
        fprintf(stderr, "\r\033[K%.78s", line); /* a longer one would wrap */
    else
        fprintf(stderr, "%s\n", line);
    line_open = terminal;
    fflush(stderr);
}

void tool_show_end(void)
{
    if (line_open)
        fputc('\n', stderr);
    line_open = false;
}
