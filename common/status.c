#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <datamotion/status.h>

/* A sentence may name a file and hold another library's sentence. */
static _Thread_local char message[1024];

const char *dm_message(void)
{
    return message;
}

enum dm_status dm_fail(enum dm_status status, const char *format, ...)
{
    char sentence[sizeof message]; /* the old message may be among the arguments */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    memcpy(message, sentence, sizeof message);
    return status;
}

const char *dm_status_name(enum dm_status status)
{
    static const char *const names[] = {"ok",      "invalid", "no memory", "unavailable",
                                        "timeout", "lost",    "failed"};
    return (unsigned)status < sizeof names / sizeof names[0] ? names[status] : "unknown";
}

const char *dm_version(void)
{
    return DATAMOTION_VERSION;
}
