/* patience.h: how a rank waits: attentive at first, polite later.
 *
 * Where every rank has a core of its own, looking again at once costs nobody anything and replies
 * come soonest. Where ranks share cores, each look takes time from the one that is waited for, so
 * the core is given away early. */
#ifndef PREFETCH_SIP_PATIENCE_H
#define PREFETCH_SIP_PATIENCE_H

#include <stdbool.h>
#include <mpi.h>

#include <datamotion/status.h>

struct patience {
    double start_s, limit_s;
    bool crowded;
};

/* *crowded: whether more ranks than cores share this machine (also as several virtual hosts).
 * Collective. */
enum dm_status patience_look_around(MPI_Comm ranks, bool *crowded);

struct patience patience_begin(double limit_s, bool crowded);

/* To be called after each look that found nothing: returns at once, gives the core away, or sleeps
 * some microseconds, by how long it has lasted. False: the limit has passed. */
bool patience_pause(const struct patience *patience);

#endif
