#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *volatile unfinished_file;

static void on_signal(int signal_number)
{
    if (unfinished_file)
        unlink(unfinished_file);
    _exit(128 + signal_number);
}

void tool_unfinished_file(const char *path)
{
    unfinished_file = path;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
}

static void fail_with(const char *where, const char *format, va_list arguments)
    __attribute__((noreturn, format(printf, 2, 0)));

static void fail_with(const char *where, const char *format, va_list arguments)
{
    char sentence[2048]; /* may quote what a file holds: one line, and no more of it than this */
    if (unfinished_file)
        unlink(unfinished_file);
    fflush(stdout);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    for (char *at = sentence; *at; at++)
        if (iscntrl((unsigned char)*at))
            *at = '?';
    fprintf(stderr, "%s%s\n", where, sentence);
    _exit(1); /* at once: what is open and allocated ends with the process */
}

void tool_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_with("", format, arguments);
}

void tool_fail_at(const char *path, long line, const char *format, ...)
{
    char *where = tool_text("%s:%ld: ", path, line);
    va_list arguments;
    va_start(arguments, format);
    fail_with(where, format, arguments);
}

void *tool_resize(void *block, size_t bytes)
{
    void *resized = realloc(block, bytes ? bytes : 1);
    if (!resized)
        tool_fail("out of memory: %zu bytes are not to be had", bytes);
    return resized;
}

char *tool_text(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = tool_resize(NULL, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(arguments);
    va_end(again);
    return text;
}

char *tool_read_file(const char *path)
{
    const size_t limit = (size_t)64 << 20;
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT)
        return NULL;
    if (!file)
        tool_fail("%s: cannot be read: %s", path, strerror(errno));
    char *text = NULL;
    size_t length = 0, count;
    do {
        text = tool_resize(text, length + 65536 + 1);
        count = fread(text + length, 1, 65536, file);
        length += count;
    } while (count > 0 && length <= limit);
    if (ferror(file))
        tool_fail("%s: cannot be read: %s", path, strerror(errno));
    if (length > limit)
        tool_fail("%s: is larger than 64 MiB", path);
    fclose(file);
    text[length] = '\0';
    if (strlen(text) != length)
        tool_fail("%s: has a zero byte; it is not a text file", path);
    return text;
}

void tool_lock(const char *results)
{
    char *path = tool_text("%s/.collecting", results);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        tool_fail("cannot write into the results directory %s: %s", results, strerror(errno));
    free(path);
    for (int tries = 0; flock(file, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            tool_fail("cannot lock the results directory %s: %s", results, strerror(errno));
        if (tries == 600)
            tool_fail("another tool has been working in %s for a minute; try again later", results);
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
}
