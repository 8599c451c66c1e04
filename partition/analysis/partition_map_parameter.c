/* partition_map_parameter.c: what Polly's parameters are at launch.
 *
 * A parameter is printed as a "scalar evolution": %N, (%nx * %ny)<nsw>, (sext
 * i32 %n to i64), or something that changes in a loop or comes from memory,
 * which a launch cannot know. */
#include "partition_map.h"

#include <ctype.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static enum map_meaning meaning_of(struct map_kernel *kernel, const char *name)
{
    static const char *const launch[] = {"launch_size_", "launch_block_", "launch_grid_"};
    struct map_argument *argument = map_find_argument(kernel, name);
    if (argument)
        return argument->integer ? MAP_ARGUMENT : MAP_UNKNOWN;
    for (size_t i = 0; i < sizeof launch / sizeof *launch; i++) {
        size_t length = strlen(launch[i]);
        if (map_starts(name, launch[i]) && strlen(name) == length + 1 &&
            strchr("xyz", name[length]))
            return MAP_LAUNCH;
    }
    return MAP_UNKNOWN;
}

/* Appends what is at *text to `out` in the data base's form; false if it has
 * none. */
static bool take_token(struct map_kernel *kernel, const char **text, char *out)
{
    size_t length = strlen(out);
    const char *at = *text;
    if (*at == '%') {
        size_t name_length = map_name_length(++at);
        char *name = map_isl_name(at, name_length);
        *text = at + name_length;
        strcpy(out + length, name);
        return meaning_of(kernel, name) != MAP_UNKNOWN;
    }
    if (*at == '<') { /* a promise not to wrap */
        *text = at + strcspn(at, ">") + 1;
        return at[1] == 'n' && (*text)[-1] == '>';
    }
    *text = at + 1;
    out[length] = *at;
    return isdigit((unsigned char)*at) || (*at && strchr(" +-*()", *at));
}

/* (sext i32 %n to i64): its value is that of %n. */
static bool skip_extension(const char **text)
{
    if (!map_starts(*text, "sext i"))
        return false;
    *text += strlen("sext i");
    *text += strspn(*text, "0123456789 ");
    return true;
}

static bool skip_target(const char **text)
{
    if (!map_starts(*text, " to i"))
        return false;
    *text += strlen(" to i");
    *text += strspn(*text, "0123456789");
    return true;
}

void map_classify_parameter(struct map_kernel *kernel, struct map_parameter *parameter)
{
    const char *text = parameter->expression;
    char *out = map_allocate(strlen(text) + 1);
    bool is_known = true;
    while (is_known && *text)
        is_known = skip_extension(&text) || skip_target(&text) || take_token(kernel, &text, out);
    bool is_itself = strcmp(out, parameter->name) == 0;
    if (is_known)
        parameter->expression = out;
    parameter->meaning = !is_known   ? MAP_UNKNOWN
                         : is_itself ? meaning_of(kernel, out)
                                     : MAP_DEFINED;
    if (!is_itself && map_find_argument(kernel, parameter->name))
        map_refuse(kernel, "argument %s has a name that the analysis uses itself: rename it",
                   parameter->name);
}

int64_t map_evaluate(isl_ctx *isl, const char *expression,
                     int64_t (*value)(void *context, const char *name), void *context)
{
    char *numbers = map_copy("", 0);
    while (*expression) {
        bool is_name = isalpha((unsigned char)*expression) || *expression == '_';
        size_t length = is_name ? map_name_length(expression) : 1;
        char *token = map_copy(expression, length);
        numbers = is_name ? map_format("%s%lld", numbers, (long long)value(context, token))
                          : map_format("%s%s", numbers, token);
        expression += length;
    }
    isl_set *point = isl_set_read_from_str(isl, map_format("{ [v] : v = %s }", numbers));
    isl_val *result = point ? isl_set_plain_get_val_if_fixed(point, isl_dim_set, 0) : NULL;
    if (!result || !isl_val_is_int(result))
        map_fail("the expression %s is no number", numbers);
    int64_t number = isl_val_get_num_si(result);
    isl_val_free(result);
    isl_set_free(point);
    return number;
}
