/* The statements of a space's text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "allocate.h"
#include "line.h"
#include "space_internal.h"

struct parser {
    struct source_line line;
    struct tuner_space *space;
    struct constraints *constraints;
};

/* A statement's own part of the line; the parameter has its name and kind. */
typedef enum dm_status statement_reader(struct source_line *line,
                                        struct tuner_parameter *parameter);

static enum dm_status allocate_values(struct tuner_parameter *parameter, size_t count)
{
    parameter->values = allocate(count, sizeof *parameter->values);
    return parameter->values ? DM_OK : DM_NO_MEMORY;
}

static enum dm_status check_bounds(const struct source_line *line,
                                   const struct tuner_parameter *parameter, int64_t first,
                                   int64_t last)
{
    if (first > last)
        return line_error(line, "%s has no values: the first is above the last", parameter->name);
    return DM_OK;
}

static enum dm_status read_integer(struct source_line *line, struct tuner_parameter *parameter)
{
    int64_t first, last, step = 1;
    TRY(line_number(line, true, &first));
    TRY(line_number(line, true, &last));
    if (!line_ended(line))
        TRY(line_number(line, true, &step));
    if (step < 1)
        return line_error(line, "a step must be at least 1");
    TRY(check_bounds(line, parameter, first, last));
    uint64_t steps = ((uint64_t)last - (uint64_t)first) / (uint64_t)step;
    if (steps >= TUNER_RANGE_VALUES_MAX)
        return line_error(line, "%s has more than %d values", parameter->name,
                          TUNER_RANGE_VALUES_MAX);
    TRY(allocate_values(parameter, (size_t)steps + 1));
    parameter->count = (size_t)steps + 1;
    for (size_t i = 0; i < parameter->count; i++)
        parameter->values[i] = (int64_t)((uint64_t)first + i * (uint64_t)step); /* no overflow */
    return DM_OK;
}

