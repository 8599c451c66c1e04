#include "pricing_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coarrays/bench/images.h"
#include "common/harness/exit.h"
#include "common/random.h"

enum { LINE_BYTES = 256, SUMS = 4 };

struct pricing_log {
    int file;
    const char *path;
    char header[LINE_BYTES];
};

/* ---- lines ---- */

static uint64_t add_text(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = random_bits(sum, (unsigned char)*text);
    return sum;
}

/* The checksum is over the header, so that lines of other options do not fit, and the line's text
 * before it. */
static int format_line(const struct pricing_log *log, char line[LINE_BYTES], int option,
                       const struct asian_sums *sums)
{
    int length = snprintf(line, LINE_BYTES, "%d %a %a %a %a ", option, sums->arithmetic,
                          sums->arithmetic_squares, sums->geometric, sums->geometric_squares);
    return length + snprintf(line + length, LINE_BYTES - (size_t)length, "%016" PRIx64 "\n",
                             add_text(add_text(0, log->header), line));
}

/* Reads a line without its end; false if it is damaged or of another log. */
static bool parse_line(const struct pricing_log *log, const char *line, int *option,
                       struct asian_sums *sums)
{
    char again[LINE_BYTES];
    if (sscanf(line, "%d %la %la %la %la", option, &sums->arithmetic, &sums->arithmetic_squares,
               &sums->geometric, &sums->geometric_squares) != 1 + SUMS)
        return false;
    int length = format_line(log, again, *option, sums);
    return strlen(line) + 1 == (size_t)length && strncmp(line, again, (size_t)length - 1) == 0;
}

/* ---- the file ---- */

static void write_all(const struct pricing_log *log, const char *text, size_t bytes)
{
    ssize_t written = write(log->file, text, bytes);
    if (written < 0)
        fail("the log %s cannot be written: %s", log->path, strerror(errno));
    if ((size_t)written != bytes)
        fail("the log %s took only a part of a line: is the disk full?", log->path);
}

/* All of the file, ended by a zero; free() it. Zeros within, which a host that loses its power may
 * leave, become question marks: they would hide what follows. */
static char *read_all(const struct pricing_log *log, size_t *bytes)
{
    off_t end = lseek(log->file, 0, SEEK_END);
    if (end < 0)
        fail("the log %s is not a plain file: %s", log->path, strerror(errno));
    char *text = allocate_or_fail((size_t)end + 1, 1);
    ssize_t got = 0;
    for (*bytes = 0; *bytes < (size_t)end; *bytes += (size_t)got) {
        got = pread(log->file, text + *bytes, (size_t)end - *bytes, (off_t)*bytes);
        if (got <= 0)
            fail("the log %s cannot be read: %s", log->path, got ? strerror(errno) : "it shrinks");
    }
    for (size_t i = 0; i < *bytes; i++)
        text[i] = text[i] ? text[i] : '?';
    text[*bytes] = '\0';
    return text;
}

/* Completes a first line, or ends a last one, at which a process was killed. Leaves files alone
 * that are no such log. */
static void repair_ends(const struct pricing_log *log)
{
    size_t bytes, header_bytes = strlen(log->header);
    char *text = read_all(log, &bytes);
    bool is_ours = strncmp(text, log->header, bytes < header_bytes ? bytes : header_bytes) == 0;
    if (is_ours && bytes < header_bytes)
        write_all(log, log->header + bytes, header_bytes - bytes);
    else if (is_ours && text[bytes - 1] != '\n')
        write_all(log, "\n", 1);
    free(text);
}

/* Sets what the lines after the header say; the first of several lines of an option counts. */
static void read_lines(const struct pricing_log *log, char *text, int options,
                       struct asian_sums *sums, bool *is_done)
{
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        int option;
        struct asian_sums found;
        if (!parse_line(log, line, &option, &found) || option < 0 || option >= options ||
            is_done[option])
            continue;
        sums[option] = found;
        is_done[option] = true;
    }
}

/* False: the file is not of these options. */
static bool load(const struct pricing_log *log, int options, struct asian_sums *sums, bool *is_done)
{
    size_t bytes, header_bytes = strlen(log->header);
    char *text = read_all(log, &bytes);
    bool is_ours = strncmp(text, log->header, header_bytes) == 0;
    if (is_ours)
        read_lines(log, text + header_bytes, options, sums, is_done);
    free(text);
    return is_ours;
}

/* ---- all images ---- */

/* Where several images see the same trouble, the first of them says so and ends the job. */
static void agree(bool is_good, const char *trouble)
{
    int32_t first = is_good ? INT32_MAX : caf_this_image();
    check_caf(caf_min(&first, 1, CAF_INT32, 0));
    if (first == caf_this_image())
        fail("%s", trouble);
    if (first != INT32_MAX)
        ranks.barrier();
}

/* Each option that some image has found gets that image's sums everywhere. */
static void share(int options, struct asian_sums *sums, bool *is_done)
{
    size_t count = (size_t)options;
    int32_t *owner = allocate_or_fail(count, sizeof *owner);
    struct asian_sums *found = allocate_or_fail(count, sizeof *found);
    for (size_t i = 0; i < count; i++)
        owner[i] = is_done[i] ? caf_this_image() : 0;
    check_caf(caf_max(owner, count, CAF_INT32, 0));
    for (size_t i = 0; i < count; i++)
        found[i] = owner[i] == caf_this_image() ? sums[i] : (struct asian_sums){0};
    check_caf(caf_sum(found, SUMS * count, CAF_DOUBLE, 0));
    for (size_t i = 0; i < count; i++)
        if (owner[i] > 0) {
            is_done[i] = true;
            sums[i] = found[i];
        }
    free(found);
    free(owner);
}

struct pricing_log *pricing_log_open(const char *path, int options,
                                     const struct asian_simulation *simulation,
                                     struct asian_sums *sums, bool *is_done)
{
    char trouble[2 * LINE_BYTES + PATH_MAX];
    struct pricing_log *log = allocate_or_fail(1, sizeof *log);
    int header_bytes = snprintf(log->header, sizeof log->header,
                                "asian options %d paths %" PRId64 " steps %d seed %" PRIu64 "\n",
                                options, simulation->paths, simulation->steps, simulation->seed);
    log->path = path;
    log->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    snprintf(trouble, sizeof trouble, "the log %s cannot be opened: %s", path, strerror(errno));
    agree(log->file >= 0, trouble);
    if (ranks.local_rank == 0)
        repair_ends(log);
    check_caf(caf_sync_all());
    snprintf(trouble, sizeof trouble,
             "the log %s is not of these options: its first line is not '%.*s'", path,
             header_bytes - 1, log->header);
    agree(load(log, options, sums, is_done), trouble);
    share(options, sums, is_done);
    return log;
}

void pricing_log_append(struct pricing_log *log, int option, const struct asian_sums *sums)
{
    char line[LINE_BYTES];
    write_all(log, line, (size_t)format_line(log, line, option, sums));
}

void pricing_log_close(struct pricing_log *log)
{
    if (close(log->file) != 0)
        fail("the log %s cannot be closed: %s", log->path, strerror(errno));
    free(log);
}
