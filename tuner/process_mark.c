#include "process_mark.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "allocate.h"

enum { PASSES_MAX = 20 /* a process that is found may have started another meanwhile */ };

#define NAME "DATAMOTION_TUNER_RUN="
static char mark[64];

char **process_mark(void)
{
    static unsigned long runs;
    size_t count = 0, used = 0;

    snprintf(mark, sizeof mark, NAME "%ld-%lu", (long)getpid(), ++runs);
    while (environ[count])
        count++;
    char **environment = allocate(count + 2, sizeof *environment);
    if (!environment)
        return NULL;
    environment[used++] = mark;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], NAME, strlen(NAME)) != 0)
            environment[used++] = environ[i];
    return environment;
}

static bool has_mark(const char *pid)
{
    static char bytes[1 << 17];
    char path[64];
    size_t length = 0, size = strlen(mark) + 1;
    ssize_t count;

    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    while (length < sizeof bytes && (count = read(file, bytes + length, sizeof bytes - length)) > 0)
        length += (size_t)count;
    close(file);
    return memmem(bytes, length, mark, size) != NULL;
}

static bool kill_once(void)
{
    bool found = false;
    DIR *processes = opendir("/proc");

    if (!processes)
        return false;
    for (struct dirent *entry; (entry = readdir(processes));)
        if (entry->d_name[strspn(entry->d_name, "0123456789")] == '\0' && has_mark(entry->d_name))
            found |= kill((pid_t)atol(entry->d_name), SIGKILL) == 0;
    closedir(processes);
    return found;
}

void process_kill_marked(void)
{
    for (int pass = 0; pass < PASSES_MAX && kill_once(); pass++)
        usleep(1000);
}
