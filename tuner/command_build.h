/* command_build.h: builds that were done, so that none is done twice. */
#ifndef TUNER_COMMAND_BUILD_H
#define TUNER_COMMAND_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>
#include <datamotion/tuner.h>

struct build_done {
    uint64_t key; /* of the build's text */
    enum tuner_outcome outcome;
};

struct builds {
    char *command; /* NULL: there is nothing to build */
    bool apart;    /* it names {build}: one does not overwrite another */
    struct build_done *done;
    size_t count, room;
};

enum { BUILD_NAME_BYTES = 24 };

/* Copies the command, which may be NULL. DM_INVALID: an empty one, or as tuner_command_text;
 * DM_NO_MEMORY. Then it is closed. */
enum dm_status builds_open(struct builds *builds, const struct tuner_space *space,
                           const char *command);
void builds_close(struct builds *builds);

/* The text for a configuration (the caller calls free(); NULL without a build), its key, and what
 * {build} stands for; without a build an empty word. */
enum dm_status builds_text(const struct builds *builds, const struct tuner_space *space,
                           size_t configuration, char **text, uint64_t *key,
                           char name[BUILD_NAME_BYTES]);

/* Whether what this build made, or that it failed, is known. */
bool builds_find(const struct builds *builds, uint64_t key, enum tuner_outcome *outcome);

/* DM_NO_MEMORY. */
enum dm_status builds_add(struct builds *builds, uint64_t key, enum tuner_outcome outcome);

#endif
