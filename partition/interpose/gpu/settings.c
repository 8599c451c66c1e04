/* settings.c: settings from the environment and from the program. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "settings.h"

/* Of a copy between two devices: a kernel is faster up to there. */
enum { PULL_BYTES = 1 << 20 };

enum { ANALYSE_S = 30, ANALYSE_MAX_S = 86400, NUMBERS = 8, NUMBERS_MAX = 1024 };

static struct partition_settings configured;
static bool is_configured;

/* Reads what variables say; the first mistake stays. */
struct reader {
    enum dm_status status;
};

static void note_mistake(struct reader *reader, const char *variable, const char *value,
                         const char *expected)
{
    if (reader->status == DM_OK)
        reader->status = dm_fail(DM_INVALID, "%s=%.60s: expected %s", variable, value, expected);
}

static bool read_flag(struct reader *reader, const char *variable, bool otherwise)
{
    const char *value = getenv(variable);
    if (!value || !*value)
        return otherwise;
    if (!strcmp(value, "0") || !strcmp(value, "1"))
        return *value == '1';
    note_mistake(reader, variable, value, "0 or 1");
    return otherwise;
}

/* The place of the value among `names`, which end with NULL. */
static int read_choice(struct reader *reader, const char *variable, const char *const *names,
                       const char *expected)
{
    const char *value = getenv(variable);
    if (!value || !*value)
        return 0;
    for (int i = 0; names[i]; i++)
        if (!strcmp(value, names[i]))
            return i;
    note_mistake(reader, variable, value, expected);
    return 0;
}

/* Numbers with commas between them: CUDA's numbers of the devices. */
static bool read_list(const char *value, struct partition_settings *settings)
{
    settings->listed = true;
    for (int count = 0; count < PARTITION_MAX_DEVICES; count++) {
        char *end;
        long device = strtol(value, &end, 10);
        if (!isdigit((unsigned char)*value) || device > INT_MAX)
            return false;
        settings->device[count] = (int)device;
        settings->devices = count + 1;
        if (!*end)
            return true;
        if (*end != ',')
            return false;
        value = end + 1;
    }
    return false;
}

static void read_devices(struct reader *reader, struct partition_settings *settings)
{
    const char *value = getenv("PARTITION_DEVICES");
    if (!value || !*value)
        return;
    char *end;
    long devices = strtol(value, &end, 10);
    if (isdigit((unsigned char)*value) && !*end && devices <= PARTITION_MAX_DEVICES) {
        settings->devices = (int)devices;
        return;
    }
    if (strchr(value, ',') && read_list(value, settings))
        return;
    settings->listed = false;
    settings->devices = 0;
    note_mistake(reader, "PARTITION_DEVICES", value,
                 "a number from 0 (all) to 64, or devices with commas between them, as in 0,1");
}

static int64_t read_bytes(struct reader *reader, const char *variable, int64_t otherwise)
{
    const char *value = getenv(variable);
    if (!value || !*value)
        return otherwise;
    char *end;
    errno = 0;
    long long bytes = strtoll(value, &end, 10);
    if (isdigit((unsigned char)*value) && !*end && !errno)
        return bytes;
    note_mistake(reader, variable, value, "a number of bytes");
    return otherwise;
}

static int read_number(struct reader *reader, const char *variable, long least, long most,
                       int otherwise, const char *expected)
{
    const char *value = getenv(variable);
    if (!value || !*value)
        return otherwise;
    char *end;
    long number = strtol(value, &end, 10);
    if (isdigit((unsigned char)*value) && !*end && number >= least && number <= most)
        return (int)number;
    note_mistake(reader, variable, value, expected);
    return otherwise;
}

static void read_text(struct reader *reader, const char *variable, char *text, size_t room)
{
    const char *value = getenv(variable);
    if (!value)
        return;
    if (strlen(value) < room)
        strcpy(text, value);
    else
        note_mistake(reader, variable, value, "a shorter text");
}

