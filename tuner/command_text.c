/* A command with the values of a configuration in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/tuner.h>

#include "common/error.h"

#include "value.h"

/* Writes the value of the parameter whose name begins at *at, and steps over its brace. */
static enum dm_status write_value(FILE *out, const struct tuner_space *space, const char **at,
                                  size_t configuration)
{
    char name[TUNER_NAME_BYTES], buffer[TUNER_NAME_BYTES];
    size_t length = strcspn(*at, "{}"), dimension;

    if ((*at)[length] != '}')
        return dm_fail(DM_INVALID, "the command has a { without a }: write {{ for a brace itself");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), *at);
    if (!tuner_space_dimension_of(space, name, &dimension))
        return dm_fail(DM_INVALID,
                       "the command has {%.*s}, but the space has no such parameter: write {{ and "
                       "}} for braces themselves",
                       (int)(length < 200 ? length : 200), *at);
    fputs(value_text(space, configuration, dimension, buffer), out);
    *at += length + 1;
    return DM_OK;
}

static enum dm_status write_command(FILE *out, const struct tuner_space *space, const char *command,
                                    size_t configuration)
{
    for (const char *at = command; *at;) {
        char letter = *at++;
        if ((letter == '{' || letter == '}') && *at == letter)
            fputc(*at++, out);
        else if (letter == '{')
            TRY(write_value(out, space, &at, configuration));
        else if (letter == '}')
            return dm_fail(DM_INVALID,
                           "the command has a } without a {: write }} for a brace itself");
        else
            fputc(letter, out);
    }
    return DM_OK;
}

enum dm_status tuner_command_text(char **text, const struct tuner_space *space, const char *command,
                                  size_t configuration)
{
    size_t length;

    *text = NULL;
    FILE *out = open_memstream(text, &length);
    if (!out)
        return error_errno("the text of a command");
    enum dm_status status = write_command(out, space, command, configuration);
    if (fclose(out) != 0 && status == DM_OK)
        status = error_errno("the text of a command");
    if (status != DM_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
