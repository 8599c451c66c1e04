/* database.c: loads what partition-analyse wrote. */
#include <errno.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "database_internal.h"
#include "image_hash.h"

#define FIRST_LINE "datamotion-partition 1"

static const off_t bytes_max = (off_t)256 << 20;

struct file {
    FILE *stream;
    const char *path;
    char *line;
    size_t capacity, number;
};

static enum dm_status create(struct partition_database **database)
{
    struct partition_database *created = calloc(1, sizeof *created);
    if (!created)
        return error_no_memory(sizeof *created);
    created->isl = isl_ctx_alloc();
    if (!created->isl) {
        free(created);
        return dm_fail(DM_NO_MEMORY, "no host memory for isl");
    }
    isl_options_set_on_error(created->isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(created->isl, ACCESS_MAX_OPERATIONS);
    *database = created;
    return DM_OK;
}

/* Adds the line's number to the sentence. */
static enum dm_status in_line(const struct file *file, enum dm_status status)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence, "%.180s", dm_message());
    return dm_fail(status, "line %zu: %s (%s)", file->number, sentence, file->path);
}

/* The next line without its end; at the end of the file *more is false. */
static enum dm_status next_line(struct file *file, bool *more)
{
    errno = 0;
    ssize_t length = getline(&file->line, &file->capacity, file->stream);
    *more = length >= 0;
    if (length < 0)
        return feof(file->stream)
                   ? DM_OK
                   : dm_fail(DM_INVALID, "%s cannot be read: %s", file->path, strerror(errno));
    file->number++;
    if (strlen(file->line) != (size_t)length)
        return in_line(file, dm_fail(DM_INVALID, "a zero byte"));
    while (length > 0 && strchr("\r\n", file->line[length - 1]))
        file->line[--length] = 0;
    return DM_OK;
}

static enum dm_status check_first_line(struct file *file)
{
    bool more;
    TRY(next_line(file, &more));
    if (!more || strcmp(file->line, FIRST_LINE) != 0)
        return dm_fail(DM_INVALID, "%s is no data base: its first line is not %s", file->path,
                       FIRST_LINE);
    return DM_OK;
}

static enum dm_status read_lines(struct file *file, struct partition_database *database)
{
    struct database_reader reader = {.database = database};
    TRY(check_first_line(file));
    for (;;) {
        bool more;
        TRY(next_line(file, &more));
        enum dm_status status =
            more ? database_read_line(&reader, file->line) : database_end(&reader);
        if (status != DM_OK)
            return in_line(file, status);
        if (!more)
            return DM_OK;
    }
}

/* A line may be as long as the file, and a device's never ends. */
static enum dm_status check_size(const struct file *file)
{
    struct stat status;
    if (fstat(fileno(file->stream), &status) != 0 || !S_ISREG(status.st_mode))
        return dm_fail(DM_INVALID, "%s is no data base: it is not a regular file", file->path);
    return status.st_size <= bytes_max
               ? DM_OK
               : dm_fail(DM_INVALID, "%s is no data base: it has more than %lld bytes", file->path,
                         (long long)bytes_max);
}

enum dm_status partition_database_load(struct partition_database **database, const char *path)
{
    *database = NULL;
    struct file file = {fopen(path, "re"), path, NULL, 0, 0};
    if (!file.stream)
        return dm_fail(DM_INVALID, "%s cannot be opened: %s", path, strerror(errno));
    enum dm_status status = check_size(&file);
    if (status == DM_OK)
        status = create(database);
    if (status == DM_OK)
        status = read_lines(&file, *database);
    if (status != DM_OK) {
        partition_database_free(*database);
        *database = NULL;
    }
    free(file.line);
    fclose(file.stream);
    return status;
}

static void free_argument(struct partition_argument *argument)
{
    free(argument->name);
    free(argument->type);
    free(argument->read);
    free(argument->write);
    free(argument->read_pattern);
    free(argument->write_pattern);
    free(argument->read_domain_dims);
    free(argument->write_domain_dims);
}

void partition_database_free(struct partition_database *database)
{
    if (!database)
        return;
    for (size_t k = 0; k < database->kernel_count; k++) {
        struct partition_kernel *kernel = &database->kernels[k];
        access_free_kernel(kernel);
        for (size_t i = 0; i < kernel->argument_count; i++)
            free_argument(&kernel->arguments[i]);
        free(kernel->arguments);
        free(kernel->name);
        free(kernel->source);
        free(kernel->refusal);
        free(kernel->touches);
        free(kernel->numbers);
    }
    free(database->kernels);
    free(database->modules);
    isl_ctx_free(database->isl);
    free(database);
}

struct partition_kernel *partition_database_find(struct partition_database *database,
                                                 const char *kernel)
{
    for (size_t k = 0; k < database->kernel_count; k++)
        if (strcmp(database->kernels[k].name, kernel) == 0)
            return &database->kernels[k];
    return NULL;
}

enum dm_status partition_database_check(const struct partition_database *database,
                                        const void *image, size_t bytes)
{
    uint64_t hash = image_hash(image, bytes);
    if (!database->module_count)
        return dm_fail(DM_INVALID, "the data base does not say of which module it is: analyse the "
                                   "source again, with --module");
    for (size_t i = 0; i < database->module_count; i++)
        if (database->modules[i] == hash)
            return DM_OK;
    return dm_fail(DM_INVALID, "the data base is of another module, or the module was compiled "
                               "anew: analyse its source again");
}
