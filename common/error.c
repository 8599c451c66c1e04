#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024 };

enum dm_status error_within(enum dm_status status, const char *format, ...)
{
    char inner[MESSAGE_BYTES], words[MESSAGE_BYTES];
    va_list arguments;
    snprintf(inner, sizeof inner, "%s", dm_message());
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return dm_fail(status, "%s: %s", words, inner);
}

enum dm_status error_errno(const char *format, ...)
{
    const int cause = errno;
    char words[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return dm_fail(cause == ENOMEM ? DM_NO_MEMORY : DM_FAILED, "%s: %s", words, strerror(cause));
}

enum dm_status error_no_memory(size_t bytes)
{
    return dm_fail(DM_NO_MEMORY, "no host memory for %zu bytes", bytes);
}
