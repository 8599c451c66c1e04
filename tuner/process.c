#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <datamotion/tuner.h>

#include "common/clock.h"
#include "common/error.h"

#include "process_mark.h"

static const double grace_s = 1.0, patience_s = 10.0;
enum { READS_MAX = 64 /* at the end: a pipe holds less */ };

static volatile pid_t running; /* the process group, 0: none */

struct run {
    const struct process *process;
    pid_t shell;
    int output;       /* our end of the pipe from its stdout; -1: closed */
    sigset_t signals; /* blocked before the run */
    struct sigaction child_action;
};

void tuner_command_kill(void)
{
    if (running > 0)
        kill(-running, SIGKILL);
}

/* ---- SIGCHLD: it ends ppoll() and nothing else ---- */

static void on_child(int signal)
{
    (void)signal;
}

static enum dm_status watch_children(struct run *run)
{
    struct sigaction action = {.sa_handler = on_child};
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (sigaction(SIGCHLD, &action, &run->child_action) != 0)
        return error_errno("an action for SIGCHLD cannot be set");
    pthread_sigmask(SIG_BLOCK, &child, &run->signals);
    return DM_OK;
}

static void unwatch_children(const struct run *run)
{
    pthread_sigmask(SIG_SETMASK, &run->signals, NULL);
    sigaction(SIGCHLD, &run->child_action, NULL);
}

/* ---- starting ---- */

/* Nothing in here can fail with these arguments. */
static void set_attributes(posix_spawnattr_t *attributes, const sigset_t *signals)
{
    const int reset[] = {SIGINT, SIGTERM, SIGCHLD, SIGPIPE};
    sigset_t defaults;

    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        sigaddset(&defaults, reset[i]);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, signals);
    posix_spawnattr_setsigdefault(attributes, &defaults);
}

/* The error's number, or 0. */
static int set_files(posix_spawn_file_actions_t *files, const struct process *process, int output)
{
    int error = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error && output >= 0)
        error = posix_spawn_file_actions_adddup2(files, output, STDOUT_FILENO);
    if (!error && output < 0)
        error = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error && !process->show_stderr)
        error = posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    return error;
}

static enum dm_status spawn(struct run *run, int output)
{
    char *arguments[] = {"sh", "-c", (char *)run->process->command, NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    char **environment = process_mark();

    if (!environment)
        return DM_NO_MEMORY;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&files);
    set_attributes(&attributes, &run->signals);
    errno = set_files(&files, run->process, output);
    if (!errno)
        errno = posix_spawn(&run->shell, "/bin/sh", &files, &attributes, arguments, environment);
    enum dm_status status = errno ? error_errno("the command cannot be started") : DM_OK;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    free(environment);
    return status;
}

static enum dm_status start(struct run *run)
{
    int ends[2] = {-1, -1};

    if (run->process->take && pipe2(ends, O_CLOEXEC) != 0)
        return error_errno("a pipe from the command");
    run->output = ends[0];
    if (run->output >= 0)
        fcntl(run->output, F_SETFL, O_NONBLOCK);
    enum dm_status status = spawn(run, ends[1]);
    if (ends[1] >= 0)
        close(ends[1]);
    if (status == DM_OK)
        running = run->shell;
    return status;
}

/* ---- running ---- */

/* Takes what there is; false if there is nothing for now. */
static bool read_output(struct run *run)
{
    char bytes[1 << 14];

    if (run->output < 0)
        return false;
    ssize_t count = read(run->output, bytes, sizeof bytes);
    if (count < 0)
        return false;
    if (count == 0) {
        close(run->output);
        run->output = -1;
        return false;
    }
    run->process->take(run->process->context, bytes, (size_t)count);
    return true;
}

/* The shell's end, which leaves it as a zombie, so that its number stays its own. If another thread
 * took it, it has ended as well. */
static bool has_ended(const struct run *run)
{
    siginfo_t state = {0};
    return waitid(P_PID, (id_t)run->shell, &state, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           state.si_pid == run->shell;
}

/* Until the shell ends (true) or the time has come. */
static bool await(struct run *run, double until_s)
{
    const double nap_s = 0.1; /* a thread of the program may have taken the SIGCHLD */

    while (!has_ended(run)) {
        double left_s = fmin(until_s - clock_now_s(), nap_s);
        if (left_s <= 0.0)
            return false;
        struct timespec timeout = {.tv_nsec = (long)(1e9 * left_s)};
        struct pollfd output = {.fd = run->output, .events = POLLIN};
        sigset_t signals = run->signals;
        sigdelset(&signals, SIGCHLD);
        if (ppoll(&output, 1, &timeout, &signals) > 0)
            read_output(run);
    }
    return true;
}

static enum dm_status stop(struct run *run)
{
    kill(-run->shell, SIGTERM);
    await(run, clock_now_s() + grace_s);
    kill(-run->shell, SIGKILL);
    process_kill_marked();
    if (await(run, clock_now_s() + patience_s))
        return DM_OK;
    return dm_fail(DM_TIMEOUT, "the command is not gone %g s after SIGKILL: %s", patience_s,
                   run->process->command);
}

/* Takes what is left in the pipe, and the shell's status. */
static enum dm_status finish(struct run *run, int *status)
{
    kill(-run->shell, SIGKILL);
    for (int i = 0; i < READS_MAX && read_output(run); i++)
        ;
    if (waitpid(run->shell, status, 0) != run->shell)
        return error_errno("how the command ended is unknown");
    return DM_OK;
}

static enum dm_status supervise(struct run *run, struct process_end *end)
{
    double start_s = clock_now_s();

    TRY(start(run));
    end->late = !await(run, start_s + run->process->limit_s);
    end->seconds = clock_now_s() - start_s;
    enum dm_status status = end->late ? stop(run) : DM_OK;
    running = 0; /* before the number can become another process's */
    return status == DM_OK ? finish(run, &end->status) : status;
}

enum dm_status process_run(const struct process *process, struct process_end *end)
{
    struct run run = {.process = process, .output = -1};

    *end = (struct process_end){0};
    TRY(watch_children(&run));
    enum dm_status status = supervise(&run, end);
    if (run.output >= 0)
        close(run.output);
    unwatch_children(&run);
    return status;
}
