#include "application_modes.h"

#include <stdio.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/option_lists.h"

const char *const application_htods[] = {"scatter", "broadcast", "lazy", NULL};
const char *const application_resolutions[] = {"exact", "last-writer", "none", NULL};
const char *const application_accesses[] = {"boxes", "rows", "points", NULL};

static void set_option(struct partition_settings *settings, const char *word, int length)
{
    static const char *const names[] = {"whole", "no-coalesce", "no-cache", "thesis-grid",
                                        "spans", "engines",     NULL};
    switch (option_find_name("option", names, word, length)) {
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
    default:
        settings->pull_bytes = 0;
    }
}

static void set_options(struct partition_settings *settings, const char *options)
{
    if (strcmp(options, "-") == 0)
        return;
    for (const char *at = options;; at++) {
        size_t length = strcspn(at, "+");
        set_option(settings, at, (int)length);
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

static int place_of(const char *noun, const char *const *names, const char *word)
{
    return option_find_name(noun, names, word, (int)strlen(word));
}

struct partition_settings application_mode_settings(const struct application_mode *mode)
{
    struct partition_settings settings;
    check_status(partition_default_settings(&settings));
    settings.off = false;
    settings.quiet = true; /* the program says it once per configuration, see -h */
    settings.devices = mode->devices;
    settings.htod = (enum partition_htod)place_of("htod", application_htods, mode->htod);
    settings.resolution = (enum partition_resolution)place_of("resolution", application_resolutions,
                                                              mode->resolution);
    settings.access = (enum partition_access)place_of("access", application_accesses, mode->access);
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
