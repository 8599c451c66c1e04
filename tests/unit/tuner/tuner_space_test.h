/* tuner_space_test.h: what the tests of spaces have in common. */
#ifndef TESTS_UNIT_TUNER_SPACE_TEST_H
#define TESTS_UNIT_TUNER_SPACE_TEST_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/tuner_space.h>

#include "tests/unit/test_status.h"

/* NULL if it is refused. */
static struct tuner_space *read_text(const char *text)
{
    struct tuner_space *space;
    /* An exact copy, so that a read beyond its end is seen. */
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    dm_fail(DM_OK, "%s", ""); /* no sentence of another text */
    enum dm_status status = tuner_space_read(&space, copy, length, "a.space");
    free(copy);
    expect((status == DM_OK) == (space != NULL));
    expect(status == DM_OK || status == DM_INVALID);
    return space;
}

static inline size_t size_of(const char *text)
{
    struct tuner_space *space = read_text(text);
    size_t size = space ? tuner_space_size(space) : 0;
    if (!space)
        printf("# %s\n", dm_message());
    tuner_space_free(space);
    return size;
}

static inline bool refused(const char *text, const char *why)
{
    struct tuner_space *space = read_text(text);
    bool right = !space && strcmp(dm_message(), why) == 0;
    if (!right)
        printf("# %s\n#   instead of %s\n", space ? "accepted" : dm_message(), why);
    tuner_space_free(space);
    return right;
}

/* In strictly lexicographic order, each found where it is, none out of range. */
static inline bool in_order(const struct tuner_space *space)
{
    size_t dimensions = tuner_space_dimensions(space), indices[TUNER_PARAMETERS_MAX];
    for (size_t i = 0; i < tuner_space_size(space); i++) {
        bool above = i == 0, differs = false;
        size_t found = SIZE_MAX;
        for (size_t d = 0; d < dimensions; d++) {
            indices[d] = tuner_space_index(space, i, d);
            const struct tuner_parameter *parameter = tuner_space_parameter(space, d);
            if (indices[d] >= parameter->count ||
                parameter->values[indices[d]] != tuner_space_value(space, i, d))
                return false;
            if (i && !differs && indices[d] != tuner_space_index(space, i - 1, d)) {
                differs = true;
                above = indices[d] > tuner_space_index(space, i - 1, d);
            }
        }
        if (!above || !tuner_space_find(space, indices, &found) || found != i)
            return false;
    }
    return true;
}

#endif
