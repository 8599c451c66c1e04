/* database_lines.c: kernels and their lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database_internal.h"

/* Makes room for one more; the caller counts it. */
static void *grow(void *items, size_t count, size_t size)
{
    bool is_full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, 8 ... */
    return is_full ? realloc(items, (count ? 2 * count : 1) * size) : items;
}

/* ---- kernels ---- */

static enum dm_status add_kernel(struct database_reader *reader, const char *name)
{
    struct partition_database *database = reader->database;
    if (partition_database_find(database, name))
        return dm_fail(DM_INVALID, "a second kernel %.80s", name);
    void *kernels = grow(database->kernels, database->kernel_count, sizeof *database->kernels);
    if (!kernels)
        return error_no_memory((database->kernel_count + 1) * sizeof *database->kernels);
    database->kernels = kernels;
    struct partition_kernel *kernel = &database->kernels[database->kernel_count];
    *kernel = (struct partition_kernel){.split = '-'};
    TRY(database_copy(&kernel->name, name));
    database->kernel_count++;
    reader->kernel = kernel;
    reader->kernel_keys = 0;
    return DM_OK;
}

static enum dm_status open_kernel(struct database_reader *reader, char *name)
{
    if (name[strcspn(name, " ")] != 0)
        return dm_fail(DM_INVALID, "a kernel has a name of one word, not %.80s", name);
    TRY(add_kernel(reader, name));
    reader->kernel->space = calloc(1, sizeof *reader->kernel->space);
    return reader->kernel->space ? DM_OK : error_no_memory(sizeof *reader->kernel->space);
}

static enum dm_status refused_kernel(struct database_reader *reader, char *text)
{
    char *why = strchr(text, ' ');
    if (!why)
        return dm_fail(DM_INVALID, "refused takes a kernel and a reason");
    *why++ = 0;
    TRY(add_kernel(reader, text));
    TRY(database_copy(&reader->kernel->refusal, why));
    reader->kernel = NULL;
    return DM_OK;
}

/* ---- lines of a kernel ---- */

static enum dm_status take_source(struct database_reader *reader, char *value)
{
    return database_copy(&reader->kernel->source, value);
}

static enum dm_status take_coordinates(struct database_reader *reader, char *value)
{
    char *rest;
    for (char *name = strtok_r(value, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        TRY(access_add_coordinate(reader->kernel->space, name));
    return DM_OK;
}

static enum dm_status take_split(struct database_reader *reader, char *value)
{
    if (strlen(value) != 1 || !strchr("xyz-", *value))
        return dm_fail(DM_INVALID, "split is x, y, z or -, not %.40s", value);
    reader->kernel->split = *value;
    return DM_OK;
}

static enum dm_status take_invalid(struct database_reader *reader, char *value)
{
    return access_add_invalid(reader->database->isl, reader->kernel->space, value);
}

static enum dm_status take_define(struct database_reader *reader, char *value)
{
    return access_add_definition(reader->kernel->space, value);
}

static bool had_key(const struct database_reader *reader, const char *key);

static enum dm_status open_argument(struct database_reader *reader, char *value)
{
    struct partition_kernel *kernel = reader->kernel;
    char expected[32];
    TRY(database_end_argument(reader));
    snprintf(expected, sizeof expected, "%zu", kernel->argument_count);
    if (strcmp(expected, value) != 0)
        return dm_fail(DM_INVALID, "argument %s expected, not %.40s", expected, value);
    if (!had_key(reader, "coordinates"))
        return dm_fail(DM_INVALID, "coordinates must come before the arguments");
    void *arguments = grow(kernel->arguments, kernel->argument_count, sizeof *kernel->arguments);
    if (!arguments)
        return error_no_memory((kernel->argument_count + 1) * sizeof *kernel->arguments);
    kernel->arguments = arguments;
    reader->argument = &kernel->arguments[kernel->argument_count++];
    *reader->argument = (struct partition_argument){.fundamental = 'i'};
    reader->argument_keys = 0;
    return DM_OK;
}

static enum dm_status close_kernel(struct database_reader *reader, char *value);

static const struct {
    const char *key;
    enum dm_status (*take)(struct database_reader *reader, char *value);
    bool needed, repeated;
} keys[] = {
    {"source", take_source, true, false}, {"coordinates", take_coordinates, true, false},
    {"split", take_split, true, false},   {"invalid", take_invalid, true, true},
    {"define", take_define, false, true}, {"argument", open_argument, false, true},
    {"end", close_kernel, false, false},
};
enum { KEYS = sizeof keys / sizeof *keys };

static bool had_key(const struct database_reader *reader, const char *key)
{
    for (unsigned i = 0; i < KEYS; i++)
        if (!strcmp(keys[i].key, key))
            return reader->kernel_keys & 1u << i;
    return false;
}

static enum dm_status close_kernel(struct database_reader *reader, char *value)
{
    if (*value)
        return dm_fail(DM_INVALID, "end stands alone");
    TRY(database_end_argument(reader));
    for (unsigned i = 0; i < KEYS; i++)
        if (keys[i].needed && !(reader->kernel_keys & (1u << i)))
            return dm_fail(DM_INVALID, "the kernel before has no %s", keys[i].key);
    TRY(access_check_kernel(reader->kernel));
    access_find_dependence(reader->kernel);
    reader->kernel = NULL;
    return DM_OK;
}

static enum dm_status kernel_key(struct database_reader *reader, const char *key, char *value,
                                 bool *known)
{
    for (unsigned i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].key, key) != 0)
            continue;
        *known = true;
        if (!keys[i].repeated && (reader->kernel_keys & (1u << i)))
            return dm_fail(DM_INVALID, "a second %s of one kernel", key);
        reader->kernel_keys |= 1u << i;
        return keys[i].take(reader, value);
    }
    *known = false;
    return DM_OK;
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

