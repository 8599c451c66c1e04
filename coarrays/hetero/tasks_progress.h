/* tasks_progress.h: what an image does while others work with its counter (Fanfarillo 2016, 7.4.2
 * and 7.4.9). MPI may need the target's help for a one-sided operation; these are the
 * ways in which it gets it. */
#ifndef COARRAYS_HETERO_TASKS_PROGRESS_H
#define COARRAYS_HETERO_TASKS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <datamotion/status.h>

enum tasks_progress {
    TASKS_IDLE,   /* waits inside MPI */
    TASKS_MANUAL, /* computes, and probes MPI for messages now and then */
    TASKS_THREAD, /* computes, while a thread probes MPI for messages without a pause */
    TASKS_PROGRESSES
};
extern const char *const tasks_progress_names[]; /* ended by NULL */

/* Whether MPI allows calls of several threads at once, which the thread of TASKS_THREAD and that of
 * tasks_mpi (tasks.h) need. */
bool tasks_threads_may_call_mpi(void);

/* Starts what the mode needs besides tasks_progress_compute: the thread. One at a time; each start
 * has its stop. DM_FAILED if no thread can be started; the stop returns what ended the thread. */
enum dm_status tasks_progress_start(enum tasks_progress mode);
enum dm_status tasks_progress_stop(enum tasks_progress mode);

/* Probes for a message, once: this lets MPI serve the transfers of others. DM_FAILED. */
enum dm_status tasks_progress_probe(void);

/* Computes until *word, which others add to, is at least `enough`; TASKS_MANUAL probes after
 * every slice_s seconds. With TASKS_IDLE it returns at once: the caller goes on into MPI. */
enum dm_status tasks_progress_compute(enum tasks_progress mode, double slice_s, const int32_t *word,
                                      int32_t enough);

#endif
