#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stop.h"

static enum stat_value of_invalid(void)
{
    switch (caf_reason()) {
    case CAF_BAD_IMAGE:
        return STAT_BAD_IMAGE;
    case CAF_BAD_RANGE:
        return STAT_BAD_RANGE;
    case CAF_LOCKED:
        return STAT_LOCKED;
    case CAF_LOCKED_OTHER_IMAGE:
        return STAT_LOCKED_OTHER_IMAGE;
    case CAF_UNLOCKED:
        return STAT_UNLOCKED;
    default:
        return STAT_BAD_ARGUMENT;
    }
}

static enum stat_value stat_of(enum dm_status status)
{
    switch (status) {
    case DM_OK:
        return STAT_OK;
    case DM_INVALID:
        return of_invalid();
    case DM_NO_MEMORY:
        return STAT_NO_MEMORY;
    case DM_TIMEOUT:
        return STAT_WAIT_LIMIT;
    case DM_LOST:
        return caf_reason() == CAF_FAILED_IMAGE ? STAT_FAILED_IMAGE : STAT_STOPPED_IMAGE;
    default:
        return STAT_MPI;
    }
}

void status_error(enum dm_status status, int *stat, char *errmsg, size_t errmsg_length)
{
    const char *text = dm_message();
    if (!stat)
        stop_in_error(1, text);
    *stat = (int)stat_of(status);
    if (!errmsg)
        return;
    size_t length = strlen(text);
    if (length > errmsg_length)
        length = errmsg_length;
    memcpy(errmsg, text, length);
    memset(errmsg + length, ' ', errmsg_length - length);
}

void status_fatal(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    stop_in_error(1, text);
}
