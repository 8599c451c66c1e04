/* status.h: the statuses of what hetero's sources call. */
#ifndef COARRAYS_HETERO_STATUS_H
#define COARRAYS_HETERO_STATUS_H

#include <stdio.h>

#include "coarrays/caf.h"
#include "common/error.h"

/* The status of a call of caf.h or accelerated.h, with its sentence. */
static inline enum dm_status status_of_caf(int code)
{
    char sentence[512];
    if (code == CAF_OK)
        return DM_OK;
    snprintf(sentence, sizeof sentence, "%s", caf_error_text());
    return dm_fail(code == CAF_NO_MEMORY ? DM_NO_MEMORY : DM_FAILED, "%s", sentence);
}
#define TRY_CAF(expression) TRY(status_of_caf(expression))

#endif
