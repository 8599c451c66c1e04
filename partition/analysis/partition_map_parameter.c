/* partition_map_parameter.c: what Polly's parameters are at launch.
 *
 * A parameter is printed as a "scalar evolution": %N, (%nx * %ny)<nsw>, (sext
 * i32 %n to i64), or something that changes in a loop or comes from memory,
 * which a launch cannot know. */
#include <stdlib.h>
#include <string.h>

#include "partition/expression.h"

#include "partition_map.h"

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

static unsigned bits_of(struct map_kernel *kernel, const char *name)
{
    enum { LAUNCH_BITS = 32 };
    const struct map_argument *argument = map_find_argument(kernel, name);
    return argument ? argument->bits : LAUNCH_BITS;
}

/* An expression that is being put into the data base's form. */
struct reading {
    struct map_kernel *kernel;
    isl_ctx *isl;
    const char *name; /* of the parameter */
    unsigned parts;   /* expressions within it that have a name of their own */
    unsigned bits;    /* of its type */
    char *out;
};

static bool read_expression(struct reading *reading, const char *text, const char *end);

/* The values of an integer type. Polly's integers wrap and those of the data base do not; as + - *
 * keep remainders, both agree wherever the result is one of the type, whatever wrapped on the way.
 */
static void keep_in_type(struct reading *reading, const char *name, const char *text,
                         const char *end)
{
    static const char no_wrap[] = "<nsw>"; /* it is undefined if it wraps */
    size_t length = strlen(no_wrap);
    bool wraps = end - text < (ptrdiff_t)length || memcmp(end - length, no_wrap, length) != 0;
    if (!wraps || !reading->bits || reading->bits >= 64)
        return;
    long long bound = 1LL << (reading->bits - 1);
    map_add_invalid(
        reading->kernel,
        isl_set_read_from_str(reading->isl, map_format("[%s] -> { : %s < %lld or %s >= %lld }",
                                                       name, name, -bound, name, bound)));
}

void map_add_definition(struct map_kernel *kernel, const char *name, const char *expression)
{
    struct map_parameter parameter = {.name = map_copy(name, strlen(name)),
                                      .expression = map_copy(expression, strlen(expression)),
                                      .meaning = MAP_DEFINED};
    kernel->parameters = map_grow(kernel->parameters, kernel->parameter_count, sizeof parameter);
    kernel->parameters[kernel->parameter_count++] = parameter;
}

/* What is extended: a name, or an expression that must be in its type's range before. */
static bool read_extended(struct reading *reading, const char *text, const char *end)
{
    bool is_name = *text == '%' && text + 1 + map_name_length(text + 1) == end;
    struct reading inner = *reading;
    inner.bits = 0;
    if (!is_name)
        inner.name = map_format("%s_%u", reading->name, ++reading->parts);
    if (!read_expression(&inner, text, end))
        return false;
    if (!is_name)
        map_add_definition(reading->kernel, inner.name, inner.out);
    reading->out = map_format("%s%s", reading->out, inner.out);
    return true;
}

/* Behind the parenthesis that closes what was opened before `text`. */
static const char *behind_closing(const char *text, const char *end)
{
    for (int depth = 1; text < end && depth > 0; text++)
        depth += (*text == '(') - (*text == ')');
    return text;
}

/* (sext i32 %n to i64): its value is that of %n. */
static bool read_extension(struct reading *reading, const char **text, const char *end)
{
    static const char to[] = " to i";
    const char *begin = *text + strlen("(sext i"), *behind = behind_closing(begin, end);
    const char *inner = begin + strspn(begin, "0123456789 "), *target = inner;
    for (const char *at = inner; at < behind; at++)
        if (map_starts(at, to))
            target = at;
    *text = behind;
    if (!reading->bits)
        reading->bits = (unsigned)strtoul(target + strlen(to), NULL, 10);
    return target > inner && read_extended(reading, inner, target);
}

static bool read_name(struct reading *reading, const char **text)
{
    size_t length = map_name_length(++*text);
    char *name = map_isl_name(*text, length);
    *text += length;
    reading->out = map_format("%s%s", reading->out, name);
    if (!reading->bits)
        reading->bits = bits_of(reading->kernel, name);
    return meaning_of(reading->kernel, name) != MAP_UNKNOWN;
}

/* Appends what is at *text; false if the data base has no form for it. */
static bool read_token(struct reading *reading, const char **text, const char *end)
{
    const char *at = *text;
    if (map_starts(at, "(sext i"))
        return read_extension(reading, text, end);
    if (*at == '%')
        return read_name(reading, text);
    if (*at == '<') { /* a promise not to wrap */
        *text = at + strcspn(at, ">") + 1;
        return at[1] == 'n' && (*text)[-1] == '>';
    }
    *text = at + 1;
    reading->out = map_format("%s%c", reading->out, *at);
    return isdigit((unsigned char)*at) || strchr(" +-*()", *at);
}

/* Reads [text, end), whose value is the parameter or part of it that is named. */
static bool read_expression(struct reading *reading, const char *text, const char *end)
{
    bool is_known = true;
    reading->out = "";
    for (const char *at = text; is_known && at < end;)
        is_known = read_token(reading, &at, end);
    bool is_name = *text == '%' && text + 1 + map_name_length(text + 1) == end;
    if (is_known && !is_name)
        keep_in_type(reading, reading->name, text, end);
    return is_known;
}

void map_classify_parameter(struct map_kernel *kernel, isl_ctx *isl,
                            struct map_parameter *parameter)
{
    const char *text = parameter->expression;
    struct reading reading = {.kernel = kernel, .isl = isl, .name = parameter->name};
    bool is_known = read_expression(&reading, text, text + strlen(text));
    bool is_itself = strcmp(reading.out, parameter->name) == 0;
    if (is_known)
        parameter->expression = reading.out;
    parameter->meaning = !is_known   ? MAP_UNKNOWN
                         : is_itself ? meaning_of(kernel, reading.out)
                                     : MAP_DEFINED;
    if (!is_itself && map_find_argument(kernel, parameter->name))
        map_refuse(kernel, "argument %s has a name that the analysis uses itself: rename it",
                   parameter->name);
}

struct names {
    int64_t (*value)(void *context, const char *name);
    void *context;
};

static enum dm_status name_value(const void *context, const char *name, int64_t *value)
{
    const struct names *names = context;
    *value = names->value(names->context, name);
    return DM_OK;
}

int64_t map_evaluate(const char *expression, int64_t (*value)(void *context, const char *name),
                     void *context)
{
    struct names names = {value, context};
    int64_t number;
    if (expression_evaluate(expression, name_value, &names, &number) != DM_OK)
        map_fail("the expression %s: %s", expression, dm_message());
    return number;
}
