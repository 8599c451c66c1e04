#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include <datamotion/spmv.h>

#include "common/error.h"

static bool put(gzFile file, const char *text, size_t length)
{
    return length == 0 || gzwrite(file, text, (unsigned)length) == (int)length;
}

static bool put_comment(gzFile file, const char *comment)
{
    while (comment && *comment) {
        size_t length = strcspn(comment, "\n");
        if (!put(file, "% ", 2) || !put(file, comment, length) || !put(file, "\n", 1))
            return false;
        comment += length + (comment[length] == '\n');
    }
    return true;
}

static bool put_entries(gzFile file, const struct spmv_coo *coo)
{
    char line[80];
    for (int64_t k = 0; k < coo->entries; k++) {
        int length = snprintf(line, sizeof line, "%lld %lld %.17g\n", coo->row[k] + 1LL,
                              coo->column[k] + 1LL, coo->value[k]);
        if (!put(file, line, (size_t)length))
            return false;
    }
    return true;
}

static bool put_all(gzFile file, const struct spmv_coo *coo, const char *comment)
{
    static const char banner[] = "%%MatrixMarket matrix coordinate real general\n";
    char sizes[80];
    int length = snprintf(sizes, sizeof sizes, "%lld %lld %lld\n", (long long)coo->rows,
                          (long long)coo->columns, (long long)coo->entries);
    return put(file, banner, sizeof banner - 1) && put_comment(file, comment) &&
           put(file, sizes, (size_t)length) && put_entries(file, coo);
}

/* Files of the format hold finite numbers. */
static enum dm_status check_values(const struct spmv_coo *coo, const char *path)
{
    for (int64_t k = 0; k < coo->entries; k++)
        if (!isfinite(coo->value[k]))
            return dm_fail(DM_INVALID,
                           "%.100s: row %lld, column %lld holds %g, which a Matrix Market file "
                           "cannot",
                           path, coo->row[k] + 1LL, coo->column[k] + 1LL, coo->value[k]);
    return DM_OK;
}

/* False: errno says why, if it is not 0. */
static bool write_file(const struct spmv_coo *coo, const char *path, const char *mode,
                       const char *comment)
{
    gzFile file = gzopen(path, mode);
    if (!file)
        return false;
    gzbuffer(file, 1 << 16);
    bool done = put_all(file, coo, comment);
    int reason = errno;
    bool closed = gzclose(file) == Z_OK;
    if (!done)
        errno = reason;
    return done && closed;
}

/* The new file takes the place of an older one, but never that of a device or a folder. */
static enum dm_status check_target(const char *path)
{
    struct stat target;
    if (lstat(path, &target) == 0 && !S_ISREG(target.st_mode))
        return dm_fail(DM_INVALID, "%.150s is there and not a regular file: choose another name",
                       path);
    return DM_OK;
}

enum dm_status spmv_market_write(const struct spmv_coo *coo, const char *path, const char *comment)
{
    static const char suffix[] = ".unfinished";
    enum dm_status status = DM_OK;
    TRY(check_values(coo, path));
    TRY(check_target(path));
    size_t length = strlen(path);
    char *unfinished = malloc(length + sizeof suffix);
    if (!unfinished)
        return error_within(error_no_memory(length + sizeof suffix), "%.150s", path);
    memcpy(unfinished, path, length);
    memcpy(unfinished + length, suffix, sizeof suffix);
    bool is_compressed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
    errno = 0;
    if (!write_file(coo, unfinished, is_compressed ? "wb" : "wbT", comment) ||
        rename(unfinished, path) != 0) {
        status =
            dm_fail(DM_FAILED, "%.150s: %s", path, errno ? strerror(errno) : "cannot be written");
        remove(unfinished);
    }
    free(unfinished);
    return status;
}
