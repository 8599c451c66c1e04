#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <mpi.h>

static char text[512];
const char *caf_statement = "";

const char *caf_error_text(void)
{
    return text;
}

int caf_error(enum caf_code code, const char *format, ...)
{
    /* The arguments may contain the present text. */
    char sentence[sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    snprintf(text, sizeof text, "%s", sentence);
    return code;
}

int caf_error_mpi(const char *expression, int result)
{
    char reason[MPI_MAX_ERROR_STRING];
    int length;
    if (MPI_Error_string(result, reason, &length) != MPI_SUCCESS)
        snprintf(reason, sizeof reason, "error %d", result);
    const char *separator = caf_statement[0] ? ": " : "";
    return caf_error(CAF_MPI, "%s%s%s failed: %s", caf_statement, separator, expression, reason);
}
