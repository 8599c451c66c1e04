#include "application_modes.h"

#include <stdio.h>
#include <string.h>

#include "common/harness/exit.h"

/* The place of a word of `length` characters in a list that NULL ends; -1: not there. */
static int find(const char *const *list, const char *word, size_t length)
{
    for (int i = 0; list[i]; i++)
        if (strlen(list[i]) == length && strncmp(list[i], word, length) == 0)
            return i;
    return -1;
}

static int find_or_fail(const char *option, const char *const *list, const char *word)
{
    int place = find(list, word, strlen(word));
    if (place < 0)
        fail("--%s %s: there is %s, %s and %s", option, word, list[0], list[1], list[2]);
    return place;
}

static void set_option(struct partition_settings *settings, const char *word, size_t length)
{
    static const char *const names[] = {"whole", "no-coalesce", "no-cache", "thesis-grid",
                                        "spans", "engines",     NULL};
    switch (find(names, word, length)) {
    case 0:
        settings->read_whole = true;
        break;
    case 1:
        settings->coalesce = false;
        break;
    case 2:
        settings->cache = false;
        break;
    case 3:
        settings->thesis_grid = true;
        break;
    case 4:
        settings->spans = true;
        break;
    case 5:
        settings->pull_bytes = 0;
        break;
    default:
        fail("--options %.*s: there is -, or joined by +: whole, no-coalesce, no-cache, "
             "thesis-grid, spans, engines",
             (int)length, word);
    }
}

static void set_options(struct partition_settings *settings, const char *options)
{
    if (strcmp(options, "-") == 0)
        return;
    for (const char *at = options;; at++) {
        size_t length = strcspn(at, "+");
        set_option(settings, at, length);
        at += length;
        if (!*at)
            return;
    }
}

static void set_split(struct partition_settings *settings, const char *split)
{
    settings->split[0] = '\0';
    if (strcmp(split, "default") == 0)
        return;
    if (strlen(split) >= sizeof settings->split || strspn(split, "xyz") != strlen(split))
        fail("--splits %s: dimensions are x, y, z, or two of them as in xy, or default", split);
    snprintf(settings->split, sizeof settings->split, "%s", split);
}

struct partition_settings application_mode_settings(const struct application_mode *mode)
{
    static const char *const htods[] = {"scatter", "broadcast", "lazy", NULL};
    static const char *const resolutions[] = {"exact", "last-writer", "none", NULL};
    static const char *const accesses[] = {"boxes", "rows", "points", NULL};
    struct partition_settings settings;
    check_status(partition_default_settings(&settings));
    settings.off = false;
    settings.quiet = true; /* the program says it once per configuration, see -h */
    settings.devices = mode->devices;
    settings.htod = (enum partition_htod)find_or_fail("htod", htods, mode->htod);
    settings.resolution =
        (enum partition_resolution)find_or_fail("resolutions", resolutions, mode->resolution);
    settings.access = (enum partition_access)find_or_fail("access", accesses, mode->access);
    set_split(&settings, mode->split);
    set_options(&settings, mode->options);
    return settings;
}

struct partition_settings application_mode_off(void)
{
    struct partition_settings settings;
    check_status(partition_default_settings(&settings));
    settings.off = true;
    return settings;
}
