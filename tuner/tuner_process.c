#include "tuner_process.h"
#include "clock.h"
#include "status.h"
#include "tuner_process_mark.h"

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

static const double grace_s = 1.0, patience_s = 10.0;
enum { READS_MOST = 64 /* at the end: a pipe holds less */ };

static volatile pid_t running; /* the process group, 0: none */

struct run {
    const struct tuner_process *process;
    pid_t shell;
    int output;       /* our end of the pipe from its stdout; -1: closed */
    sigset_t signals; /* blocked before the run */
    struct sigaction child_action;
};

void tuner_process_kill(void)
{
    if (running > 0)
        kill(-running, SIGKILL);
}

/* ---- SIGCHLD: it ends ppoll() and nothing else ---- */

static void on_child(int signal)
{
    (void)signal;
}

static void watch_children(struct run *run)
{
    struct sigaction action = {.sa_handler = on_child};
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    check_errno(sigaction(SIGCHLD, &action, &run->child_action) == 0);
    check_errno(pthread_sigmask(SIG_BLOCK, &child, &run->signals) == 0);
}

static void unwatch_children(struct run *run)
{
    check_errno(pthread_sigmask(SIG_SETMASK, &run->signals, NULL) == 0);
    check_errno(sigaction(SIGCHLD, &run->child_action, NULL) == 0);
}

/* ---- starting ---- */

static void set_attributes(posix_spawnattr_t *attributes, const sigset_t *signals)
{
    const int reset[] = {SIGINT, SIGTERM, SIGCHLD, SIGPIPE};
    sigset_t defaults;

    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        sigaddset(&defaults, reset[i]);
    check_errno(posix_spawnattr_init(attributes) == 0);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, signals);
    posix_spawnattr_setsigdefault(attributes, &defaults);
}

static void set_files(posix_spawn_file_actions_t *files, const struct tuner_process *process,
                      int output)
{
    check_errno(posix_spawn_file_actions_init(files) == 0);
    posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(files, output, STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!process->show_stderr)
        posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
}

static void start(struct run *run)
{
    char *arguments[] = {"sh", "-c", (char *)run->process->command, NULL};
    int ends[2] = {-1, -1};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;

    if (run->process->take) {
        check_errno(pipe2(ends, O_CLOEXEC) == 0);
        check_errno(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    }
    set_attributes(&attributes, &run->signals);
    set_files(&files, run->process, ends[1]);
    char **environment = tuner_process_mark();
    int error = posix_spawn(&run->shell, "/bin/sh", &files, &attributes, arguments, environment);
    if (error)
        fail("the command cannot be started: %s", strerror(error));
    running = run->shell;
    run->output = ends[0];
    free(environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (ends[1] >= 0)
        close(ends[1]);
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

/* The shell's end, which leaves it as a zombie, so that its number stays its own. */
static bool has_ended(const struct run *run)
{
    siginfo_t state = {0};
    check_errno(waitid(P_PID, (id_t)run->shell, &state, WEXITED | WNOHANG | WNOWAIT) == 0);
    return state.si_pid == run->shell;
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

static void stop(struct run *run)
{
    kill(-run->shell, SIGTERM);
    await(run, clock_now_s() + grace_s);
    kill(-run->shell, SIGKILL);
    tuner_process_kill_marked();
    if (!await(run, clock_now_s() + patience_s))
        fail("the command is not gone %g s after SIGKILL: %s", patience_s, run->process->command);
}

/* Takes what is left in the pipe, and the shell's status. */
static int finish(struct run *run)
{
    int status = 0;

    kill(-run->shell, SIGKILL);
    running = 0;
    for (int i = 0; i < READS_MOST && read_output(run); i++)
        ;
    if (run->output >= 0)
        close(run->output);
    check_errno(waitpid(run->shell, &status, 0) == run->shell);
    return status;
}

struct tuner_process_end tuner_process_run(const struct tuner_process *process)
{
    struct run run = {.process = process};
    struct tuner_process_end end = {0};

    watch_children(&run);
    double start_s = clock_now_s();
    start(&run);
    end.late = !await(&run, start_s + process->limit_s);
    end.seconds = clock_now_s() - start_s;
    if (end.late)
        stop(&run);
    end.status = finish(&run);
    unwatch_children(&run);
    return end;
}
