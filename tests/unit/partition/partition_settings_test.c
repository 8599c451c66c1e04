/* partition_settings_test: what partition_configure and the environment's variables may say, and
 * what they may not. */
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition_interpose.h>

#include "tests/unit/test_status.h"

static struct partition_settings good(void)
{
    struct partition_settings settings;
    expect_ok(partition_default_settings(&settings));
    return settings;
}

static void defaults(void)
{
    struct partition_settings settings = good();
    expect(!settings.off && settings.devices == 0 && !*settings.split && !*settings.database);
    expect(settings.htod == PARTITION_SCATTER && settings.resolution == PARTITION_EXACT);
    expect(settings.access == PARTITION_BOXES && settings.coalesce && settings.cache);
    expect(settings.pull_bytes == 1 << 20);
}

static void variables_that_make_no_sense(void)
{
    static const struct {
        const char *variable, *value, *words;
    } wrong[] = {
        {"PARTITION_OFF", "yes", "PARTITION_OFF=yes: expected 0 or 1"},
        {"PARTITION_DEVICES", "65", "PARTITION_DEVICES=65: expected a number from 0"},
        {"PARTITION_DEVICES", "two", "expected a number"},
        {"PARTITION_HTOD", "later", "expected scatter, broadcast or lazy"},
        {"PARTITION_RESOLUTION", "some", "expected exact, last-writer or none"},
        {"PARTITION_ACCESS", "lines", "expected boxes, rows or points"},
        {"PARTITION_PULL_BYTES", "-1", "expected a number of bytes"},
        {"PARTITION_ATOMICS", "all", "expected integers, floats or none"},
        {"PARTITION_NUMBERS", "1025", "expected a number of launches from 0 to 1024"},
        {"PARTITION_SPLIT", "xyzx", "expected a shorter text"},
    };
    struct partition_settings settings;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv(wrong[i].variable, wrong[i].value, 1);
        expect_error(partition_default_settings(&settings), DM_INVALID, wrong[i].words);
        unsetenv(wrong[i].variable);
    }
    expect_ok(partition_default_settings(&settings));
}

static void settings_that_make_no_sense(void)
{
    struct partition_settings settings = good();
    settings.devices = PARTITION_MAX_DEVICES + 1;
    expect_error(partition_configure(&settings), DM_INVALID, "from 0 (all) to 64");
    settings = good();
    strcpy(settings.split, "xyz");
    expect_error(partition_configure(&settings), DM_INVALID, "the split must be x, y, z");
    settings = good();
    settings.pull_bytes = -1;
    expect_error(partition_configure(&settings), DM_INVALID, "must not be negative");
    settings = good();
    memset(settings.database, 'd', sizeof settings.database);
    expect_error(partition_configure(&settings), DM_INVALID, "too long");
    settings = good();
    settings.access = (enum partition_access)(PARTITION_POINTS + 1);
    expect_error(partition_configure(&settings), DM_INVALID, "not of its list");
    settings = good();
    settings.resolution = PARTITION_NONE;
    expect_error(partition_configure(&settings), DM_INVALID, "needs htod broadcast");
    settings.htod = PARTITION_BROADCAST;
    expect_ok(partition_configure(&settings));
}

int main(void)
{
    run_test(defaults);
    run_test(variables_that_make_no_sense);
    run_test(settings_that_make_no_sense);
    return end_tests();
}
