#include "formula.h"

#include <string.h>

#include "common/error.h"

static void list_parameters(const struct tuner_space *space,
                            struct tuner_parameter parameters[TUNER_PARAMETERS_MAX])
{
    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        parameters[d] = *tuner_space_parameter(space, d);
}

enum dm_status formula_read(struct formula *formula, struct source_line *line,
                            const struct tuner_space *space)
{
    struct tuner_parameter parameters[TUNER_PARAMETERS_MAX];

    list_parameters(space, parameters);
    formula->expression = (struct expression){0};
    TRY(expression_read_part(line, parameters, tuner_space_dimensions(space),
                             &formula->expression));
    if (formula->expression.in_reals)
        return line_error(line, "a formula has whole numbers alone");
    return DM_OK;
}

enum dm_status formula_value(const struct formula *formula, const struct tuner_space *space,
                             size_t configuration, int64_t *value)
{
    struct range ranges[TUNER_PARAMETERS_MAX] = {{0}};

    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        ranges[d].low = ranges[d].high = tuner_space_value(space, configuration, d);
    struct range result = expression_range(&formula->expression, ranges);
    *value = result.low;
    if (!result.fails)
        return DM_OK;
    return dm_fail(DM_INVALID, "a formula has no value: a division by zero or an overflow");
}

enum dm_status formula_read_list(struct formula *formulas, size_t *count, size_t count_max,
                                 const char *text, const char *name,
                                 const struct tuner_space *space)
{
    struct source_line line = {text, text + strlen(text), name, 1};

    *count = 0;
    do {
        if (*count == count_max)
            return line_error(&line, "there are more than %zu numbers", count_max);
        TRY(formula_read(&formulas[*count], &line, space));
        ++*count;
    } while (line_take(&line, ","));
    return line_ended(&line) ? DM_OK : line_expected(&line, "a comma");
}