/* source_hash is for partition-bind, which compares it with the source. */
static enum dm_status take_hash(struct database_reader *reader, const char *key, const char *value)
{
    enum { DIGITS = 16 };
    struct partition_database *database = reader->database;
    if (strlen(value) != DIGITS || strspn(value, "0123456789abcdef") != DIGITS)
        return dm_fail(DM_INVALID, "%s takes 16 hexadecimal digits, not %.40s", key, value);
    if (strcmp(key, "module") != 0)
        return DM_OK;
    void *modules = grow(database->modules, database->module_count, sizeof *database->modules);
    if (!modules)
        return error_no_memory((database->module_count + 1) * sizeof *database->modules);
    database->modules = modules;
    database->modules[database->module_count++] = strtoull(value, NULL, 16);
    return DM_OK;
}

/* KERNEL LETTERS, of those that are `known` */
static enum dm_status take_letters(struct database_reader *reader, const char *key, char *value)
{
    bool is_touches = strcmp(key, "touches") == 0;
    const char *known = is_touches ? "-rw" : "-i";
    char *letters = strchr(value, ' ');
    if (!letters)
        return dm_fail(DM_INVALID, "%s takes a kernel and a letter for each argument", key);
    *letters++ = 0;
    struct partition_kernel *kernel = partition_database_find(reader->database, value);
    if (!kernel)
        return dm_fail(DM_INVALID, "no kernel %.80s before its %s", value, key);
    if (!*letters || letters[strspn(letters, known)])
        return dm_fail(DM_INVALID, "%s takes letters of %s, not %.40s", key, known, letters);
    if (!kernel->refusal && strlen(letters) != kernel->argument_count)
        return dm_fail(DM_INVALID, "%s has %zu letters, but %.80s has %zu arguments", key,
                       strlen(letters), value, kernel->argument_count);
    return database_copy(is_touches ? &kernel->touches : &kernel->numbers, letters);
}

enum dm_status database_read_line(struct database_reader *reader, char *line)
{
    char *value, *key = split_line(line, &value);
    bool known = false;
    if (*key == 0)
        return DM_OK;
    /* A kernel without coordinates does the same in all threads. */
    if (*value == 0 && strcmp(key, "end") != 0 && strcmp(key, "coordinates") != 0)
        return dm_fail(DM_INVALID, "nothing follows %.80s", key);
    if (reader->argument)
        TRY(database_argument_key(reader, key, value, &known));
    if (!known && reader->kernel)
        TRY(kernel_key(reader, key, value, &known));
    if (known)
        return DM_OK;
    if (!reader->kernel && strcmp(key, "kernel") == 0)
        return open_kernel(reader, value);
    if (!reader->kernel && strcmp(key, "refused") == 0)
        return refused_kernel(reader, value);
    if (!reader->kernel && (strcmp(key, "module") == 0 || strcmp(key, "source_hash") == 0))
        return take_hash(reader, key, value);
    if (!reader->kernel && (strcmp(key, "touches") == 0 || strcmp(key, "numbers") == 0))
        return take_letters(reader, key, value);
    return dm_fail(DM_INVALID, "%.80s is not expected here", key);
}

enum dm_status database_end(struct database_reader *reader)
{
    if (reader->kernel)
        return dm_fail(DM_INVALID, "kernel %.80s has no end", reader->kernel->name);
    return DM_OK;
}
