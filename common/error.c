#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024 };

/* The innermost words of __FILE__ are enough to find the place. */
static const char *short_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

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

static enum dm_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidValue:
        return DM_INVALID;
    case cudaErrorMemoryAllocation:
        return DM_NO_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorNotSupported:
    case cudaErrorInsufficientDriver:
        return DM_UNAVAILABLE;
    case cudaErrorDevicesUnavailable:
        return DM_LOST;
    default:
        return DM_FAILED;
    }
}

enum dm_status error_cuda(cudaError_t error, const char *expression, const char *file, int line)
{
    if (error == cudaSuccess)
        return DM_OK;
    return dm_fail(status_of(error), "%s: %s (%s:%d)", expression, cudaGetErrorString(error),
                   short_name(file), line);
}
