#include "error.h"

#include <stdarg.h>
#include <stdio.h>

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
