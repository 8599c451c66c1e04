/* partition_map_parameter.c: what Polly's parameters are at launch: sums and products of arguments
 * and the launch's sizes, or something that changes in a loop or comes from memory, which a launch
 * cannot know. */
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

/* A value that is being put into the data base's form. */
struct reading {
    struct map_kernel *kernel;
    isl_ctx *isl;
    const char *name; /* of the parameter */
    unsigned parts;   /* expressions within it that have a name of their own */
};

/* Its form in the data base; NULL: the launch does not know it. */
static char *read_value(struct reading *reading, const json_t *value);

/* The values of an integer type. LLVM's integers wrap and those of the data base do not; as + - *
 * keep remainders, both agree wherever the result is one of the type, whatever wrapped on the way.
 */
static void keep_in_type(const struct reading *reading, const json_t *value)
{
    json_int_t bits = json_integer_value(json_object_get(value, "bits"));
    bool wraps = !json_is_true(json_object_get(value, "nsw")); /* undefined if it wraps */
    if (!wraps || bits <= 0 || bits >= 64)
        return;
    long long bound = 1LL << (bits - 1);
    map_add_invalid(
        reading->kernel,
        isl_set_read_from_str(reading->isl,
                              map_format("[%s] -> { : %s < %lld or %s >= %lld }", reading->name,
                                         reading->name, -bound, reading->name, bound)));
}

void map_add_definition(struct map_kernel *kernel, const char *name, const char *expression)
{
    struct map_parameter parameter = {.name = map_copy(name, strlen(name)),
                                      .expression = map_copy(expression, strlen(expression)),
                                      .meaning = MAP_DEFINED};
    kernel->parameters = map_grow(kernel->parameters, kernel->parameter_count, sizeof parameter);
    kernel->parameters[kernel->parameter_count++] = parameter;
}

static bool is_operation(const json_t *value)
{
    return json_object_get(value, "sum") || json_object_get(value, "product");
}

/* The value of the parameter or part of it that is named. */
static char *read_whole(struct reading *reading, const json_t *value)
{
    char *text = read_value(reading, value);
    if (text && is_operation(value))
        keep_in_type(reading, value);
    return text;
}

/* What is extended: a name, or an expression that must be in its type's range before. */
static char *read_extended(struct reading *reading, const json_t *value)
{
    struct reading inner = *reading;
    if (!is_operation(value))
        return read_value(reading, value);
    inner.name = map_format("%s_%u", reading->name, ++reading->parts);
    char *text = read_whole(&inner, value);
    if (text)
        map_add_definition(reading->kernel, inner.name, text);
    return text;
}

static char *read_name(const struct reading *reading, const char *name)
{
    char *text = map_isl_name(name, strlen(name));
    return meaning_of(reading->kernel, text) == MAP_UNKNOWN ? NULL : text;
}

static char *read_operation(struct reading *reading, const json_t *operands, char sign)
{
    char *text = map_copy("(", 1);
    for (size_t i = 0; i < json_array_size(operands); i++) {
        char *operand = read_value(reading, json_array_get(operands, i));
        if (!operand)
            return NULL;
        text = i ? map_format("%s %c %s", text, sign, operand) : map_format("%s%s", text, operand);
    }
    return map_format("%s)", text);
}

static char *read_value(struct reading *reading, const json_t *value)
{
    const json_t *number = json_object_get(value, "number"), *name = json_object_get(value, "name"),
                 *extended = json_object_get(value, "extend"), *sum = json_object_get(value, "sum"),
                 *product = json_object_get(value, "product");
    if (json_is_integer(number))
        return map_format("%lld", (long long)json_integer_value(number));
    if (json_is_string(name))
        return read_name(reading, json_string_value(name));
    if (json_is_object(extended))
        return read_extended(reading, extended);
    if (json_array_size(sum) || json_array_size(product))
        return read_operation(reading, sum ? sum : product, sum ? '+' : '*');
    if (!json_is_null(value))
        map_fail("kernel %s: the parameter %s has a value of no known kind", reading->kernel->name,
                 reading->name);
    return NULL;
}

void map_classify_parameter(struct map_kernel *kernel, isl_ctx *isl,
                            struct map_parameter *parameter, const json_t *value)
{
    struct reading reading = {.kernel = kernel, .isl = isl, .name = parameter->name};
    char *text = read_whole(&reading, value);
    const char *name = json_string_value(json_object_get(value, "name"));
    bool is_itself = name && strcmp(map_isl_name(name, strlen(name)), parameter->name) == 0;
    /* Compared with no pointer, say, of which the launch's numbers say nothing. */
    bool is_pointer = !text && *parameter->expression == '%' &&
                      strcmp(parameter->expression + 1, parameter->name) == 0;
    if (text)
        parameter->expression = text;
    parameter->meaning = !text ? MAP_UNKNOWN : is_itself ? meaning_of(kernel, text) : MAP_DEFINED;
    if (!is_itself && !is_pointer && map_find_argument(kernel, parameter->name))
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
