/* analyse.c: runs partition-analyse for a text that was not seen before. */
#include "analyse.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/error.h"

enum { POLL_NS = 2000000 };

extern char **environ;

/* Beside this library, or on the PATH. */
static void default_tool(char path[ANALYSE_PATH_BYTES])
{
    Dl_info about;
    const char *slash = NULL;
    if (dladdr((const void *)default_tool, &about) && about.dli_fname)
        slash = strrchr(about.dli_fname, '/');
    int length = slash ? (int)(slash - about.dli_fname) + 1 : 0;
    int written = snprintf(path, ANALYSE_PATH_BYTES, "%.*spartition-analyse", length,
                           slash ? about.dli_fname : "");
    if (written >= ANALYSE_PATH_BYTES || access(path, X_OK) != 0)
        strcpy(path, "partition-analyse");
}

void analyse_tool(const struct partition_settings *settings, char path[ANALYSE_PATH_BYTES])
{
    if (*settings->analyse)
        snprintf(path, ANALYSE_PATH_BYTES, "%s", settings->analyse);
    else
        default_tool(path);
}

/* The environment without what would load this library into the tool. The caller frees it. */
static char **environment_of_tool(void)
{
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **variables = malloc((count + 1) * sizeof *variables);
    for (size_t i = 0; variables && i < count; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            variables[kept++] = environ[i];
    if (variables)
        variables[kept] = NULL;
    return variables;
}

/* Its own process group, so that what it starts ends with it. Returns an errno. */
static int start(char *const command[], const char *log, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    char **variables = environment_of_tool();
    if (!variables)
        return ENOMEM;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(child, command[0], &files, &attributes, command, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(variables);
    return error;
}

/* False: the time limit was reached, and the tool is gone. A program that ignores its children's
 * ends does not learn how this one ended: the data base says it. */
static bool wait_for(pid_t child, double seconds, int *status)
{
    const struct timespec pause = {0, POLL_NS};
    double end_s = clock_now_s() + seconds;
    *status = 0;
    for (;;) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            return true;
        if (clock_now_s() > end_s)
            break;
        nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

enum dm_status analyse(const struct partition_settings *settings, const struct analysis *analysis,
                       bool *found)
{
    char tool[ANALYSE_PATH_BYTES];
    pid_t child;
    int status;
    analyse_tool(settings, tool);
    char *const command[] = {tool,
                             "--ptx",
                             (char *)analysis->ptx,
                             "-o",
                             (char *)analysis->database,
                             analysis->launch ? "--launch" : NULL,
                             (char *)analysis->launch,
                             NULL};
    int error = start(command, analysis->log, &child);
    *found = !error;
    if (error)
        return dm_fail(DM_UNAVAILABLE,
                       "it has no data base, and %.200s cannot be started to make one: %s", tool,
                       strerror(error));
    if (!wait_for(child, settings->analyse_s, &status))
        return dm_fail(DM_UNAVAILABLE,
                       "its analysis takes longer than %d s (PARTITION_ANALYSE_SECONDS)",
                       settings->analyse_s);
    if (status != 0 || access(analysis->database, R_OK) != 0)
        return dm_fail(DM_UNAVAILABLE, "its analysis failed");
    return DM_OK;
}
