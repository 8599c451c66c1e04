/* tuner_command_text.h: a command with the values of a configuration in it. */
#ifndef TUNER_COMMAND_TEXT_H
#define TUNER_COMMAND_TEXT_H

#include "tuner_space.h"

/* The command with each {name} replaced by that parameter's value, {{ and }} by single braces; to
 * be released with free(). Values stand as they are, without quotes: what the shell makes of them
 * is up to the command. NULL with a sentence: an unknown name, a brace that has no partner. */
char *tuner_command_text(const struct tuner_space *space, const char *command, size_t configuration,
                         const char **complaint);

#endif
