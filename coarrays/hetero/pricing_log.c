#include "pricing_log.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <datamotion/coarrays.h>

#include "common/error.h"
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

static enum dm_status write_all(const struct pricing_log *log, const char *text, size_t bytes)
{
    ssize_t written = write(log->file, text, bytes);
    if (written < 0)
        return error_errno("the log %s cannot be written", log->path);
    if ((size_t)written != bytes)
        return dm_fail(DM_FAILED, "the log %s took only a part of a line: is the disk full?",
                       log->path);
    return DM_OK;
}

static enum dm_status read_bytes(const struct pricing_log *log, char *text, size_t bytes)
{
    ssize_t got = 0;
    for (size_t at = 0; at < bytes; at += (size_t)got) {
        got = pread(log->file, text + at, bytes - at, (off_t)at);
        if (got < 0)
            return error_errno("the log %s cannot be read", log->path);
        if (got == 0)
            return dm_fail(DM_FAILED, "the log %s cannot be read: it shrinks", log->path);
    }
    return DM_OK;
}

/* All of the file, ended by a zero; free() it. Zeros within, which a host that loses its power may
 * leave, become question marks: they would hide what follows. */
static enum dm_status read_all(const struct pricing_log *log, char **text, size_t *bytes)
{
    off_t end = lseek(log->file, 0, SEEK_END);
    if (end < 0)
        return error_errno("the log %s is not a plain file", log->path);
    *bytes = (size_t)end;
    *text = calloc(*bytes + 1, 1);
    if (!*text)
        return error_no_memory(*bytes + 1);
    enum dm_status status = read_bytes(log, *text, *bytes);
    if (status != DM_OK)
        free(*text);
    for (size_t i = 0; status == DM_OK && i < *bytes; i++)
        (*text)[i] = (*text)[i] ? (*text)[i] : '?';
    return status;
}

/* Completes a first line, or ends a last one, at which a process was killed. Leaves files alone
 * that are no such log. */
static enum dm_status repair_ends(const struct pricing_log *log)
{
    size_t bytes, header_bytes = strlen(log->header);
    char *text;
    enum dm_status status = DM_OK;
    TRY(read_all(log, &text, &bytes));
    bool is_ours = strncmp(text, log->header, bytes < header_bytes ? bytes : header_bytes) == 0;
    if (is_ours && bytes < header_bytes)
        status = write_all(log, log->header + bytes, header_bytes - bytes);
    else if (is_ours && text[bytes - 1] != '\n')
        status = write_all(log, "\n", 1);
    free(text);
    return status;
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

static enum dm_status load(const struct pricing_log *log, int options, struct asian_sums *sums,
                           bool *is_done)
{
    size_t bytes, header_bytes = strlen(log->header);
    char *text;
    TRY(read_all(log, &text, &bytes));
    bool is_ours = strncmp(text, log->header, header_bytes) == 0;
    if (is_ours)
        read_lines(log, text + header_bytes, options, sums, is_done);
    free(text);
    if (!is_ours)
        return dm_fail(DM_INVALID,
                       "the log %s belongs to other options: its first line is not '%.*s'",
                       log->path, (int)header_bytes - 1, log->header);
    return DM_OK;
}

/* ---- all images ---- */

/* All images get the status of the first that failed, with its sentence. */
static enum dm_status agree(enum dm_status status)
{
    struct {
        int32_t status;
        char sentence[1024];
    } first = {.status = (int32_t)status};
    int32_t image = status == DM_OK ? INT32_MAX : caf_this_image();
    snprintf(first.sentence, sizeof first.sentence, "%s", dm_message());
    TRY(caf_min(&image, 1, CAF_INT32, 0));
    if (image == INT32_MAX)
        return DM_OK;
    TRY(caf_broadcast(&first, sizeof first, image));
    return dm_fail((enum dm_status)first.status, "%s", first.sentence);
}

/* Each option that some image has found gets that image's sums everywhere. */
static enum dm_status share_found(int32_t *owner, struct asian_sums *found, size_t count,
                                  struct asian_sums *sums, bool *is_done)
{
    for (size_t i = 0; i < count; i++)
        owner[i] = is_done[i] ? caf_this_image() : 0;
    TRY(caf_max(owner, count, CAF_INT32, 0));
    for (size_t i = 0; i < count; i++)
        found[i] = owner[i] == caf_this_image() ? sums[i] : (struct asian_sums){0};
    TRY(caf_sum(found, SUMS * count, CAF_DOUBLE, 0));
    for (size_t i = 0; i < count; i++)
        if (owner[i] > 0) {
            is_done[i] = true;
            sums[i] = found[i];
        }
    return DM_OK;
}

static enum dm_status share(int options, struct asian_sums *sums, bool *is_done)
{
    size_t count = (size_t)options, bytes = count * (sizeof(int32_t) + sizeof *sums);
    struct asian_sums *found = malloc(bytes);
    if (!found)
        return error_no_memory(bytes);
    enum dm_status status = share_found((int32_t *)(found + count), found, count, sums, is_done);
    free(found);
    return status;
}

/* One image of each host repairs its file before any reads it. */
static enum dm_status begin(struct pricing_log *log, int options, struct asian_sums *sums,
                            bool *is_done)
{
    log->file = open(log->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    TRY(agree(log->file < 0 ? error_errno("the log %s cannot be opened", log->path) : DM_OK));
    bool is_first = true;
    for (int image = 1; image < caf_this_image(); image++)
        is_first &= !caf_is_near(image);
    TRY(agree(is_first ? repair_ends(log) : DM_OK));
    TRY(agree(load(log, options, sums, is_done)));
    return share(options, sums, is_done);
}

enum dm_status pricing_log_open(struct pricing_log **log, const char *path, int options,
                                const struct asian_simulation *simulation, struct asian_sums *sums,
                                bool *is_done)
{
    struct pricing_log *opened = malloc(sizeof *opened);
    if (!opened)
        return error_no_memory(sizeof *opened);
    *opened = (struct pricing_log){.path = path};
    snprintf(opened->header, sizeof opened->header,
             "asian options %d paths %" PRId64 " steps %d seed %" PRIu64 "\n", options,
             simulation->paths, simulation->steps, simulation->seed);
    enum dm_status status = begin(opened, options, sums, is_done);
    if (status == DM_OK)
        *log = opened;
    else
        pricing_log_close(opened);
    return status;
}

enum dm_status pricing_log_append(struct pricing_log *log, int option,
                                  const struct asian_sums *sums)
{
    char line[LINE_BYTES];
    return write_all(log, line, (size_t)format_line(log, line, option, sums));
}

void pricing_log_close(struct pricing_log *log)
{
    if (!log)
        return;
    if (log->file >= 0)
        close(log->file);
    free(log);
}
