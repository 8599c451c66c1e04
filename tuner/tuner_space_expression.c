/* Constraints: C's operators, read into postfix order. */
#include "tuner_space_expression.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 32, SIGNS = 5 };

/* What was read last. Words become numbers when it is known which category they are compared with.
 */
struct operand {
    enum { NUMBER, CATEGORY, WORD } kind;
    size_t dimension;      /* of a category */
    size_t operation;      /* of a word: where its number will be */
    char word[TUNER_NAME]; /* of a word */
};

struct reader {
    struct tuner_text *text;
    const struct tuner_parameter *parameters;
    size_t parameter_count;
    struct tuner_expression *expression;
    int depth;
};

struct sign {
    const char *text;
    enum tuner_operator operator;
};

/* From loose to tight; a sign stands before its own beginnings. */
static const struct sign levels[][SIGNS] = {
    {{"||", TUNER_OR}},
    {{"&&", TUNER_AND}},
    {{"==", TUNER_EQUAL}, {"!=", TUNER_UNEQUAL}},
    {{"<=", TUNER_LESS_EQUAL},
     {">=", TUNER_GREATER_EQUAL},
     {"<", TUNER_LESS},
     {">", TUNER_GREATER}},
    {{"+", TUNER_PLUS}, {"-", TUNER_MINUS}},
    {{"*", TUNER_TIMES}, {"/", TUNER_DIVIDE}, {"%", TUNER_REMAINDER}},
};
enum { LEVELS = sizeof levels / sizeof *levels };

static bool emit(struct reader *reader, enum tuner_operator operator, int64_t operand)
{
    struct tuner_expression *expression = reader->expression;
    if (expression->count == TUNER_OPERATIONS)
        return tuner_text_refuse(reader->text,
                                 "a constraint has at most %d names, numbers and "
                                 "operators",
                                 TUNER_OPERATIONS);
    expression->operations[expression->count++] =
        (struct tuner_operation){.operator= operator, .operand = operand };
    return true;
}

static bool need_number(struct reader *reader, const struct operand *operand)
{
    if (operand->kind == WORD)
        return tuner_text_refuse(
            reader->text,
            "\"%s\" can only be compared with a category, by == or !=", operand->word);
    if (operand->kind == CATEGORY)
        return tuner_text_refuse(reader->text,
                                 "%s is a category: it can only be compared with a word in quotes, "
                                 "by == or !=",
                                 reader->parameters[operand->dimension].name);
    return true;
}

/* Gives a word its number among those of the category that it is compared with. */
static bool compare_words(struct reader *reader, const struct operand *word,
                          const struct operand *category)
{
    const struct tuner_parameter *parameter = &reader->parameters[category->dimension];
    for (size_t i = 0; i < parameter->count; i++)
        if (strcmp(parameter->words[i], word->word) == 0) {
            reader->expression->operations[word->operation].operand = (int64_t)i;
            return true;
        }
    return tuner_text_refuse(reader->text, "%s has no word \"%s\"", parameter->name, word->word);
}

static bool check_operands(struct reader *reader, enum tuner_operator operator,
                           const struct operand * left, const struct operand *right)
{
    if (operator== TUNER_EQUAL || operator== TUNER_UNEQUAL) {
        if (left->kind == WORD && right->kind == CATEGORY)
            return compare_words(reader, left, right);
        if (left->kind == CATEGORY && right->kind == WORD)
            return compare_words(reader, right, left);
    }
    return need_number(reader, left) && need_number(reader, right);
}

static bool read_level(struct reader *reader, size_t level, struct operand *operand);

static bool need_sign(struct reader *reader, const char *sign)
{
    char wanted[8];
    snprintf(wanted, sizeof wanted, "`%s`", sign);
    return tuner_text_take(reader->text, sign) || tuner_text_refuse_next(reader->text, wanted);
}

/* The brackets of min and max, behind the name. */
static bool read_call(struct reader *reader, enum tuner_operator operator, struct operand * operand)
{
    struct operand second;
    return need_sign(reader, "(") && read_level(reader, 0, operand) && need_sign(reader, ",") &&
           read_level(reader, 0, &second) && need_sign(reader, ")") &&
           need_number(reader, operand) && need_number(reader, &second) &&
           emit(reader, operator, 0);
}

