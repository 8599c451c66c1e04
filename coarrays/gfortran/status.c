#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stop.h"

void status_error(int code, int *stat, char *errmsg, size_t errmsg_length)
{
    const char *text = caf_error_text();
    if (!stat)
        stop_in_error(1, text);
    *stat = code;
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
