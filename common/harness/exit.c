#include "exit.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "ranks.h"

static const char *volatile unfinished;
const char *volatile status_activity;
bool status_alike;

const char *status_word(enum exit_code code)
{
    switch (code) {
    case EXIT_PASS:
        return "PASS";
    case EXIT_WAIVED:
        return "WAIVED";
    case EXIT_OUT_OF_REFERENCE:
        return "OUT_OF_REFERENCE";
    case EXIT_TIMEOUT:
        return "TIMEOUT";
    default:
        return "FAIL";
    }
}

void status_unfinished_file(const char *path)
{
    unfinished = path;
}

static void remove_unfinished(void)
{
    if (unfinished)
        unlink(unfinished);
    unfinished = NULL;
}

void leave(enum exit_code code, const char *format, ...)
{
    char reason[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fflush(stdout);
    if (status_alike && code == EXIT_FAIL && ranks.rank != 0)
        ranks.barrier();
    fprintf(stderr, "RESULT: %s %s\n", status_word(code), reason);
    fflush(stderr);
    remove_unfinished();
    if (code != EXIT_PASS && ranks.count > 1)
        ranks.abort(code);
    /* Not exit(): handlers and static destructors may wait for a device that is in an error state.
     */
    _exit(code);
}

void fail_expression(const char *expression, const char *cause, const char *file, int line)
{
    char host[256] = "?";
    gethostname(host, sizeof host - 1);
    leave(EXIT_FAIL, "%s: %s (host %s, rank %d, %s:%d)", expression, cause, host, ranks.rank, file,
          line);
}

/* What the caller did wrong is the same everywhere; else it matters where it happened. */
void fail_status(enum dm_status status)
{
    char host[256] = "?";
    if (status == DM_INVALID || status == DM_NO_MEMORY || status == DM_UNAVAILABLE)
        fail("%s", dm_message());
    gethostname(host, sizeof host - 1);
    fail("%s (host %s, rank %d)", dm_message(), host, ranks.rank);
}

void fail_errno(const char *expression, const char *file, int line)
{
    fail_expression(expression, strerror(errno), file, line);
}

void *allocate_or_fail(unsigned long count, unsigned long element_bytes)
{
    void *memory = calloc(count ? count : 1, element_bytes);
    if (!memory)
        fail("no host memory for %lu elements of %lu bytes: choose a smaller size", count,
             element_bytes);
    return memory;
}

/* Only async-signal-safe calls in here. */
static void write_text(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void write_reason(const char *reason, const char *advice)
{
    const char *activity = status_activity;
    write_text(reason);
    if (activity) {
        write_text(" at ");
        write_text(activity);
    }
    write_text(advice);
}

void status_end_at_limit(void)
{
    write_reason("RESULT: TIMEOUT the time limit was reached",
                 ": raise it with -T or choose less work\n");
    remove_unfinished();
    _exit(EXIT_TIMEOUT);
}

static void on_limit(int signal)
{
    (void)signal;
    status_end_at_limit();
}

/* Of several ranks one says it: all get the signal when one of them ends. */
static void on_interrupt(int signal)
{
    if (ranks.rank != 0)
        _exit(128 + signal);
    write_reason("RESULT: FAIL interrupted by a signal", "; no result was written\n");
    remove_unfinished();
    _exit(128 + signal);
}

void status_start_limit(double seconds)
{
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    signal(SIGALRM, on_limit);
    struct itimerval limit = {0};
    limit.it_value.tv_sec = (time_t)seconds;
    limit.it_value.tv_usec = (suseconds_t)((seconds - (double)limit.it_value.tv_sec) * 1e6);
    setitimer(ITIMER_REAL, &limit, NULL);
}
