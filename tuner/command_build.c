#include "command_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "allocate.h"
#include "command_text.h"

enum dm_status builds_open(struct builds *builds, const struct tuner_space *space,
                           const char *command)
{
    char *text, name[BUILD_NAME_BYTES];
    uint64_t key;
    size_t parameter;

    *builds = (struct builds){0};
    if (!command)
        return DM_OK;
    if (!command[strspn(command, " \t\n")])
        return dm_fail(DM_INVALID, "the build is empty");
    builds->command = allocate_copy(command, strlen(command) + 1, 1);
    if (!builds->command)
        return DM_NO_MEMORY;
    builds->apart =
        strstr(command, "{build}") && !tuner_space_dimension_of(space, "build", &parameter);
    enum dm_status status = builds_text(builds, space, 0, &text, &key, name);
    if (status == DM_OK)
        free(text);
    else
        builds_close(builds);
    return status == DM_OK ? DM_OK : error_within(status, "the build");
}

void builds_close(struct builds *builds)
{
    free(builds->command);
    free(builds->done);
    *builds = (struct builds){0};
}

/* Source: Fowler, Noll and Vo, FNV-1a, 64 bits. */
static uint64_t hash(const char *text)
{
    uint64_t sum = 14695981039346656037u;

    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 1099511628211u;
    return sum;
}

enum dm_status builds_text(const struct builds *builds, const struct tuner_space *space,
                           size_t configuration, char **text, uint64_t *key,
                           char name[BUILD_NAME_BYTES])
{
    *text = NULL;
    *key = 0;
    *name = '\0';
    if (!builds->command)
        return DM_OK;
    /* The name cannot be made of a text that has the name in it. */
    TRY(command_text(text, space, builds->command, configuration, ""));
    *key = hash(*text);
    free(*text);
    snprintf(name, BUILD_NAME_BYTES, "build-%016" PRIx64, *key);
    return command_text(text, space, builds->command, configuration, name);
}

bool builds_find(const struct builds *builds, uint64_t key, enum tuner_outcome *outcome)
{
    size_t first = builds->apart || builds->count == 0 ? 0 : builds->count - 1;

    for (size_t i = builds->count; i > first; i--)
        if (builds->done[i - 1].key == key) {
            *outcome = builds->done[i - 1].outcome;
            return true;
        }
    return false;
}

enum dm_status builds_add(struct builds *builds, uint64_t key, enum tuner_outcome outcome)
{
    if (builds->count == builds->room) {
        size_t room = builds->room ? 2 * builds->room : 64;
        struct build_done *done = realloc(builds->done, room * sizeof *done);
        if (!done)
            return error_no_memory(room * sizeof *done);
        builds->done = done;
        builds->room = room;
    }
    builds->done[builds->count++] = (struct build_done){key, outcome};
    return DM_OK;
}
