/* Spaces: parameters with their values, constraints as conditions. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "convert.h"
#include "tuner/csv.h"
#include "tuner/line.h"
#include "tuner/value.h"

/* ---- to T1 ---- */

static const char *type_of(const struct tuner_parameter *parameter)
{
    return parameter->kind == TUNER_CATEGORY ? "string"
           : parameter->kind == TUNER_REALS  ? "float"
                                             : "int";
}

static void write_values(FILE *out, const struct tuner_parameter *parameter)
{
    fputc('[', out);
    for (size_t i = 0; i < parameter->count; i++) {
        const char *word = parameter->words ? parameter->words[i] : NULL;
        fputs(i ? ", " : "", out);
        if (parameter->kind == TUNER_REALS)
            fputs(word, out);
        else if (word)
            fprintf(out, strchr(word, '\'') ? "\"%s\"" : "'%s'", word);
        else
            fprintf(out, "%lld", (long long)parameter->values[i]);
    }
    fputc(']', out);
}

static json_t *json_of_parameter(const struct tuner_parameter *parameter)
{
    char *values = NULL;
    size_t bytes;
    FILE *out = open_memstream(&values, &bytes);

    if (!out)
        return NULL;
    write_values(out, parameter);
    fclose(out);
    json_t *json = json_pack("{s:s, s:s, s:s}", "Name", parameter->name, "Type", type_of(parameter),
                             "Values", values);
    free(values);
    return json;
}

/* The parameters that are named in an expression. */
static json_t *names_in(const char *expression, const struct tuner_space *space)
{
    json_t *names = json_array();
    struct source_line line = {expression, expression + strlen(expression), "", 1};

    while (!line_ended(&line)) {
        size_t length = line_name_length(&line);
        char name[TUNER_NAME_BYTES];
        size_t dimension;
        if (*line.at == '"') {
            const char *end = strchr(line.at + 1, '"');
            line.at = end ? end + 1 : line.end;
        } else if (length == 0) {
            line.at++;
        } else {
            snprintf(name, sizeof name, "%.*s", (int)length, line.at);
            line.at += length;
            bool known = !tuner_space_dimension_of(space, name, &dimension);
            for (size_t i = 0; i < json_array_size(names); i++)
                known |= strcmp(json_string_value(json_array_get(names, i)), name) == 0;
            if (!known)
                json_array_append_new(names, json_string(name));
        }
    }
    return names;
}

/* `only NAME if EXPRESSION` is the condition `NAME == its first value || (EXPRESSION)`. */
static char *spell_out(const char *line, size_t length, const struct tuner_space *space)
{
    char name[TUNER_NAME_BYTES], *text = NULL;
    int behind = 0;
    size_t dimension, bytes;

    if (sscanf(line, " %63[A-Za-z0-9_] if%n", name, &behind) != 1 || !behind ||
        !tuner_space_dimension_of(space, name, &dimension))
        return NULL;
    const struct tuner_parameter *parameter = tuner_space_parameter(space, dimension);
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    if (parameter->kind == TUNER_CATEGORY)
        fprintf(out, "%s == \"%s\"", name, parameter->words[0]);
    else if (parameter->words)
        fprintf(out, "%s == %s", name, parameter->words[0]);
    else
        fprintf(out, "%s == %lld", name, (long long)parameter->values[0]);
    size_t comment = 0;
    for (bool quoted = false; (size_t)behind + comment < length; comment++) {
        quoted ^= line[(size_t)behind + comment] == '"';
        if (!quoted && line[(size_t)behind + comment] == '#')
            break;
    }
    fprintf(out, " || (%.*s)", (int)comment, line + behind);
    return fclose(out) == 0 ? text : NULL;
}

/* A line of the space's text, if it is a constraint. */
static enum dm_status add_condition(json_t *conditions, const char *line, size_t length,
                                    const struct tuner_space *space)
{
    static const char require[] = "require", only[] = "only";
    char *python, *spelled = NULL;

    while (length && strchr(" \t", *line)) {
        line++;
        length--;
    }
    const char *word = length && *line == 'o' ? only : require;
    if (length <= strlen(word) || memcmp(line, word, strlen(word)) != 0)
        return DM_OK;
    line += strlen(word);
    length -= strlen(word);
    if (word == only && !(spelled = spell_out(line, length, space)))
        return error_no_memory(length);
    enum dm_status status =
        convert_to_python(&python, spelled ? spelled : line, spelled ? strlen(spelled) : length);
    free(spelled);
    TRY(status);
    const char *begin = python + strspn(python, " ");
    json_array_append_new(conditions, json_pack("{s:o, s:s}", "Parameters", names_in(begin, space),
                                                "Expression", begin));
    free(python);
    return DM_OK;
}

