/* Super instructions that act on the run time. */
#include <errno.h>
#include <math.h>
#include <time.h>

#include "common/error.h"
#include "prefetch/sip/super_internal.h"

enum { LONGEST_WORK_S = 3600, BLOCKS_AHEAD_MAX = 1 << 20 };

enum dm_status super_compute_for(struct prefetch_argument *arguments, int count,
                                 struct prefetch_context *context)
{
    (void)context;
    TRY(super_expect(arguments, count, "n"));
    double seconds = arguments[0].number;
    if (!(seconds >= 0.0 && seconds <= LONGEST_WORK_S))
        return dm_fail(DM_INVALID, "%g s of work are out of range: 0 to %d", seconds,
                       LONGEST_WORK_S);
    struct timespec left = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    while (nanosleep(&left, &left) != 0)
        if (errno != EINTR)
            return dm_fail(DM_INVALID, "this system cannot sleep for %g s", seconds);
    return DM_OK;
}

enum dm_status super_set_prefetch(struct prefetch_argument *arguments, int count,
                                  struct prefetch_context *context)
{
    TRY(super_expect(arguments, count, "i"));
    if (arguments[0].number < 0 || arguments[0].number > BLOCKS_AHEAD_MAX)
        return dm_fail(DM_INVALID, "%g blocks ahead are out of range: 0 to %d", arguments[0].number,
                       BLOCKS_AHEAD_MAX);
    context->set_prefetch(context->worker_state, (int)arguments[0].number);
    return DM_OK;
}
