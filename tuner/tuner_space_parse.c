/* The statements of a space's text. */
#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "tuner_space_private.h"
#include "tuner_space_text.h"

struct parser {
    struct tuner_text line;
    struct tuner_space *space;
    struct tuner_constraints *constraints;
};

/* A statement's own part of the line; the parameter has its name and kind. */
typedef bool statement_reader(struct parser *parser, struct tuner_parameter *parameter);

static bool refuse_count(struct parser *parser, const struct tuner_parameter *parameter)
{
    return tuner_text_refuse(&parser->line, "%s has more than %d values", parameter->name,
                             TUNER_PARAMETER_VALUES);
}

static bool read_integer(struct parser *parser, struct tuner_parameter *parameter)
{
    int64_t first, last, step = 1;
    struct tuner_text *line = &parser->line;
    if (!tuner_text_number(line, true, &first) || !tuner_text_number(line, true, &last) ||
        (!tuner_text_ended(line) && !tuner_text_number(line, true, &step)))
        return false;
    if (step < 1)
        return tuner_text_refuse(line, "a step is at least 1");
    if (first > last)
        return tuner_text_refuse(line, "%s has no values: the first is above the last",
                                 parameter->name);
    uint64_t steps = ((uint64_t)last - (uint64_t)first) / (uint64_t)step;
    if (steps >= TUNER_PARAMETER_VALUES)
        return refuse_count(parser, parameter);
    parameter->count = (size_t)steps + 1;
    parameter->values = allocate_or_fail(parameter->count, sizeof *parameter->values);
    for (size_t i = 0; i < parameter->count; i++)
        parameter->values[i] = (int64_t)((uint64_t)first + i * (uint64_t)step); /* no overflow */
    return true;
}

