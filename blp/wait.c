/* wait.c: sleeping while a persistent kernel works, and being awake when it ends.
 *
 * A host that sleeps until an event comes wakes up 0.2 ms after it on an H200, and nothing else is
 * done meanwhile. The kernel says how far it is, so that the host can guess how long it still
 * takes, sleep for the larger part of that, and guess again. */
#include "wait.h"

#include <math.h>
#include <time.h>

#include "common/clock.h"
#include "common/error.h"

/* What is watched; a nap takes at least the one and at most the other; and its share of what is
 * left. In s. */
static const double watched_s = 200e-6, nap_min_s = 50e-6, nap_max_s = 0.1, nap_share = 0.75;

/* Before anything is done: as long as so far. */
static double left_s(double done, double end, double passed_s)
{
    return done > 0.0 ? passed_s * fmax(0.0, end - done) / done : passed_s + nap_min_s;
}

static void nap(double seconds)
{
    double length = fmin(fmax(seconds, nap_min_s), nap_max_s);
    const struct timespec time = {0, (long)(1e9 * length)};
    nanosleep(&time, NULL);
}

enum dm_status wait_asleep(cudaEvent_t done, const volatile unsigned *progress, double end,
                           double start_s)
{
    for (;;) {
        cudaError_t state = cudaEventQuery(done);
        if (state != cudaErrorNotReady)
            return status_of_cuda(state);
        cudaGetLastError(); /* or the next launch would report it */
        double units = *progress, left = left_s(units, end, clock_now_s() - start_s);
        if (units > 0.0 && left < watched_s)
            return status_of_cuda(cudaEventSynchronize(done));
        nap(nap_share * left);
    }
}
