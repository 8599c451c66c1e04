#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "team.h"

static _Thread_local enum caf_reason last_reason;

const char *caf_statement = "";

enum caf_reason caf_reason(void)
{
    return last_reason;
}

enum dm_status invalid(enum caf_reason reason, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    last_reason = reason;
    return dm_fail(DM_INVALID, "%s", sentence);
}

enum dm_status error_no_image(const char *statement, int image)
{
    if (image == IMAGE_OF_OTHER_TEAM)
        return invalid(CAF_BAD_IMAGE,
                       "%s: the team in brackets is neither the current team nor its ancestor",
                       statement);
    return invalid(CAF_BAD_IMAGE, "%s: there is no image %d of %d", statement,
                   image_index_of_unknown(image), current_team ? current_team->images : 0);
}

enum dm_status error_lost(enum caf_reason reason, const char *statement, int image)
{
    last_reason = reason;
    return dm_fail(DM_LOST, "%s: image %d has %s", statement, image,
                   reason == CAF_FAILED_IMAGE ? "failed" : "stopped");
}

bool is_failed_image(enum dm_status status)
{
    return status == DM_LOST && last_reason == CAF_FAILED_IMAGE;
}
