/* Constraints: C's operators, read into postfix order. */
#include "expression.h"

#include <stdio.h>
#include <string.h>

#include "common/error.h"

enum { DEPTH_MAX = 32, SIGNS = 5 };

/* What was read last. Words become numbers when it is known which category they are compared with.
 */
struct operand {
    enum { NUMBER, CATEGORY, WORD } kind;
    size_t dimension;            /* of a category */
    size_t operation;            /* of a word: where its number will be */
    char word[TUNER_NAME_BYTES]; /* of a word */
};

struct reader {
    struct source_line *line;
    const struct tuner_parameter *parameters;
    size_t parameter_count;
    struct expression *expression;
    int depth;
};

struct sign {
    const char *text;
    enum operator_kind kind;
};

/* From loose to tight; a sign stands before its own beginnings. */
static const struct sign levels[][SIGNS] = {
    {{"||", OP_OR}},
    {{"&&", OP_AND}},
    {{"==", OP_EQUAL}, {"!=", OP_UNEQUAL}},
    {{"<=", OP_LESS_EQUAL}, {">=", OP_GREATER_EQUAL}, {"<", OP_LESS}, {">", OP_GREATER}},
    {{"+", OP_PLUS}, {"-", OP_MINUS}},
    {{"*", OP_TIMES}, {"/", OP_DIVIDE}, {"%", OP_REMAINDER}},
};
enum { LEVELS = sizeof levels / sizeof *levels };

static enum dm_status emit(struct reader *reader, enum operator_kind kind, int64_t operand)
{
    struct expression *expression = reader->expression;
    if (expression->count == OPERATIONS_MAX)
        return line_error(reader->line, "a constraint has at most %d names, numbers and operators",
                          OPERATIONS_MAX);
    expression->operations[expression->count++] =
        (struct operation){.kind = kind, .operand = operand};
    return DM_OK;
}

static enum dm_status need_number(struct reader *reader, const struct operand *operand)
{
    if (operand->kind == WORD)
        return line_error(reader->line, "\"%s\" can only be compared with a category, by == or !=",
                          operand->word);
    if (operand->kind == CATEGORY)
        return line_error(reader->line,
                          "%s is a category: it can only be compared with a word in quotes, by == "
                          "or !=",
                          reader->parameters[operand->dimension].name);
    return DM_OK;
}

/* Gives a word its number among those of the category that it is compared with. */
static enum dm_status compare_words(struct reader *reader, const struct operand *word,
                                    const struct operand *category)
{
    const struct tuner_parameter *parameter = &reader->parameters[category->dimension];
    for (size_t i = 0; i < parameter->count; i++)
        if (strcmp(parameter->words[i], word->word) == 0) {
            reader->expression->operations[word->operation].operand = (int64_t)i;
            return DM_OK;
        }
    return line_error(reader->line, "%s has no word \"%s\"", parameter->name, word->word);
}

static enum dm_status check_operands(struct reader *reader, enum operator_kind kind,
                                     const struct operand *left, const struct operand *right)
{
    if (kind == OP_EQUAL || kind == OP_UNEQUAL) {
        if (left->kind == WORD && right->kind == CATEGORY)
            return compare_words(reader, left, right);
        if (left->kind == CATEGORY && right->kind == WORD)
            return compare_words(reader, right, left);
    }
    TRY(need_number(reader, left));
    return need_number(reader, right);
}

static enum dm_status read_level(struct reader *reader, size_t level, struct operand *operand);

static enum dm_status need_sign(struct reader *reader, const char *sign)
{
    char wanted[8];
    snprintf(wanted, sizeof wanted, "`%s`", sign);
    return line_take(reader->line, sign) ? DM_OK : line_expected(reader->line, wanted);
}

/* The brackets of min and max, behind the name. */
static enum dm_status read_call(struct reader *reader, enum operator_kind kind,
                                struct operand *operand)
{
    struct operand second;
    TRY(need_sign(reader, "("));
    TRY(read_level(reader, 0, operand));
    TRY(need_sign(reader, ","));
    TRY(read_level(reader, 0, &second));
    TRY(need_sign(reader, ")"));
    TRY(need_number(reader, operand));
    TRY(need_number(reader, &second));
    return emit(reader, kind, 0);
}

static enum dm_status read_name(struct reader *reader, struct operand *operand)
{
    char name[TUNER_NAME_BYTES];
    TRY(line_name(reader->line, name));
    if (strcmp(name, "min") == 0)
        return read_call(reader, OP_MINIMUM, operand);
    if (strcmp(name, "max") == 0)
        return read_call(reader, OP_MAXIMUM, operand);
    for (size_t d = 0; d < reader->parameter_count; d++)
        if (strcmp(reader->parameters[d].name, name) == 0) {
            operand->kind = reader->parameters[d].kind == TUNER_CATEGORY ? CATEGORY : NUMBER;
            operand->dimension = d;
            bool reals = reader->parameters[d].kind == TUNER_REALS;
            reader->expression->in_reals |= reals;
            return emit(reader, reals ? OP_REALS : OP_PARAMETER, (int64_t)d);
        }
    return line_error(reader->line, "unknown parameter %s: it must stand on a line before", name);
}

