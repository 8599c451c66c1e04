/* tuner_objective_test.h: what the tests of objectives and of logs have in common. */
#ifndef TESTS_UNIT_TUNER_OBJECTIVE_TEST_H
#define TESTS_UNIT_TUNER_OBJECTIVE_TEST_H

#include <stdlib.h>
#include <string.h>

#include <datamotion/tuner.h>

#include "common/harness/exit.h"
#include "tests/unit/test_status.h"

static char folder[64];

/* A path in the test's folder, valid until the fourth call from here. */
static inline const char *path_of(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline const char *write_bytes(const char *name, const char *bytes, size_t count)
{
    const char *path = path_of(name);
    FILE *out = fopen(path, "we");

    check_errno(out);
    check_errno(fwrite(bytes, 1, count, out) == count);
    check_errno(fclose(out) == 0);
    return path;
}

static inline const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

static inline struct tuner_trial ask(struct tuner_objective objective, size_t configuration)
{
    struct tuner_trial trial;

    expect_ok(tuner_objective_measure(objective, configuration, &trial));
    return trial;
}

static inline struct tuner_space *read_space(const char *text)
{
    struct tuner_space *space;

    check_status(tuner_space_read(&space, text, strlen(text), "space"));
    return space;
}

/* The configuration of two parameters with these indices. */
static inline size_t configuration_of(const struct tuner_space *space, size_t first, size_t second)
{
    size_t configuration = 0;

    expect(tuner_space_find(space, (size_t[]){first, second}, &configuration));
    return configuration;
}

static inline void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/tuner_objective_test.XXXXXX");
    check_errno(mkdtemp(folder));
}

static inline void remove_folder(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -r %s", folder);
    expect(system(command) == 0);
}

#endif
