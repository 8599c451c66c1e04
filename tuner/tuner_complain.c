#include "tuner_complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *tuner_complain(const char **complaint, const char *format, ...)
{
    static char sentence[1024];
    char text[sizeof sentence]; /* an argument may be the last sentence */
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(sentence, text, sizeof sentence);
    *complaint = sentence;
    return NULL;
}
