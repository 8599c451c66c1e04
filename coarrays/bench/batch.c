#include "batch.h"

#include <math.h>

#include "common/harness/ranks.h"

enum { TRIALS = 3, TIMES_MAX = 1 << 20 };

static double time_of_operation(double (*sample)(void *), void *context)
{
    ranks.barrier();
    return ranks.max(sample(context));
}

/* The shortest of a few: one that the operating system interrupted would end the search early. */
static double shortest(double (*sample)(void *), void *context)
{
    double time_s = time_of_operation(sample, context);
    for (int trial = 1; trial < TRIALS && time_s < 10 * BATCH_S; trial++)
        time_s = fmin(time_s, time_of_operation(sample, context));
    return time_s;
}

void batch_calibrate(double (*sample)(void *), void *context, int *times)
{
    *times = 1;
    for (;;) {
        double batch_s = *times * shortest(sample, context);
        if (batch_s >= 0.7 * BATCH_S || *times == TIMES_MAX)
            return;
        /* What a short batch says about a long one is not exact. */
        double factor = fmin(fmax(BATCH_S / fmax(batch_s, 1e-9), 2), 8);
        *times = (int)fmin(*times * factor, TIMES_MAX);
    }
}