static enum dm_status add_conditions(json_t *conditions, const char *text,
                                     const struct tuner_space *space)
{
    while (*text) {
        size_t length = strcspn(text, "\r\n");
        TRY(add_condition(conditions, text, length, space));
        text += length + strspn(text + length, "\r\n");
    }
    return DM_OK;
}

enum dm_status convert_space_to_json(json_t **json, const char *path)
{
    struct tuner_space *space;
    struct csv file; /* its text is all of the file */

    TRY(tuner_space_load(&space, path));
    json_t *parameters = json_array(), *conditions = json_array();
    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        json_array_append_new(parameters, json_of_parameter(tuner_space_parameter(space, d)));
    enum dm_status status = csv_load(&file, path);
    if (status == DM_OK) {
        status = add_conditions(conditions, file.text, space);
        csv_release(&file);
    }
    tuner_space_free(space);
    *json = json_pack("{s:{s:o, s:o}}", "ConfigurationSpace", "TuningParameters", parameters,
                      "Conditions", conditions);
    if (status == DM_OK && *json)
        return DM_OK;
    json_decref(*json);
    *json = NULL;
    return status == DM_OK ? error_no_memory(1) : status;
}

/* ---- from T1 ---- */

static enum dm_status text_of(const json_t *object, const char *key, const char **text)
{
    *text = json_string_value(json_object_get(object, key));
    return *text ? DM_OK : dm_fail(DM_INVALID, "a text \"%s\" is missing", key);
}

static enum dm_status write_value(FILE *out, const json_t *value, bool words)
{
    if (json_is_string(value) && !strpbrk(json_string_value(value), "\"\n\r"))
        fprintf(out, " \"%s\"", json_string_value(value));
    else if (json_is_boolean(value))
        fprintf(out, " %d", json_is_true(value));
    else if (json_is_integer(value))
        fprintf(out, words ? " \"%lld\"" : " %lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        fprintf(out, words ? " \"%.12g\"" : " %#.12g", json_real_value(value));
    else
        return dm_fail(DM_INVALID, "a value is neither a number nor a text without quotes");
    return DM_OK;
}

static enum dm_status write_parameter(FILE *out, const char *name, json_t *values)
{
    size_t texts = 0, i;
    json_t *value;

    json_array_foreach(values, i, value) texts += json_is_string(value);
    fprintf(out, "%s %s", texts ? "category" : "values", name);
    json_array_foreach(values, i, value) TRY(write_value(out, value, texts > 0));
    fputc('\n', out);
    return DM_OK;
}

/* Values are a text in Python's syntax, or, as some write it, an array. */
static enum dm_status take_parameter(FILE *out, const json_t *parameter)
{
    json_t *given = json_object_get(parameter, "Values"), *values = NULL;
    const char *name;

    TRY(text_of(parameter, "Name", &name));
    if (json_is_array(given) && json_array_size(given))
        values = json_incref(given);
    else if (json_is_string(given))
        TRY(error_within(convert_values(&values, json_string_value(given)), "%s", name));
    else
        return dm_fail(DM_INVALID, "%.60s has no \"Values\"", name);
    enum dm_status status = write_parameter(out, name, values);
    json_decref(values);
    return status;
}

enum dm_status convert_space_from_json(FILE *out, const json_t *json)
{
    const json_t *space = json_object_get(json, "ConfigurationSpace");
    const json_t *parameters = json_object_get(space, "TuningParameters"), *each;
    size_t i;

    if (!json_is_array(parameters) || json_array_size(parameters) == 0)
        return dm_fail(DM_INVALID, "\"TuningParameters\" is missing or empty");
    json_array_foreach(parameters, i, each) TRY(take_parameter(out, each));
    json_array_foreach(json_object_get(space, "Conditions"), i, each)
    {
        const char *python;
        char *expression;
        TRY(text_of(each, "Expression", &python));
        TRY(convert_from_python(&expression, python));
        fprintf(out, "require %s\n", expression);
        free(expression);
    }
    return DM_OK;
}
