#include "status.h"

#include <stdio.h>

enum dm_status status_of_caf_failure(int code)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", caf_error_text());
    return dm_fail(code == CAF_NO_MEMORY ? DM_NO_MEMORY : DM_FAILED, "%s", sentence);
}
