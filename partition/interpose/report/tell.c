/* tell.c: what the run time has to say to the user. */
#include "tell.h"

#include <stdarg.h>
#include <stdio.h>

void tell(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "partition: %s\n", line);
}