static bool is_power2(int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

static bool read_power2(struct parser *parser, struct tuner_parameter *parameter)
{
    int64_t first, last;
    struct tuner_text *line = &parser->line;
    if (!tuner_text_number(line, true, &first) || !tuner_text_number(line, true, &last))
        return false;
    if (!is_power2(first) || !is_power2(last))
        return tuner_text_refuse(line, "%lld is not a power of two",
                                 (long long)(is_power2(first) ? last : first));
    if (first > last)
        return tuner_text_refuse(line, "%s has no values: the first is above the last",
                                 parameter->name);
    int low = __builtin_ctzll((unsigned long long)first);
    parameter->count = (size_t)(__builtin_ctzll((unsigned long long)last) - low) + 1;
    parameter->values = allocate_or_fail(parameter->count, sizeof *parameter->values);
    for (size_t i = 0; i < parameter->count; i++)
        parameter->values[i] = (int64_t)1 << (low + (int)i);
    return true;
}

static bool read_values(struct parser *parser, struct tuner_parameter *parameter)
{
    struct tuner_text *line = &parser->line;
    /* A number and a blank are two bytes at least. */
    size_t most = (size_t)(line->end - line->at) / 2 + 1;
    parameter->values = allocate_or_fail(most, sizeof *parameter->values);
    do {
        int64_t number;
        if (!tuner_text_number(line, true, &number))
            return false;
        for (size_t i = 0; i < parameter->count; i++)
            if (parameter->values[i] == number)
                return tuner_text_refuse(line, "%s has the value %lld twice", parameter->name,
                                         (long long)number);
        if (parameter->count == TUNER_LISTED)
            return tuner_text_refuse(line, "a list has at most %d values", TUNER_LISTED);
        parameter->values[parameter->count++] = number;
    } while (!tuner_text_ended(line));
    return true;
}

static bool read_category(struct parser *parser, struct tuner_parameter *parameter)
{
    struct tuner_text *line = &parser->line;
    parameter->values = allocate_or_fail(TUNER_CATEGORIES, sizeof *parameter->values);
    parameter->words = allocate_or_fail(TUNER_CATEGORIES, sizeof *parameter->words);
    do {
        char word[TUNER_NAME];
        if (!tuner_text_word(line, word))
            return false;
        for (size_t i = 0; i < parameter->count; i++)
            if (strcmp(parameter->words[i], word) == 0)
                return tuner_text_refuse(line, "%s has the word \"%s\" twice", parameter->name,
                                         word);
        if (parameter->count == TUNER_CATEGORIES)
            return tuner_text_refuse(line, "a category has at most %d words", TUNER_CATEGORIES);
        parameter->values[parameter->count] = (int64_t)parameter->count;
        memcpy(parameter->words[parameter->count++], word, sizeof word);
    } while (!tuner_text_ended(line));
    return true;
}

static bool check_name(struct parser *parser, const char *name)
{
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
        return tuner_text_refuse(&parser->line, "%s is a function, and no name for a parameter",
                                 name);
    size_t dimension;
    if (tuner_space_dimension_of(parser->space, name, &dimension))
        return tuner_text_refuse(&parser->line, "there is a parameter %s already", name);
    return true;
}

static bool read_parameter(struct parser *parser, enum tuner_kind kind, statement_reader *read)
{
    struct tuner_space *space = parser->space;
    if (space->dimensions == TUNER_PARAMETERS)
        return tuner_text_refuse(&parser->line, "a space has at most %d parameters",
                                 TUNER_PARAMETERS);
    struct tuner_parameter *parameter = &space->parameters[space->dimensions];
    if (!tuner_text_name(&parser->line, parameter->name) || !check_name(parser, parameter->name))
        return false;
    parameter->kind = kind;
    space->dimensions++; /* its memory is the space's, whatever comes */
    return read(parser, parameter);
}

static bool read_constraint(struct parser *parser)
{
    struct tuner_constraints *constraints = parser->constraints;
    struct tuner_text *line = &parser->line;
    if (constraints->count == TUNER_CONSTRAINTS)
        return tuner_text_refuse(line, "a space has at most %d constraints", TUNER_CONSTRAINTS);
    struct tuner_constraint *constraint = &constraints->constraint[constraints->count];
    tuner_text_ended(line); /* steps over blanks */
    constraint->text = line->at;
    constraint->line = line->line;
    if (!tuner_expression_read(line, parser->space->parameters, parser->space->dimensions,
                               &constraint->expression))
        return false;
    constraint->length = (size_t)(line->at - constraint->text);
    while (strchr(" \t\r", constraint->text[constraint->length - 1]))
        constraint->length--;
    constraints->count++;
    return true;
}

static const struct {
    const char *word;
    enum tuner_kind kind;
    statement_reader *read;
} statements[] = {
    {"integer", TUNER_INTEGER, read_integer},
    {"power2", TUNER_POWER2, read_power2},
    {"values", TUNER_VALUES, read_values},
    {"category", TUNER_CATEGORY, read_category},
};

static bool read_statement(struct parser *parser)
{
    static const char expected[] = "integer, power2, values, category or require";
    char word[TUNER_NAME];
    struct tuner_text *line = &parser->line;
    if (!tuner_text_name_length(line))
        return tuner_text_refuse_next(line, expected);
    if (!tuner_text_name(line, word))
        return false;
    if (strcmp(word, "require") == 0)
        return read_constraint(parser);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strcmp(word, statements[i].word) == 0)
            return read_parameter(parser, statements[i].kind, statements[i].read);
    return tuner_text_refuse(line, "there must be %s, not `%s`", expected, word);
}

static bool is_printable(const struct tuner_text *line)
{
    for (const char *at = line->at; at < line->end; at++)
        if (((unsigned char)*at < ' ' && *at != '\t' && *at != '\r') || *at == 0x7f)
            return false;
    return true;
}

static bool read_line(struct parser *parser)
{
    struct tuner_text *line = &parser->line;
    if (!is_printable(line))
        return tuner_text_refuse(line, "there is a control character");
    if (tuner_text_ended(line))
        return true;
    return read_statement(parser) &&
           (tuner_text_ended(line) || tuner_text_refuse_next(line, "the end of the line"));
}

bool tuner_space_parse(const char *text, size_t length, const char *name, struct tuner_space *space,
                       struct tuner_constraints *constraints, const char **complaint)
{
    struct parser parser = {.line = {.name = name}, .space = space, .constraints = constraints};
    const char *end = text + length;
    for (const char *at = text; at < end; at = parser.line.end + 1) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        parser.line.at = at;
        parser.line.end = newline ? newline : end;
        parser.line.line++;
        if (!read_line(&parser)) {
            *complaint = parser.line.complaint;
            return false;
        }
        if (!newline)
            break;
    }
    if (space->dimensions == 0)
        *complaint = tuner_space_complain(name, 0, "there are no parameters");
    return space->dimensions > 0;
}