static bool read_name(struct reader *reader, struct operand *operand)
{
    char name[TUNER_NAME];
    if (!tuner_text_name(reader->text, name))
        return false;
    if (strcmp(name, "min") == 0)
        return read_call(reader, TUNER_MINIMUM, operand);
    if (strcmp(name, "max") == 0)
        return read_call(reader, TUNER_MAXIMUM, operand);
    for (size_t d = 0; d < reader->parameter_count; d++)
        if (strcmp(reader->parameters[d].name, name) == 0) {
            operand->kind = reader->parameters[d].kind == TUNER_CATEGORY ? CATEGORY : NUMBER;
            operand->dimension = d;
            return emit(reader, TUNER_PARAMETER, (int64_t)d);
        }
    return tuner_text_refuse(reader->text, "there is no parameter %s on the lines before", name);
}

static bool read_changed(struct reader *reader, enum tuner_operator operator,
                         struct operand * operand)
{
    return read_level(reader, LEVELS, operand) && need_number(reader, operand) &&
           emit(reader, operator, 0);
}

static bool read_word(struct reader *reader, struct operand *operand)
{
    operand->kind = WORD;
    operand->operation = reader->expression->count;
    return tuner_text_quoted(reader->text, operand->word) && emit(reader, TUNER_NUMBER, 0);
}

/* A name, a number, a word, or what brackets and signs before them make of it. */
static bool read_nested(struct reader *reader, struct operand *operand)
{
    struct tuner_text *text = reader->text;
    if (tuner_text_take(text, "!"))
        return read_changed(reader, TUNER_NOT, operand);
    if (tuner_text_take(text, "-"))
        return read_changed(reader, TUNER_NEGATIVE, operand);
    if (tuner_text_take(text, "("))
        return read_level(reader, 0, operand) && need_sign(reader, ")");
    if (tuner_text_name_length(text))
        return read_name(reader, operand);
    if (tuner_text_ended(text))
        return tuner_text_refuse_next(text, "a name, a number or `(`");
    if (*text->at == '"')
        return read_word(reader, operand);
    if (*text->at < '0' || *text->at > '9')
        return tuner_text_refuse_next(text, "a name, a number or `(`");
    int64_t number;
    return tuner_text_number(text, false, &number) && emit(reader, TUNER_NUMBER, number);
}

static bool read_operand(struct reader *reader, struct operand *operand)
{
    if (reader->depth == DEEPEST)
        return tuner_text_refuse(reader->text, "brackets and signs nest at most %d deep", DEEPEST);
    *operand = (struct operand){.kind = NUMBER};
    reader->depth++;
    bool good = read_nested(reader, operand);
    reader->depth--;
    return good;
}

static const struct sign *take_sign(struct reader *reader, size_t level)
{
    for (const struct sign *sign = levels[level]; sign < levels[level] + SIGNS && sign->text;
         sign++)
        if (tuner_text_take(reader->text, sign->text))
            return sign;
    return NULL;
}

/* Operands of the signs of this level and of all tighter ones. */
static bool read_level(struct reader *reader, size_t level, struct operand *operand)
{
    if (level == LEVELS)
        return read_operand(reader, operand);
    if (!read_level(reader, level + 1, operand))
        return false;
    for (const struct sign *sign; (sign = take_sign(reader, level));) {
        struct operand right;
        if (!read_level(reader, level + 1, &right) ||
            !check_operands(reader, sign->operator, operand, &right) ||
            !emit(reader, sign->operator, 0))
            return false;
        operand->kind = NUMBER;
    }
    return true;
}

bool tuner_expression_read(struct tuner_text *text, const struct tuner_parameter *parameters,
                           size_t parameter_count, struct tuner_expression *expression)
{
    struct reader reader = {.text = text,
                            .parameters = parameters,
                            .parameter_count = parameter_count,
                            .expression = expression};
    struct operand operand;
    expression->count = 0;
    return read_level(&reader, 0, &operand) && need_number(&reader, &operand) &&
           (tuner_text_ended(text) || tuner_text_refuse_next(text, "an operator"));
}
