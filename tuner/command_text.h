/* command_text.h: commands with values in them. */
#ifndef TUNER_COMMAND_TEXT_H
#define TUNER_COMMAND_TEXT_H

#include <datamotion/tuner.h>

/* As tuner_command_text; {build} stands for `build` unless that is NULL or a parameter has its
 * name. */
enum dm_status command_text(char **text, const struct tuner_space *space, const char *command,
                            size_t configuration, const char *build);

#endif
