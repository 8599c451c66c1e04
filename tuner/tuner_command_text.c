#include "tuner_command_text.h"
#include "status.h"
#include "tuner_complain.h"
#include "tuner_value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the value of the parameter whose name begins at `name`, and returns what follows its
 * brace. */
static const char *write_value(FILE *out, const struct tuner_space *space, const char *name,
                               size_t configuration, const char **complaint)
{
    char copy[TUNER_NAME], buffer[TUNER_NAME];
    size_t length = strcspn(name, "{}"), dimension;

    if (name[length] != '}')
        return tuner_complain(complaint,
                              "the command has a { without a }: write {{ for a brace itself");
    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : 0), name);
    if (!tuner_space_dimension_of(space, copy, &dimension))
        return tuner_complain(complaint,
                              "the command has {%.*s}, which is no parameter of the space: write "
                              "{{ and }} for braces themselves",
                              (int)(length < 200 ? length : 200), name);
    fputs(tuner_value_text(space, configuration, dimension, buffer), out);
    return name + length + 1;
}

static bool write_command(FILE *out, const struct tuner_space *space, const char *command,
                          size_t configuration, const char **complaint)
{
    for (const char *at = command; *at;) {
        if ((*at == '{' || *at == '}') && at[1] == *at) {
            fputc(*at, out);
            at += 2;
        } else if (*at == '{') {
            at = write_value(out, space, at + 1, configuration, complaint);
            if (!at)
                return false;
        } else if (*at == '}') {
            return tuner_complain(complaint,
                                  "the command has a } without a {: write }} for a brace itself");
        } else {
            fputc(*at++, out);
        }
    }
    return true;
}

char *tuner_command_text(const struct tuner_space *space, const char *command, size_t configuration,
                         const char **complaint)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    check_errno(out);
    bool written = write_command(out, space, command, configuration, complaint);
    check_errno(fclose(out) == 0);
    if (written)
        return text;
    free(text);
    return NULL;
}