static bool is_power2(int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

static enum dm_status read_power2(struct source_line *line, struct tuner_parameter *parameter)
{
    int64_t first, last;
    TRY(line_number(line, true, &first));
    TRY(line_number(line, true, &last));
    if (!is_power2(first) || !is_power2(last))
        return line_error(line, "%lld is not a power of two",
                          (long long)(is_power2(first) ? last : first));
    TRY(check_bounds(line, parameter, first, last));
    int low = __builtin_ctzll((unsigned long long)first);
    size_t count = (size_t)(__builtin_ctzll((unsigned long long)last) - low) + 1;
    TRY(allocate_values(parameter, count));
    parameter->count = count;
    for (size_t i = 0; i < parameter->count; i++)
        parameter->values[i] = (int64_t)1 << (low + (int)i);
    return DM_OK;
}

/* ---- reals ---- */

static enum dm_status allocate_reals(struct tuner_parameter *parameter, size_t count)
{
    TRY(allocate_values(parameter, count));
    parameter->kind = TUNER_REALS;
    parameter->words = allocate(count, sizeof *parameter->words);
    parameter->reals = allocate(count, sizeof *parameter->reals);
    return parameter->words && parameter->reals ? DM_OK : DM_NO_MEMORY;
}

static void add_real(struct tuner_parameter *parameter, double real, const char *word)
{
    size_t place = parameter->count++;

    parameter->values[place] = (int64_t)place;
    parameter->reals[place] = real;
    snprintf(parameter->words[place], TUNER_NAME_BYTES, "%s", word);
}

static enum dm_status read_real_list(struct source_line *line, struct tuner_parameter *parameter)
{
    TRY(allocate_reals(parameter, (size_t)(line->end - line->at) / 2 + 1));
    do {
        char word[TUNER_NAME_BYTES];
        double real;
        TRY(line_real(line, word, &real));
        for (size_t i = 0; i < parameter->count; i++)
            if (parameter->reals[i] == real)
                return line_error(line, "%s has the value %s twice", parameter->name, word);
        if (parameter->count == TUNER_LIST_VALUES_MAX)
            return line_error(line, "a list has at most %d values", TUNER_LIST_VALUES_MAX);
        add_real(parameter, real, word);
    } while (!line_ended(line));
    return DM_OK;
}

/* A step that is a decimal fraction is none in binary: half a millionth of it may be missing. */
static enum dm_status read_real_range(struct source_line *line, struct tuner_parameter *parameter)
{
    char word[TUNER_NAME_BYTES];
    double first, last, step;

    TRY(line_real(line, word, &first));
    TRY(line_real(line, word, &last));
    TRY(line_real(line, word, &step));
    if (!(step > 0.0))
        return line_error(line, "a step must be above 0");
    if (first > last)
        return line_error(line, "%s has no values: the first is above the last", parameter->name);
    double steps = floor((last - first) / step + 5e-7);
    if (!(steps < TUNER_LIST_VALUES_MAX))
        return line_error(line, "%s has more than %d values", parameter->name,
                          TUNER_LIST_VALUES_MAX);
    TRY(allocate_reals(parameter, (size_t)steps + 1));
    for (size_t i = 0; i <= (size_t)steps; i++) {
        snprintf(word, sizeof word, "%.12g", first + (double)i * step);
        if (i > 0 && strcmp(parameter->words[i - 1], word) == 0)
            return line_error(line, "a step of %g is too small beside %s", step, word);
        add_real(parameter, strtod(word, NULL), word);
    }
    return DM_OK;
}

static bool has_reals(const struct source_line *line)
{
    const char *at = line->at;

    while (at < line->end && *at != '#' && *at != '.' && *at != 'e' && *at != 'E')
        at++;
    return at < line->end && *at != '#';
}

static enum dm_status read_values(struct source_line *line, struct tuner_parameter *parameter)
{
    if (has_reals(line))
        return read_real_list(line, parameter);
    /* A number and a blank are two bytes at least. */
    TRY(allocate_values(parameter, (size_t)(line->end - line->at) / 2 + 1));
    do {
        int64_t number;
        TRY(line_number(line, true, &number));
        for (size_t i = 0; i < parameter->count; i++)
            if (parameter->values[i] == number)
                return line_error(line, "%s has the value %lld twice", parameter->name,
                                  (long long)number);
        if (parameter->count == TUNER_LIST_VALUES_MAX)
            return line_error(line, "a list has at most %d values", TUNER_LIST_VALUES_MAX);
        parameter->values[parameter->count++] = number;
    } while (!line_ended(line));
    return DM_OK;
}

static enum dm_status read_category(struct source_line *line, struct tuner_parameter *parameter)
{
    TRY(allocate_values(parameter, TUNER_WORDS_MAX));
    parameter->words = allocate(TUNER_WORDS_MAX, sizeof *parameter->words);
    if (!parameter->words)
        return DM_NO_MEMORY;
    do {
        char word[TUNER_NAME_BYTES];
        TRY(line_word(line, word));
        for (size_t i = 0; i < parameter->count; i++)
            if (strcmp(parameter->words[i], word) == 0)
                return line_error(line, "%s has the word \"%s\" twice", parameter->name, word);
        if (parameter->count == TUNER_WORDS_MAX)
            return line_error(line, "a category has at most %d words", TUNER_WORDS_MAX);
        parameter->values[parameter->count] = (int64_t)parameter->count;
        memcpy(parameter->words[parameter->count++], word, sizeof word);
    } while (!line_ended(line));
    return DM_OK;
}

static enum dm_status check_name(const struct parser *parser, const char *name)
{
    size_t dimension;
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0)
        return line_error(&parser->line, "%s is a function: a parameter needs another name", name);
    if (tuner_space_dimension_of(parser->space, name, &dimension))
        return line_error(&parser->line, "there is a parameter %s already", name);
    return DM_OK;
}

static enum dm_status read_parameter(struct parser *parser, enum tuner_parameter_kind kind,
                                     statement_reader *read)
{
    struct tuner_space *space = parser->space;
    if (space->dimensions == TUNER_PARAMETERS_MAX)
        return line_error(&parser->line, "a space has at most %d parameters", TUNER_PARAMETERS_MAX);
    struct tuner_parameter *parameter = &space->parameters[space->dimensions];
    TRY(line_name(&parser->line, parameter->name));
    TRY(check_name(parser, parameter->name));
    parameter->kind = kind;
    space->dimensions++; /* its memory is the space's, whatever comes */
    return read(&parser->line, parameter);
}

