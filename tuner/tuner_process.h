/* tuner_process.h: a shell command with a time limit. */
#ifndef TUNER_PROCESS_H
#define TUNER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct tuner_process {
    const char *command; /* for /bin/sh -c; its stdin is empty */
    double limit_s;
    bool show_stderr;                                             /* else it is dropped */
    void (*take)(void *context, const char *bytes, size_t count); /* stdout; NULL: it is dropped */
    void *context;
};

struct tuner_process_end {
    bool late;  /* it was stopped at the limit */
    int status; /* as of waitpid() */
    double seconds;
};

/* Runs it to its end, or to the limit: then it gets SIGTERM, and SIGKILL a second later. What it
 * started goes with it, in both cases: its process group, and at the limit also processes that have
 * left the group but still have its environment (as ranks of MPI do). Ends the program if the shell
 * cannot be started, or is not gone 10 s after SIGKILL. One at a time. */
struct tuner_process_end tuner_process_run(const struct tuner_process *process);

/* Kills the process group of the command that is running, if any. For signal handlers. */
void tuner_process_kill(void);

#endif
