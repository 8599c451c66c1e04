/* A command with the values of a configuration in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/tuner.h>

#include "common/error.h"

#include "command_text.h"
#include "shell_word.h"
#include "value.h"

/* What write_command is about. */
struct text {
    FILE *out;
    const struct tuner_space *space;
    size_t configuration;
    const char *build; /* what {build} stands for, or NULL */
    struct shell_place place;
};

/* Writes the value of the parameter whose name begins at *at, and steps over its brace. */
static enum dm_status write_value(struct text *text, const char **at)
{
    char name[TUNER_NAME_BYTES], buffer[TUNER_NAME_BYTES];
    size_t length = strcspn(*at, "{}"), dimension;
    const bool words = length > 0 && (*at)[length - 1] == '*';
    const size_t name_length = length - words;

    if ((*at)[length] != '}')
        return dm_fail(DM_INVALID, "the command has a { without a }: write {{ for a brace itself");
    snprintf(name, sizeof name, "%.*s", (int)(name_length < sizeof name ? name_length : 0), *at);
    if (!tuner_space_dimension_of(text->space, name, &dimension) && text->build &&
        strcmp(name, "build") == 0) {
        *at += length + 1;
        return shell_word_write(text->out, &text->place, text->build);
    }
    if (!tuner_space_dimension_of(text->space, name, &dimension))
        return dm_fail(DM_INVALID,
                       "the command has {%.*s}, but the space has no such parameter: write {{ and "
                       "}} for braces themselves",
                       (int)(length < 200 ? length : 200), *at);
    *at += length + 1;
    const char *value = value_text(text->space, text->configuration, dimension, buffer);
    return words ? shell_words_write(text->out, &text->place, value)
                 : shell_word_write(text->out, &text->place, value);
}

static enum dm_status write_command(struct text *text, const char *command)
{
    for (const char *at = command; *at;) {
        char letter = *at++;
        if (letter == '{' && *at != letter) {
            TRY(write_value(text, &at));
            continue;
        }
        if (letter == '}' && *at != letter)
            return dm_fail(DM_INVALID,
                           "the command has a } without a {: write }} for a brace itself");
        if (letter == '{' || letter == '}')
            at++;
        shell_place_step(&text->place, letter);
        fputc(letter, text->out);
    }
    return DM_OK;
}

enum dm_status command_text(char **text, const struct tuner_space *space, const char *command,
                            size_t configuration, const char *build)
{
    size_t length;

    *text = NULL;
    FILE *out = open_memstream(text, &length);
    if (!out)
        return error_errno("the text of a command");
    struct text written = {
        .out = out, .space = space, .configuration = configuration, .build = build};
    enum dm_status status = write_command(&written, command);
    if (fclose(out) != 0 && status == DM_OK)
        status = error_errno("the text of a command");
    if (status != DM_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

enum dm_status tuner_command_text(char **text, const struct tuner_space *space, const char *command,
                                  size_t configuration)
{
    return command_text(text, space, command, configuration, NULL);
}