enum dm_status partition_default_settings(struct partition_settings *settings)
{
    static const char *const htod[] = {"scatter", "broadcast", "lazy", NULL};
    static const char *const resolution[] = {"exact", "last-writer", "none", NULL};
    static const char *const access[] = {"boxes", "rows", "points", NULL};
    static const char *const atomics[] = {"integers", "floats", "none", NULL};
    struct reader reader = {DM_OK};
    *settings = (struct partition_settings){
        .off = read_flag(&reader, "PARTITION_OFF", false),
        .htod = read_choice(&reader, "PARTITION_HTOD", htod, "scatter, broadcast or lazy"),
        .resolution =
            read_choice(&reader, "PARTITION_RESOLUTION", resolution, "exact, last-writer or none"),
        .access = read_choice(&reader, "PARTITION_ACCESS", access, "boxes, rows or points"),
        .atomics = read_choice(&reader, "PARTITION_ATOMICS", atomics, "integers, floats or none"),
        .thesis_grid = read_flag(&reader, "PARTITION_THESIS_GRID", false),
        .coalesce = read_flag(&reader, "PARTITION_COALESCE", true),
        .read_whole = read_flag(&reader, "PARTITION_READ_WHOLE", false),
        .cache = read_flag(&reader, "PARTITION_CACHE", true),
        .spans = read_flag(&reader, "PARTITION_SPANS", false),
        .pull_bytes = read_bytes(&reader, "PARTITION_PULL_BYTES", PULL_BYTES),
        .quiet = read_flag(&reader, "PARTITION_QUIET", false),
        .analyse_s = read_number(&reader, "PARTITION_ANALYSE_SECONDS", 1, ANALYSE_MAX_S, ANALYSE_S,
                                 "a number of seconds from 1 to 86400"),
        .numbers = read_number(&reader, "PARTITION_NUMBERS", 0, NUMBERS_MAX, NUMBERS,
                               "a number of launches from 0 to 1024"),
    };
    read_devices(&reader, settings);
    read_text(&reader, "PARTITION_SPLIT", settings->split, sizeof settings->split);
    read_text(&reader, "PARTITION_DATABASE", settings->database, sizeof settings->database);
    read_text(&reader, "PARTITION_DATABASES", settings->databases, sizeof settings->databases);
    read_text(&reader, "PARTITION_ANALYSE", settings->analyse, sizeof settings->analyse);
    return reader.status;
}

static bool split_is_known(const char *split)
{
    static const char *const known[] = {"", "x", "y", "z", "xy", "xz", "yz"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(split, known[i]))
            return true;
    return false;
}

static enum dm_status check(const struct partition_settings *settings)
{
    const char *why = NULL;
    if (settings->devices < 0 || settings->devices > PARTITION_MAX_DEVICES)
        why = "the number of devices must be from 0 (all) to 64";
    else if (settings->listed && (settings->devices < 1 || settings->device[0] != 0))
        why = "a list of devices must begin with device 0";
    else if (!memchr(settings->split, 0, sizeof settings->split) ||
             !split_is_known(settings->split))
        why = "the split must be x, y, z, xy, xz, yz or empty";
    else if (settings->pull_bytes < 0)
        why = "the number of bytes up to which a kernel copies must not be negative";
    else if (!memchr(settings->database, 0, sizeof settings->database) ||
             !memchr(settings->databases, 0, sizeof settings->databases) ||
             !memchr(settings->analyse, 0, sizeof settings->analyse))
        why = "the name of the data base, of their folder or of what makes them is too long";
    else if (settings->analyse_s < 1)
        why = "the time limit of the analysis must be at least one second";
    else if (settings->numbers < 0 || settings->numbers > NUMBERS_MAX)
        why = "the number of launches that are analysed with their numbers must be from 0 to 1024";
    else if (settings->htod > PARTITION_LAZY || settings->resolution > PARTITION_NONE ||
             settings->access > PARTITION_POINTS || settings->atomics > PARTITION_ATOMICS_NONE)
        why = "a setting has a value that is not of its list";
    else if (settings->resolution != PARTITION_EXACT && settings->htod != PARTITION_BROADCAST)
        why = "resolution last-writer or none does not know where copies from the host went: it "
              "needs htod broadcast";
    return why ? dm_fail(DM_INVALID, "%s", why) : DM_OK;
}

enum dm_status partition_configure(const struct partition_settings *settings)
{
    TRY(check(settings));
    configured = *settings;
    is_configured = true;
    return DM_OK;
}

enum dm_status settings_now(struct partition_settings *settings)
{
    TRY(partition_default_settings(settings));
    if (is_configured)
        *settings = configured;
    return check(settings);
}
