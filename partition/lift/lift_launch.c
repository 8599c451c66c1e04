/* lift_launch.c: the numbers of a launch for which a kernel is lifted. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "lift.h"

/* A decimal number that ends with the given letter. */
static bool read_number(const char **text, char end, long long least, long long *number)
{
    char *behind;
    errno = 0;
    *number = strtoll(*text, &behind, 10);
    bool good = behind != *text && !errno && *behind == end && *number >= least;
    *text = end ? behind + 1 : behind;
    return good;
}

/* x,y,z: */
static bool read_sizes(const char **text, unsigned sizes[3])
{
    long long number;
    for (unsigned d = 0; d < 3; d++) {
        if (!read_number(text, d < 2 ? ',' : ':', 1, &number) || number > INT32_MAX)
            return false;
        sizes[d] = (unsigned)number;
    }
    return true;
}

static bool read_values(struct lift_memory *memory, struct lift_launch *launch, const char *text)
{
    size_t count = *text != 0;
    for (const char *at = text; *at; at++)
        count += *at == ',';
    launch->values = lift_allocate(memory, (count + 1) * sizeof *launch->values);
    launch->value_count = count;
    for (size_t i = 0; i < count; i++) {
        struct lift_number *value = &launch->values[i];
        char end = i + 1 < count ? ',' : 0;
        value->is_known = *text != '-' || (text[1] != end);
        long long number = 0;
        if (!value->is_known)
            text += 1 + (end != 0);
        else if (!read_number(&text, end, INT64_MIN, &number))
            return false;
        value->number = number;
    }
    return true;
}

enum dm_status lift_read_launch(struct lift_memory *memory, const char *text,
                                struct lift_launch *launch)
{
    const char *at = strchr(text, ':');
    *launch = (struct lift_launch){0};
    if (at)
        launch->kernel = lift_copy(memory, text, (size_t)(at - text));
    if (!at || at == text)
        return dm_fail(DM_INVALID, "%.60s is no launch: KERNEL:X,Y,Z:X,Y,Z:VALUE,-,...", text);
    at++;
    if (!read_sizes(&at, launch->grid) || !read_sizes(&at, launch->block) ||
        !read_values(memory, launch, at))
        return dm_fail(DM_INVALID, "the launch of %.60s has other numbers than expected: %.80s",
                       launch->kernel, at);
    return DM_OK;
}

bool lift_launch_value(const struct lift_kernel *kernel, const struct lift_parameter *parameter,
                       int64_t *number)
{
    const struct lift_launch *launch = kernel->module->launch;
    size_t i = (size_t)(parameter - kernel->parameters);
    if (!launch || i >= launch->value_count || !launch->values[i].is_known ||
        parameter->is_pointer || parameter->is_structure || parameter->type.kind == 'f')
        return false;
    *number = launch->values[i].number;
    return true;
}

static void write_equal(const char *kernel, const char *name, int64_t number, FILE *out)
{
    fprintf(out, "nonnegative %s (%s - %" PRId64 ")\n", kernel, name, number);
    fprintf(out, "nonnegative %s (%" PRId64 " - %s)\n", kernel, number, name);
}

void lift_write_launch(const struct lift_kernel *kernel, FILE *conditions)
{
    char name[32];
    const struct lift_launch *launch = kernel->module->launch;
    for (unsigned d = 0; d < 3; d++) {
        snprintf(name, sizeof name, "launch_grid_%c", 'x' + (int)d);
        write_equal(kernel->name, name, launch->grid[d], conditions);
        snprintf(name, sizeof name, "launch_block_%c", 'x' + (int)d);
        write_equal(kernel->name, name, launch->block[d], conditions);
    }
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        int64_t number;
        snprintf(name, sizeof name, "param_%zu", i);
        if (lift_launch_value(kernel, &kernel->parameters[i], &number))
            write_equal(kernel->name, name, number, conditions);
    }
}
