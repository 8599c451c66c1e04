/* malloc_peer.c: another malloc, preloaded into a child process that runs the same replay.
 *
 *   parent  --(number of steps, slots, steps)-->  child with LD_PRELOAD
 *           --(go)-->                             replays
 *           <--(time in s)--
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/harness/exit.h"

#include "allocator.h"

static const char serve_option[] = "--serve-malloc";
enum { COMMAND_FD = 3, ANSWER_FD = 4 };

struct malloc_peer {
    pid_t process;
    int commands, answers;
};

struct command {
    uint64_t count; /* of steps that follow; 0: replay those of the last command */
    uint32_t slots;
};

/* ---- pipes ---- */

static bool write_all(int file, const void *data, size_t bytes)
{
    for (const char *at = data; bytes > 0;) {
        ssize_t done = write(file, at, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

static bool read_all(int file, void *data, size_t bytes)
{
    for (char *at = data; bytes > 0;) {
        ssize_t done = read(file, at, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

/* ---- the child ---- */

/* The file that malloc comes from. */
static void say_whose_malloc(void)
{
    char name[256] = "";
    Dl_info info;
    void *function = dlsym(RTLD_DEFAULT, "malloc");
    if (function && dladdr(function, &info) && info.dli_fname)
        strncpy(name, info.dli_fname, sizeof name - 1);
    if (!write_all(ANSWER_FD, name, sizeof name))
        _exit(EXIT_FAIL);
}

static bool read_steps(struct steps *steps, const struct command *command)
{
    steps_free(steps);
    if (command->count > SIZE_MAX / sizeof(struct step))
        return false;
    *steps = (struct steps){.all = malloc(command->count * sizeof(struct step)),
                            .count = command->count,
                            .slots = command->slots};
    return steps->all && read_all(COMMAND_FD, steps->all, steps->count * sizeof(struct step));
}

void malloc_peer_serve(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], serve_option) != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    say_whose_malloc();
    struct steps steps = {0};
    struct command command;
    while (read_all(COMMAND_FD, &command, sizeof command)) {
        double time_s = 0.0;
        if (command.count == 0)
            time_s = allocator_replay(&allocator_malloc, &steps);
        else if (!read_steps(&steps, &command))
            _exit(EXIT_FAIL);
        if (!write_all(ANSWER_FD, &time_s, sizeof time_s))
            break;
    }
    _exit(EXIT_PASS);
}

/* ---- the parent ---- */

/* The path of `file` in the folder whose name has so many bytes, if it can be read, else NULL. Two
 * paths are kept. */
static const char *readable(const char *folder, size_t bytes, const char *file)
{
    static char path[2][512];
    static int turn;
    char *at = path[turn ^= 1];
    int length = snprintf(at, sizeof path[0], "%.*s/%s", (int)bytes, folder, file);
    return length < (int)sizeof path[0] && access(at, R_OK) == 0 ? at : NULL;
}

const char *malloc_peer_find(const char *given, const char *file)
{
    static const char *const folders[] = {"/usr/lib/x86_64-linux-gnu",
                                          "/usr/lib/aarch64-linux-gnu",
                                          "/usr/lib64",
                                          "/usr/lib",
                                          "/usr/local/lib64",
                                          "/usr/local/lib"};
    if (given) {
        if (access(given, R_OK) != 0)
            fail("the library %s cannot be read: %s", given, strerror(errno));
        return given;
    }
    const char *found = NULL;
    const char *list = getenv("LD_LIBRARY_PATH"); /* as ./setup --prefix and modules set it */
    for (const char *at = list ? list : ""; *at && !found;) {
        size_t bytes = strcspn(at, ":");
        if (bytes > 0)
            found = readable(at, bytes, file);
        at += bytes + (at[bytes] == ':');
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !found; i++)
        found = readable(folders[i], strlen(folders[i]), file);
    return found;
}

static void spawn(struct malloc_peer *peer, const char *library, int commands, int answers)
{
    char *arguments[] = {"/proc/self/exe", (char *)serve_option, NULL};
    check_errno(setenv("LD_PRELOAD", library, 1) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    /* Through high numbers, so that neither target is overwritten before it is moved. */
    posix_spawn_file_actions_adddup2(&actions, commands, 100);
    posix_spawn_file_actions_adddup2(&actions, answers, 101);
    posix_spawn_file_actions_adddup2(&actions, 100, COMMAND_FD);
    posix_spawn_file_actions_adddup2(&actions, 101, ANSWER_FD);
    posix_spawn_file_actions_addclose(&actions, 100);
    posix_spawn_file_actions_addclose(&actions, 101);
    extern char **environ;
    int error = posix_spawn(&peer->process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    unsetenv("LD_PRELOAD");
    if (error)
        fail("this program could not be started again with %s: %s", library, strerror(error));
}

struct malloc_peer *malloc_peer_start(const char *library)
{
    struct malloc_peer *peer = allocate_or_fail(1, sizeof *peer);
    int commands[2], answers[2];
    check_errno(pipe2(commands, O_CLOEXEC) == 0);
    check_errno(pipe2(answers, O_CLOEXEC) == 0);
    spawn(peer, library, commands[0], answers[1]);
    close(commands[0]);
    close(answers[1]);
    peer->commands = commands[1];
    peer->answers = answers[0];
    signal(SIGPIPE, SIG_IGN);
    char name[256];
    if (!read_all(peer->answers, name, sizeof name))
        fail("the child process with %s sent no reply", library);
    char wanted[PATH_MAX], used[PATH_MAX];
    if (!realpath(library, wanted) || !realpath(name, used) || strcmp(wanted, used) != 0)
        fail("with LD_PRELOAD=%s malloc is that of %.200s", library, name);
    return peer;
}

static double ask(struct malloc_peer *peer, const struct command *command, const void *data,
                  size_t bytes)
{
    double time_s;
    if (!write_all(peer->commands, command, sizeof *command) ||
        !write_all(peer->commands, data, bytes) || !read_all(peer->answers, &time_s, sizeof time_s))
        fail("the child process of another malloc ended early");
    return time_s;
}

void malloc_peer_load(struct malloc_peer *peer, const struct steps *steps)
{
    struct command command;
    memset(&command, 0, sizeof command);
    command.count = steps->count;
    command.slots = steps->slots;
    ask(peer, &command, steps->all, steps->count * sizeof(struct step));
}

double malloc_peer_replay(struct malloc_peer *peer)
{
    struct command command;
    memset(&command, 0, sizeof command);
    return ask(peer, &command, NULL, 0);
}

void malloc_peer_stop(struct malloc_peer *peer)
{
    if (!peer)
        return;
    close(peer->commands);
    close(peer->answers);
    waitpid(peer->process, NULL, 0);
    free(peer);
}
