/* Super instructions that act on the run time. */
#include <errno.h>
#include <math.h>
#include <time.h>

#include "prefetch/sip/super_internal.h"

enum { LONGEST_WORK_S = 3600, MOST_BLOCKS_AHEAD = 1 << 20 };

bool super_compute_for(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "n", context))
        return false;
    double seconds = arguments[0].number;
    if (!(seconds >= 0.0 && seconds <= LONGEST_WORK_S))
        return super_fail(context, "%g s of work are out of range: 0 to %d", seconds,
                          LONGEST_WORK_S);
    struct timespec left = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    while (nanosleep(&left, &left) != 0)
        if (errno != EINTR)
            return super_fail(context, "this system cannot sleep for %g s", seconds);
    return true;
}

bool super_set_prefetch(struct super_argument *arguments, int count, struct super_context *context)
{
    if (!super_expect(arguments, count, "i", context))
        return false;
    if (arguments[0].number < 0 || arguments[0].number > MOST_BLOCKS_AHEAD)
        return super_fail(context, "%g blocks ahead are out of range: 0 to %d", arguments[0].number,
                          MOST_BLOCKS_AHEAD);
    context->set_prefetch(context->worker_state, (int)arguments[0].number);
    return true;
}
