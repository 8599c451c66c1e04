/* database_lines.c: kernels and their lines. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_internal.h"
#include "database_internal.h"

bool database_refuse(struct database_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->reason, sizeof reader->reason, format, arguments);
    va_end(arguments);
    return false;
}

/* Makes room for one more; the caller counts it. */
static void *grow(void *items, size_t count, size_t size)
{
    bool is_full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, 8 ... */
    return is_full ? realloc(items, (count ? 2 * count : 1) * size) : items;
}

/* ---- kernels ---- */

static bool add_kernel(struct database_reader *reader, const char *name)
{
    struct database *database = reader->database;
    if (database_find(database, name))
        return database_refuse(reader, "a second kernel %.80s", name);
    void *kernels = grow(database->kernels, database->kernel_count, sizeof *database->kernels);
    if (!kernels)
        return database_refuse(reader, "there is no memory");
    database->kernels = kernels;
    struct database_kernel *kernel = &database->kernels[database->kernel_count];
    *kernel = (struct database_kernel){.split = '-'};
    if (!database_copy(reader, &kernel->name, name))
        return false;
    database->kernel_count++;
    reader->kernel = kernel;
    reader->kernel_keys = 0;
    return true;
}

static bool open_kernel(struct database_reader *reader, char *name)
{
    if (name[strcspn(name, " ")] != 0)
        return database_refuse(reader, "a kernel has a name of one word, not %.80s", name);
    if (!add_kernel(reader, name))
        return false;
    reader->kernel->space = calloc(1, sizeof *reader->kernel->space);
    return reader->kernel->space || database_refuse(reader, "there is no memory");
}

static bool refused_kernel(struct database_reader *reader, char *text)
{
    char *why = strchr(text, ' ');
    if (!why)
        return database_refuse(reader, "refused takes a kernel and a reason");
    *why++ = 0;
    if (!add_kernel(reader, text) || !database_copy(reader, &reader->kernel->refusal, why))
        return false;
    reader->kernel = NULL;
    return true;
}

/* ---- lines of a kernel ---- */

static bool take_source(struct database_reader *reader, char *value)
{
    return database_copy(reader, &reader->kernel->source, value);
}

static bool take_coordinates(struct database_reader *reader, char *value)
{
    char *rest;
    for (char *name = strtok_r(value, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        if (!access_add_coordinate(reader->kernel->space, name, reader->reason))
            return false;
    return true;
}

static bool take_split(struct database_reader *reader, char *value)
{
    if (strlen(value) != 1 || !strchr("xyz-", *value))
        return database_refuse(reader, "split is x, y, z or -, not %.40s", value);
    reader->kernel->split = *value;
    return true;
}

static bool take_invalid(struct database_reader *reader, char *value)
{
    return access_set_invalid(reader->database->isl, reader->kernel->space, value, reader->reason);
}

static bool take_define(struct database_reader *reader, char *value)
{
    return access_add_definition(reader->kernel->space, value, reader->reason);
}

static bool open_argument(struct database_reader *reader, char *value)
{
    struct database_kernel *kernel = reader->kernel;
    char expected[32];
    if (!database_end_argument(reader))
        return false;
    snprintf(expected, sizeof expected, "%zu", kernel->argument_count);
    if (strcmp(expected, value) != 0)
        return database_refuse(reader, "argument %s expected, not %.40s", expected, value);
    if (kernel->space->coordinate_count == 0)
        return database_refuse(reader, "coordinates must come before the arguments");
    void *arguments = grow(kernel->arguments, kernel->argument_count, sizeof *kernel->arguments);
    if (!arguments)
        return database_refuse(reader, "there is no memory");
    kernel->arguments = arguments;
    reader->argument = &kernel->arguments[kernel->argument_count++];
    *reader->argument = (struct database_argument){.fundamental = 'i'};
    reader->argument_keys = 0;
    return true;
}

static bool close_kernel(struct database_reader *reader, char *value);

static const struct {
    const char *key;
    bool (*take)(struct database_reader *reader, char *value);
    bool needed, repeated;
} keys[] = {
    {"source", take_source, true, false}, {"coordinates", take_coordinates, true, false},
    {"split", take_split, true, false},   {"invalid", take_invalid, true, false},
    {"define", take_define, false, true}, {"argument", open_argument, false, true},
    {"end", close_kernel, false, false},
};
enum { KEYS = sizeof keys / sizeof *keys };

static bool close_kernel(struct database_reader *reader, char *value)
{
    if (*value)
        return database_refuse(reader, "end stands alone");
    if (!database_end_argument(reader))
        return false;
    for (unsigned i = 0; i < KEYS; i++)
        if (keys[i].needed && !(reader->kernel_keys & (1u << i)))
            return database_refuse(reader, "the kernel before has no %s", keys[i].key);
    if (!access_check_kernel(reader->kernel, reader->reason))
        return false;
    access_find_dependence(reader->kernel);
    reader->kernel = NULL;
    return true;
}

static bool kernel_key(struct database_reader *reader, const char *key, char *value, bool *known)
{
    for (unsigned i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].key, key) != 0)
            continue;
        *known = true;
        if (!keys[i].repeated && (reader->kernel_keys & (1u << i)))
            return database_refuse(reader, "a second %s of one kernel", key);
        reader->kernel_keys |= 1u << i;
        return keys[i].take(reader, value);
    }
    *known = false;
    return true;
}

/* ---- all lines ---- */

/* Cuts the line into its first word and the rest, which may be empty. */
static char *split_line(char *line, char **rest)
{
    char *key = line + strspn(line, " ");
    size_t length = strcspn(key, " ");
    *rest = key + length;
    if (**rest) {
        *(*rest)++ = 0;
        *rest += strspn(*rest, " ");
    }
    return key;
}

bool database_read_line(struct database_reader *reader, char *line)
{
    char *value, *key = split_line(line, &value);
    bool known = false;
    if (*key == 0)
        return true;
    if (*value == 0 && strcmp(key, "end") != 0)
        return database_refuse(reader, "nothing follows %.80s", key);
    if (reader->argument && !database_argument_key(reader, key, value, &known))
        return false;
    if (!known && reader->kernel && !kernel_key(reader, key, value, &known))
        return false;
    if (known)
        return true;
    if (!reader->kernel && strcmp(key, "kernel") == 0)
        return open_kernel(reader, value);
    if (!reader->kernel && strcmp(key, "refused") == 0)
        return refused_kernel(reader, value);
    return database_refuse(reader, "%.80s is not expected here", key);
}

bool database_end(struct database_reader *reader)
{
    return !reader->kernel ||
           database_refuse(reader, "kernel %.80s has no end", reader->kernel->name);
}
