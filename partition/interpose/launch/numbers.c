/* numbers.c: kernels that are analysed for one launch alone. */
#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "partition/interpose/modules/database_cache.h"

/* Each keeps its data base. A program whose numbers always change comes to know it soon. */
enum { NUMBERED_MAX = 256, NUMBER_BYTES = 24 };

struct numbered {
    struct numbered *next;
    char *text; /* the launch, as for partition-analyse --launch */
    struct partition_database *database;
    const struct partition_kernel *kernel; /* NULL: it is refused nevertheless */
};

static void free_one(struct numbered *one)
{
    partition_database_free(one->database);
    free(one->text);
    free(one);
}

void numbers_free(struct function *function)
{
    while (function->numbered) {
        struct numbered *one = function->numbered;
        function->numbered = one->next;
        free_one(one);
    }
}

/* The integer of so many bytes, with its sign, or - for what is none. */
static int write_value(char *text, const char *value, size_t bytes, bool is_integer)
{
    uint64_t number = 0;
    if (!is_integer || !bytes || bytes > sizeof number)
        return sprintf(text, "-");
    memcpy(&number, value, bytes);
    unsigned unused = 64 - 8 * (unsigned)bytes;
    return sprintf(text, "%lld", (long long)((int64_t)(number << unused) >> unused));
}

/* The caller frees it; NULL without memory. */
static char *write_launch(const struct launch *launch)
{
    const struct function *function = launch->function;
    const unsigned *grid = launch->shape.grid, *block = launch->shape.block;
    char *text = malloc(strlen(function->name) + 6 * NUMBER_BYTES +
                        (function->parameters + 1) * NUMBER_BYTES);
    if (!text)
        return NULL;
    char *end = text + sprintf(text, "%s:%u,%u,%u:%u,%u,%u:", function->name, grid[0], grid[1],
                               grid[2], block[0], block[1], block[2]);
    for (size_t i = 0; i < function->parameters; i++) {
        if (i)
            *end++ = ',';
        end += write_value(end, launch->arguments + function->offset[i], function->size[i],
                           function->kernel->numbers[i] == 'i');
    }
    return text;
}

static const struct numbered *find(const struct function *function, const char *text, int *count)
{
    *count = 0;
    for (const struct numbered *one = function->numbered; one; one = one->next, ++*count)
        if (strcmp(one->text, text) == 0)
            return one;
    return NULL;
}

/* What the data base of the launch says. */
static enum dm_status load(const struct virtual_gpu *gpu, struct function *function,
                           struct numbered *one)
{
    const char *ptx = function->module->text;
    char *name;
    TRY(database_cache_get(&gpu->settings, ptx, one->text, &name));
    enum dm_status status = partition_database_load(&one->database, name);
    free(name);
    if (status == DM_OK)
        status = partition_database_check(one->database, ptx, strlen(ptx));
    if (status != DM_OK)
        return status;
    const struct partition_kernel *kernel = partition_database_find(one->database, function->name);
    if (!kernel || kernel->refusal)
        return dm_fail(DM_UNAVAILABLE, "%s", kernel ? kernel->refusal : "it is not there");
    TRY(functions_check(function, kernel));
    one->kernel = kernel;
    return DM_OK;
}

/* Takes the text. Only so many launches are analysed; those that others had analysed cost little.
 */
static const struct partition_kernel *add(const struct virtual_gpu *gpu, struct function *function,
                                          char *text)
{
    bool is_there = database_cache_has(&gpu->settings, function->module->text, text);
    bool may_be = is_there || function->analysed < gpu->settings.numbers;
    struct numbered *one = may_be ? calloc(1, sizeof *one) : NULL;
    if (!one) {
        free(text);
        return NULL;
    }
    one->text = text;
    one->next = function->numbered;
    function->numbered = one;
    function->analysed += !is_there;
    return load(gpu, function, one) == DM_OK ? one->kernel : NULL;
}

const struct partition_kernel *numbers_kernel(struct virtual_gpu *gpu, const struct launch *launch)
{
    int count;
    struct function *function = launch->function;
    if (!function->by_numbers || !gpu->settings.numbers || gpu->devices < 2)
        return NULL;
    char *text = write_launch(launch);
    const struct numbered *known = text ? find(function, text, &count) : NULL;
    if (text && !known && count < NUMBERED_MAX)
        return add(gpu, function, text);
    free(text);
    return known ? known->kernel : NULL;
}
