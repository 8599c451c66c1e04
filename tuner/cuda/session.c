#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/error.h"

#include "tuner/allocate.h"

static const double start_limit_s = 60.0;

struct session {
    char *program, *folder, *setup;
    pid_t pid; /* 0: none */
    int to, from;
    char device[192];
};

static volatile pid_t running;

void session_kill(void)
{
    if (running > 0)
        kill(running, SIGKILL);
}

static void stop(struct session *session)
{
    if (!session->pid)
        return;
    close(session->to);
    close(session->from);
    kill(session->pid, SIGKILL);
    running = 0;
    while (waitpid(session->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    session->pid = 0;
}

/* In the child: only async-signal-safe calls. */
static void become_server(const struct session *session, int in, int out)
{
    setpgid(0, 0); /* the terminal's Ctrl-C is for the tuner */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    if (chdir(session->folder) == 0)
        execl(session->program, session->program, (char *)NULL);
    _exit(127);
}

static enum dm_status start(struct session *session)
{
    int in[2], out[2];

    if (pipe2(in, O_CLOEXEC) != 0)
        return error_errno("a pipe to %s", session->program);
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return error_errno("a pipe from %s", session->program);
    }
    pid_t pid = fork();
    if (pid == 0)
        become_server(session, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    if (pid < 0) {
        close(in[1]);
        close(out[0]);
        return error_errno("%s cannot be started", session->program);
    }
    session->pid = running = pid;
    session->to = in[1];
    session->from = out[0];
    return DM_OK;
}

/* False if nobody reads; a write to a pipe without a reader is an error here and no signal. */
static bool send_text(const struct session *session, const char *text)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    size_t left = strlen(text);

    sigaction(SIGPIPE, &ignore, &before);
    while (left > 0) {
        ssize_t written = write(session->to, text, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            break;
        text += written;
        left -= (size_t)written;
    }
    sigaction(SIGPIPE, &before, NULL);
    return left == 0;
}

/* Reads to the end of a line, of which `size` bytes are kept. */
static enum session_end take_line(const struct session *session, double limit_s, char *line,
                                  int size)
{
    double until_s = clock_now_s() + limit_s;
    int used = 0;
    char letter = 0;

    while (letter != '\n') {
        double left_s = until_s - clock_now_s();
        struct pollfd in = {.fd = session->from, .events = POLLIN};
        if (left_s <= 0.0)
            return SESSION_LATE;
        int ready = poll(&in, 1, left_s > 1.0 ? 1000 : 1 + (int)(1e3 * left_s));
        if (ready <= 0)
            continue;
        if (read(session->from, &letter, 1) != 1)
            return SESSION_GONE;
        if (used + 1 < size && letter != '\n')
            line[used++] = letter;
    }
    line[used] = 0;
    return SESSION_REPLIED;
}

static enum dm_status set_up(struct session *session)
{
    char reply[1024] = "";

    TRY(start(session));
    enum session_end end = send_text(session, session->setup)
                               ? take_line(session, start_limit_s, reply, sizeof reply)
                               : SESSION_GONE;
    if (end == SESSION_REPLIED && strncmp(reply, "ready ", 6) == 0) {
        snprintf(session->device, sizeof session->device, "%.180s", reply + 6);
        return DM_OK;
    }
    stop(session);
    if (strncmp(reply, "error ", 6) == 0)
        return dm_fail(DM_INVALID, "%s", reply + 6);
    return dm_fail(DM_FAILED, "%s, which measures kernels, %s", session->program,
                   end == SESSION_LATE ? "does not reply" : "ended without a reply");
}

enum dm_status session_open(struct session **session, const char *program, const char *folder,
                            const char *setup)
{
    struct session *opened = allocate(1, sizeof *opened);

    *session = NULL;
    if (!opened)
        return DM_NO_MEMORY;
    opened->program = allocate_copy(program, strlen(program) + 1, 1);
    opened->folder = allocate_copy(folder, strlen(folder) + 1, 1);
    opened->setup = allocate_copy(setup, strlen(setup) + 1, 1);
    enum dm_status status =
        opened->program && opened->folder && opened->setup ? set_up(opened) : DM_NO_MEMORY;
    if (status == DM_OK)
        *session = opened;
    else
        session_close(opened);
    return status;
}

void session_close(struct session *session)
{
    if (!session)
        return;
    stop(session);
    free(session->program);
    free(session->folder);
    free(session->setup);
    free(session);
}

const char *session_device(const struct session *session)
{
    return session->device;
}

enum dm_status session_ask(struct session *session, const char *line, double limit_s, char *reply,
                           int size, enum session_end *end)
{
    *reply = 0;
    *end = SESSION_GONE;
    if (!session->pid)
        TRY(set_up(session));
    if (send_text(session, line))
        *end = take_line(session, limit_s, reply, size);
    if (*end != SESSION_REPLIED || strncmp(reply, "crash", 5) == 0)
        stop(session);
    return DM_OK;
}