static enum dm_status read_changed(struct reader *reader, enum operator_kind kind,
                                   struct operand *operand)
{
    TRY(read_level(reader, LEVELS, operand));
    TRY(need_number(reader, operand));
    return emit(reader, kind, 0);
}

static enum dm_status read_brackets(struct reader *reader, struct operand *operand)
{
    TRY(read_level(reader, 0, operand));
    return need_sign(reader, ")");
}

static enum dm_status read_word(struct reader *reader, struct operand *operand)
{
    operand->kind = WORD;
    operand->operation = reader->expression->count;
    TRY(line_quoted(reader->line, operand->word));
    return emit(reader, OP_NUMBER, 0);
}

/* A name, a number, a word, or what brackets and signs before them make of it. */
static enum dm_status read_nested(struct reader *reader, struct operand *operand)
{
    struct source_line *line = reader->line;
    if (line_take(line, "!"))
        return read_changed(reader, OP_NOT, operand);
    if (line_take(line, "-"))
        return read_changed(reader, OP_NEGATIVE, operand);
    if (line_take(line, "("))
        return read_brackets(reader, operand);
    if (line_name_length(line))
        return read_name(reader, operand);
    if (!line_ended(line) && *line->at == '"')
        return read_word(reader, operand);
    if (line_ended(line) || *line->at < '0' || *line->at > '9')
        return line_expected(line, "a name, a number or `(`");
    int64_t number;
    double real;
    if (line_take_real(line, &real)) {
        TRY(emit(reader, OP_REAL, 0));
        reader->expression->operations[reader->expression->count - 1].real = real;
        reader->expression->in_reals = true;
        return DM_OK;
    }
    TRY(line_number(line, false, &number));
    return emit(reader, OP_NUMBER, number);
}

static enum dm_status read_operand(struct reader *reader, struct operand *operand)
{
    if (reader->depth == DEPTH_MAX)
        return line_error(reader->line, "brackets and signs nest at most %d deep", DEPTH_MAX);
    *operand = (struct operand){.kind = NUMBER};
    reader->depth++;
    enum dm_status status = read_nested(reader, operand);
    reader->depth--;
    return status;
}

static const struct sign *take_sign(struct reader *reader, size_t level)
{
    for (const struct sign *sign = levels[level]; sign < levels[level] + SIGNS && sign->text;
         sign++)
        if (line_take(reader->line, sign->text))
            return sign;
    return NULL;
}

/* Operands of the signs of this level and of all tighter ones. */
static enum dm_status read_level(struct reader *reader, size_t level, struct operand *operand)
{
    if (level == LEVELS)
        return read_operand(reader, operand);
    TRY(read_level(reader, level + 1, operand));
    for (const struct sign *sign; (sign = take_sign(reader, level));) {
        struct operand right;
        TRY(read_level(reader, level + 1, &right));
        TRY(check_operands(reader, sign->kind, operand, &right));
        TRY(emit(reader, sign->kind, 0));
        operand->kind = NUMBER;
    }
    return DM_OK;
}

enum dm_status expression_read_part(struct source_line *line,
                                    const struct tuner_parameter *parameters,
                                    size_t parameter_count, struct expression *expression)
{
    struct reader reader = {.line = line,
                            .parameters = parameters,
                            .parameter_count = parameter_count,
                            .expression = expression};
    struct operand operand;
    expression->count = 0;
    expression->in_reals = false;
    TRY(read_level(&reader, 0, &operand));
    return need_number(&reader, &operand);
}

enum dm_status expression_read(struct source_line *line, const struct tuner_parameter *parameters,
                               size_t parameter_count, struct expression *expression)
{
    TRY(expression_read_part(line, parameters, parameter_count, expression));
    return line_ended(line) ? DM_OK : line_expected(line, "an operator");
}

enum dm_status expression_or_first(struct expression *expression, const struct source_line *line,
                                   const struct tuner_parameter *parameters, size_t dimension)
{
    const struct tuner_parameter *parameter = &parameters[dimension];
    const bool reals = parameter->kind == TUNER_REALS;
    const struct operation added[] = {
        {.kind = reals ? OP_REALS : OP_PARAMETER, .operand = (int64_t)dimension},
        {.kind = reals ? OP_REAL : OP_NUMBER,
         .operand = parameter->values[0],
         .real = reals ? parameter->reals[0] : 0.0},
        {.kind = OP_EQUAL},
        {.kind = OP_OR}};
    const size_t count = sizeof added / sizeof *added;

    if (expression->count + count > OPERATIONS_MAX)
        return line_error(line, "a condition has at most %zu names, numbers and operators",
                          OPERATIONS_MAX - count);
    memcpy(expression->operations + expression->count, added, sizeof added);
    expression->count += count;
    expression->in_reals |= reals;
    return DM_OK;
}
