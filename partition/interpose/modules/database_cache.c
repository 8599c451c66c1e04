/* database_cache.c: data bases of PTX texts that the run time has seen. */
#include "database_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.h"
#include "partition/image_hash.h"

#include "analyse.h"

enum { NAME_BYTES = 2048, SENTENCE_BYTES = 200 };

/* Longer ones are those of libraries with thousands of kernels, each of which would be analysed. */
static const size_t text_max = (size_t)4 << 20;

/* Names of the files of one text, or of one launch of a kernel of it: `stem` with an ending. */
struct files {
    char folder[NAME_BYTES - 128];
    char stem[40];
    const char *launch; /* NULL: all launches */
};

static void name_stem(struct files *files, const char *ptx)
{
    int length =
        snprintf(files->stem, sizeof files->stem, "%016" PRIx64, image_hash(ptx, strlen(ptx)));
    if (files->launch)
        snprintf(files->stem + length, sizeof files->stem - (size_t)length, "-%016" PRIx64,
                 image_hash(files->launch, strlen(files->launch)));
}

static void name_file(char name[NAME_BYTES], const struct files *files, const char *ending)
{
    snprintf(name, NAME_BYTES, "%s/%s%s", files->folder, files->stem, ending);
}

/* A name that no other process uses. */
static void name_own(char name[NAME_BYTES], const struct files *files, const char *ending)
{
    snprintf(name, NAME_BYTES, "%s/%s.%ld%s", files->folder, files->stem, (long)getpid(), ending);
}

static enum dm_status find_folder(const struct partition_settings *settings, struct files *files)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    size_t room = sizeof files->folder;
    int length = 0;
    if (*settings->databases)
        length = snprintf(files->folder, room, "%s", settings->databases);
    else if (cache && *cache == '/')
        length = snprintf(files->folder, room, "%s/datamotion", cache);
    else if (home && *home)
        length = snprintf(files->folder, room, "%s/.cache/datamotion", home);
    if (length <= 0 || (size_t)length >= room)
        return dm_fail(DM_UNAVAILABLE, "it has no data base, and there is no folder for one: set "
                                       "PARTITION_DATABASES");
    return DM_OK;
}

/* The folder and those above it. */
static enum dm_status make_folder(const char *folder)
{
    char path[NAME_BYTES];
    snprintf(path, sizeof path, "%s", folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return dm_fail(DM_UNAVAILABLE, "it has no data base, and %.120s cannot be made: %s", folder,
                       strerror(errno));
    return DM_OK;
}

static enum dm_status write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "wx");
    bool good = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0)
        good = false;
    return good ? DM_OK
                : dm_fail(DM_UNAVAILABLE, "it has no data base, and %.120s cannot be written: %s",
                          name, strerror(errno));
}

/* The last line, without its end; "" if there is none. */
static void read_last_line(const char *name, char line[SENTENCE_BYTES])
{
    char next[SENTENCE_BYTES];
    FILE *file = fopen(name, "r");
    *line = 0;
    while (file && fgets(next, sizeof next, file))
        strcpy(line, next);
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = 0;
}

/* Fails if the tool that there is tried this text before in vain. */
static enum dm_status check_failed(const struct partition_settings *settings,
                                   const struct files *files)
{
    char name[NAME_BYTES], line[SENTENCE_BYTES], tool[ANALYSE_PATH_BYTES];
    struct stat failed, now;
    name_file(name, files, ".failed");
    analyse_tool(settings, tool);
    if (stat(name, &failed) != 0 || (stat(tool, &now) == 0 && now.st_mtime > failed.st_mtime))
        return DM_OK;
    read_last_line(name, line);
    return dm_fail(DM_UNAVAILABLE, "%s (%.100s; without that file it is tried again)", line, name);
}

/* The next program is told at once. */
static enum dm_status keep_failure(const struct files *files, const char *log)
{
    char own[NAME_BYTES], name[NAME_BYTES], said[SENTENCE_BYTES], sentence[2 * SENTENCE_BYTES];
    read_last_line(log, said);
    snprintf(sentence, sizeof sentence, "%.190s%s%s", dm_message(), *said ? ": " : "", said);
    name_own(own, files, ".failed");
    name_file(name, files, ".failed");
    unlink(own);
    if (write_text(own, sentence) == DM_OK)
        rename(own, name);
    return dm_fail(DM_UNAVAILABLE, "%.240s", sentence);
}

static enum dm_status make_database(const struct partition_settings *settings,
                                    const struct files *files, const char *ptx, const char *name)
{
    char text[NAME_BYTES], made[NAME_BYTES], log[NAME_BYTES];
    bool found;
    name_own(text, files, ".ptx");
    name_own(made, files, ".db");
    name_own(log, files, ".log");
    unlink(text);
    TRY(write_text(text, ptx));
    const struct analysis job = {
        .ptx = text, .launch = files->launch, .database = made, .log = log};
    enum dm_status status = analyse(settings, &job, &found);
    if (status == DM_OK && rename(made, name) != 0)
        status = dm_fail(DM_UNAVAILABLE, "%.120s cannot be written: %s", name, strerror(errno));
    else if (status != DM_OK && found)
        status = keep_failure(files, log);
    unlink(text);
    unlink(made);
    unlink(log);
    return status;
}

bool database_cache_has(const struct partition_settings *settings, const char *ptx,
                        const char *launch)
{
    char path[NAME_BYTES];
    struct files files = {.launch = launch};
    name_stem(&files, ptx);
    if (find_folder(settings, &files) != DM_OK)
        return false;
    name_file(path, &files, ".db");
    return access(path, R_OK) == 0;
}

enum dm_status database_cache_get(const struct partition_settings *settings, const char *ptx,
                                  const char *launch, char **name)
{
    char path[NAME_BYTES];
    struct files files = {.launch = launch};
    name_stem(&files, ptx);
    TRY(find_folder(settings, &files));
    name_file(path, &files, ".db");
    if (access(path, R_OK) != 0) {
        TRY(check_failed(settings, &files));
        if (strlen(ptx) > text_max)
            return dm_fail(DM_UNAVAILABLE,
                           "its PTX has %zu bytes, more than are analysed while a program runs "
                           "(%zu): partition-analyse --ptx makes %.100s",
                           strlen(ptx), text_max, path);
        TRY(make_folder(files.folder));
        TRY(make_database(settings, &files, ptx, path));
    }
    *name = strdup(path);
    return *name ? DM_OK : dm_fail(DM_NO_MEMORY, "no host memory for the name of a data base");
}