/* The parameter that stands before `if`. */
static enum dm_status read_conditional(struct parser *parser, size_t *dimension)
{
    char name[TUNER_NAME_BYTES], word[TUNER_NAME_BYTES] = "";
    struct source_line *line = &parser->line;
    TRY(line_name(line, name));
    if (!tuner_space_dimension_of(parser->space, name, dimension))
        return line_error(line, "unknown parameter %s: it must stand on a line before", name);
    if (line_name_length(line))
        TRY(line_name(line, word));
    return strcmp(word, "if") == 0 ? DM_OK : line_expected(line, "`if` and a condition");
}

/* `require` and an expression, or `only`, a parameter, `if` and an expression. */
static enum dm_status read_constraint(struct parser *parser, bool conditional)
{
    struct constraints *constraints = parser->constraints;
    struct source_line *line = &parser->line;
    const struct tuner_space *space = parser->space;
    size_t dimension = 0;
    if (constraints->count == CONSTRAINTS_MAX)
        return line_error(line, "a space has at most %d constraints", CONSTRAINTS_MAX);
    struct constraint *constraint = &constraints->constraint[constraints->count];
    line_ended(line); /* steps over blanks */
    constraint->text = line->at;
    constraint->line = line->number;
    if (conditional)
        TRY(read_conditional(parser, &dimension));
    TRY(expression_read(line, space->parameters, space->dimensions, &constraint->expression));
    if (conditional)
        TRY(expression_or_first(&constraint->expression, line, space->parameters, dimension));
    constraint->length = (size_t)(line->at - constraint->text);
    while (strchr(" \t\r", constraint->text[constraint->length - 1]))
        constraint->length--;
    constraints->count++;
    return DM_OK;
}

static const struct {
    const char *word;
    enum tuner_parameter_kind kind;
    statement_reader *read;
} statements[] = {
    {"integer", TUNER_INTEGER, read_integer}, {"power2", TUNER_POWER2, read_power2},
    {"values", TUNER_VALUES, read_values},    {"category", TUNER_CATEGORY, read_category},
    {"real", TUNER_REALS, read_real_range},
};

static enum dm_status read_statement(struct parser *parser)
{
    static const char expected[] = "integer, power2, values, real, category, require or only";
    char word[TUNER_NAME_BYTES];
    struct source_line *line = &parser->line;
    if (!line_name_length(line))
        return line_expected(line, expected);
    TRY(line_name(line, word));
    if (strcmp(word, "require") == 0 || strcmp(word, "only") == 0)
        return read_constraint(parser, *word == 'o');
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strcmp(word, statements[i].word) == 0)
            return read_parameter(parser, statements[i].kind, statements[i].read);
    return line_error(line, "expected %s, not `%s`", expected, word);
}

static bool is_printable(const struct source_line *line)
{
    for (const char *at = line->at; at < line->end; at++)
        if (((unsigned char)*at < ' ' && *at != '\t' && *at != '\r') || *at == 0x7f)
            return false;
    return true;
}

static enum dm_status read_line(struct parser *parser)
{
    struct source_line *line = &parser->line;
    if (!is_printable(line))
        return line_error(line, "there is a control character");
    if (line_ended(line))
        return DM_OK;
    TRY(read_statement(parser));
    return line_ended(line) ? DM_OK : line_expected(line, "the end of the line");
}

enum dm_status space_parse(struct tuner_space *space, struct constraints *constraints,
                           const char *text, size_t length, const char *name)
{
    struct parser parser = {.line = {.name = name}, .space = space, .constraints = constraints};
    const char *end = text + length;
    for (const char *at = text; at < end; at = parser.line.end + 1) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        parser.line.at = at;
        parser.line.end = newline ? newline : end;
        parser.line.number++;
        TRY(read_line(&parser));
        if (!newline)
            break;
    }
    if (space->dimensions == 0)
        return dm_fail(DM_INVALID, "%.400s: it has no parameters", name);
    return DM_OK;
}
