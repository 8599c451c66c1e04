/* tool.h: how the compiled tools of run/ talk and fail.
 *
 * They are not benchmark programs: an error is one line, `file:line: what` where there is a file,
 * and exit code 1. */
#ifndef RUN_TOOL_H
#define RUN_TOOL_H

#include <stddef.h>

/* Ends the tool with one line on stderr and exit code 1. The unfinished file, if any, is removed.
 */
void tool_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The same, for a line of an input file. */
void tool_fail_at(const char *path, long line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* A file to remove when the tool fails or is interrupted; NULL forgets it. `path` must stay valid.
 */
void tool_unfinished_file(const char *path);

/* realloc that never returns NULL. */
void *tool_resize(void *block, size_t bytes);

/* A formatted string to be freed. */
char *tool_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The whole of a text file, ended by '\0', to be freed; NULL if there is no such file. It is an
 * error if it cannot be read, has a zero byte or more than 64 MiB. */
char *tool_read_file(const char *path);

/* Takes the lock of a results directory, so that only one tool at a time writes there. Waits for at
 * most a minute. The lock ends with the process. */
void tool_lock(const char *results);

#endif
