/* process.h: a shell command with a time limit. */
#ifndef TUNER_PROCESS_H
#define TUNER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/status.h>

struct process {
    const char *command; /* for /bin/sh -c; its stdin is empty */
    double limit_s;
    bool show_stderr;                                             /* else it is dropped */
    void (*take)(void *context, const char *bytes, size_t count); /* stdout; NULL: it is dropped */
    void *context;
};

struct process_end {
    bool late;  /* it was stopped at the limit */
    int status; /* as of waitpid() */
    double seconds;
};

/* Runs it to its end, or to the limit: then it gets SIGTERM, and SIGKILL a second later. What it
 * started goes with it, in both cases: its process group, and at the limit also processes that have
 * left the group but still have its environment (as ranks of MPI do). DM_FAILED: the shell cannot
 * be started; DM_TIMEOUT: it is not gone 10 s after SIGKILL; DM_NO_MEMORY. One at a time. */
enum dm_status process_run(const struct process *process, struct process_end *end);

#endif
