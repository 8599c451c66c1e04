/* database.c: loads what partition-analyse wrote. */
#include "database.h"

#include <errno.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_internal.h"
#include "database_internal.h"

#define FIRST_LINE "datamotion-partition 1"

struct file {
    FILE *stream;
    const char *path;
    char *line;
    size_t capacity, number;
};

static struct database *create(void)
{
    struct database *database = calloc(1, sizeof *database);
    if (!database)
        return NULL;
    database->isl = isl_ctx_alloc();
    if (!database->isl) {
        free(database);
        return NULL;
    }
    isl_options_set_on_error(database->isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(database->isl, ACCESS_MOST_OPERATIONS);
    return database;
}

static bool refuse(const struct file *file, const char *what, char reason[PARTITION_REASON])
{
    snprintf(reason, PARTITION_REASON, "line %zu: %.180s (%s)", file->number, what, file->path);
    return false;
}

/* The next line without its end; false at the end of the file, or with a reason. */
static bool next_line(struct file *file, char reason[PARTITION_REASON])
{
    reason[0] = 0;
    errno = 0;
    ssize_t length = getline(&file->line, &file->capacity, file->stream);
    if (length < 0 && !feof(file->stream))
        snprintf(reason, PARTITION_REASON, "%s cannot be read: %s", file->path, strerror(errno));
    if (length < 0)
        return false;
    file->number++;
    if (strlen(file->line) != (size_t)length)
        return refuse(file, "a zero byte", reason);
    while (length > 0 && strchr("\r\n", file->line[length - 1]))
        file->line[--length] = 0;
    return true;
}

static bool check_first_line(struct file *file, char reason[PARTITION_REASON])
{
    if (next_line(file, reason) && strcmp(file->line, FIRST_LINE) == 0)
        return true;
    if (reason[0] == 0)
        snprintf(reason, PARTITION_REASON, "%s is no data base: its first line is not %s",
                 file->path, FIRST_LINE);
    return false;
}

static bool read_lines(struct file *file, struct database *database, char reason[PARTITION_REASON])
{
    struct database_reader reader = {.database = database};
    if (!check_first_line(file, reason))
        return false;
    while (next_line(file, reason))
        if (!database_read_line(&reader, file->line))
            return refuse(file, reader.reason, reason);
    if (reason[0])
        return false;
    return database_end(&reader) || refuse(file, reader.reason, reason);
}

struct database *database_load(const char *path, char reason[PARTITION_REASON])
{
    struct file file = {fopen(path, "re"), path, NULL, 0, 0};
    if (!file.stream) {
        snprintf(reason, PARTITION_REASON, "%s cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    struct database *database = create();
    if (!database)
        snprintf(reason, PARTITION_REASON, "there is no memory");
    if (database && !read_lines(&file, database, reason)) {
        database_free(database);
        database = NULL;
    }
    free(file.line);
    fclose(file.stream);
    return database;
}

static void free_argument(struct database_argument *argument)
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

void database_free(struct database *database)
{
    if (!database)
        return;
    for (size_t k = 0; k < database->kernel_count; k++) {
        struct database_kernel *kernel = &database->kernels[k];
        access_free_kernel(kernel);
        for (size_t i = 0; i < kernel->argument_count; i++)
            free_argument(&kernel->arguments[i]);
        free(kernel->arguments);
        free(kernel->name);
        free(kernel->source);
        free(kernel->refusal);
    }
    free(database->kernels);
    isl_ctx_free(database->isl);
    free(database);
}

struct database_kernel *database_find(struct database *database, const char *kernel)
{
    for (size_t k = 0; k < database->kernel_count; k++)
        if (strcmp(database->kernels[k].name, kernel) == 0)
            return &database->kernels[k];
    return NULL;
}
