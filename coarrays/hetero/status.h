/* status.h: the statuses of what hetero's sources call. */
#ifndef COARRAYS_HETERO_STATUS_H
#define COARRAYS_HETERO_STATUS_H

#include "coarrays/caf.h"
#include "common/error.h"

/* The status of a call of caf.h or accelerated.h, with its sentence. */
enum dm_status status_of_caf_failure(int code);
static inline enum dm_status status_of_caf(int code)
{
    return code == CAF_OK ? DM_OK : status_of_caf_failure(code);
}
#define TRY_CAF(expression) TRY(status_of_caf(expression))

#endif
