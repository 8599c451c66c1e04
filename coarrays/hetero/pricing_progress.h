/* pricing_progress.h: how an image lets MPI's one-sided operations on it progress while it computes
 * (Fanfarillo 2016, 5.3). */
#ifndef COARRAYS_HETERO_PRICING_PROGRESS_H
#define COARRAYS_HETERO_PRICING_PROGRESS_H

#include <datamotion/status.h>

enum pricing_progress {
    PRICING_MANUAL, /* the computation calls MPI_Iprobe between its parts */
    PRICING_THREAD, /* a thread calls MPI_Iprobe without a pause */
    PRICING_NONE,   /* MPI is entered by requests only */
    PRICING_PROGRESSES
};
extern const char *const pricing_progress_names[]; /* ended by NULL */

/* Start and end what the strategy needs; at most one is started at a time. DM_FAILED if no thread
 * can be started or MPI fails. */
enum dm_status pricing_progress_start(enum pricing_progress progress);
enum dm_status pricing_progress_stop(void);

/* To be called between parts of the computation: enters MPI if the strategy is manual. */
enum dm_status pricing_progress_now(void);

#endif
