/* random_calls.c: random programs for one GPU give the same bits with the run time before them.
 *
 *     random_calls MODULES FIRST LAST [late|threads]
 *
 * For each seed a program runs on one device without the run time, and then on several with
 * settings that the seed chooses. late (what is meant without a word): behind the run time is a
 * driver that makes calls in the strangest order that is allowed; threads: the driver as it is.
 * Ends with the number of programs; a difference is told with the number of calls that are
 * enough for it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition_interpose.h>

#include "late_driver.h"
#include "random_program.h"

static bool is_late = true;

static void choose_split(uint64_t seed, struct partition_settings *settings)
{
    static const char *const splits[] = {"", "", "", "x", "y", "xy"};
    strcpy(settings->split, splits[random_below(seed, 1, sizeof splits / sizeof *splits)]);
}

static struct partition_settings choose(uint64_t seed)
{
    static const int devices[] = {2, 3, 5, 8, 3, 1};
    static const int64_t pulls[] = {0, 100, 1 << 20, 1 << 20};
    struct partition_settings settings;
    if (partition_default_settings(&settings) != DM_OK)
        exit(2);
    settings.devices = devices[random_below(seed, 2, 6)];
    settings.pull_bytes = pulls[random_below(seed, 3, 4)];
    settings.htod = (enum partition_htod)random_below(seed, 4, 3);
    settings.access = (enum partition_access)random_below(seed, 5, 3);
    settings.coalesce = random_below(seed, 6, 4);
    settings.cache = random_below(seed, 7, 4);
    settings.read_whole = !random_below(seed, 8, 8);
    settings.spans = !random_below(seed, 9, 8);
    settings.thesis_grid = !random_below(seed, 10, 8);
    settings.quiet = true;
    choose_split(seed, &settings);
    if (!random_below(seed, 11, 6)) {
        settings.resolution = PARTITION_LAST_WRITER;
        settings.htod = PARTITION_BROADCAST;
    }
    return settings;
}

static void say(uint64_t seed, const struct partition_settings *settings)
{
    fprintf(stderr,
            "seed %llu: devices %d, split '%s', htod %d, resolution %d, access %d, pull %lld, "
            "coalesce %d, cache %d, read_whole %d, spans %d, thesis_grid %d\n",
            (unsigned long long)seed, settings->devices, settings->split, settings->htod,
            settings->resolution, settings->access, (long long)settings->pull_bytes,
            settings->coalesce, settings->cache, settings->read_whole, settings->spans,
            settings->thesis_grid);
}

/* The result of the program's first calls, in memory that the caller frees, and the last one. */
static unsigned char *result_of(uint64_t seed, const char *modules,
                                const struct partition_settings *settings, bool whole, int calls,
                                const char **last)
{
    struct random_program program = {.seed = seed, .modules = modules, .whole = whole};
    unsigned char *result = calloc(1, RESULT_BYTES);
    CUdevice device;
    CUcontext context;
    bool late = is_late && !settings->off;
    if (!result || partition_configure(settings) != DM_OK)
        exit(2);
    if (late)
        late_driver_begin(seed);
    if (cuDeviceGet(&device, 0) || cuCtxCreate(&context, NULL, 0, device))
        exit(2);
    program_run(&program, calls, result);
    if (cuCtxDestroy(context))
        exit(2);
    if (late && !late_driver_end())
        exit(1);
    *last = program.last;
    return result;
}

static bool is_right(uint64_t seed, const char *modules, const struct partition_settings *settings,
                     int calls, const char **last)
{
    struct partition_settings off = *settings;
    off.off = true;
    bool whole = settings->resolution == PARTITION_LAST_WRITER;
    unsigned char *expected = result_of(seed, modules, &off, whole, calls, last);
    unsigned char *result = result_of(seed, modules, settings, whole, calls, last);
    bool same = !memcmp(expected, result, RESULT_BYTES);
    free(expected);
    free(result);
    return same;
}

static bool try_seed(uint64_t seed, const char *modules)
{
    struct partition_settings settings = choose(seed);
    const char *last = NULL;
    int calls = CALLS_MAX;
    if (is_right(seed, modules, &settings, calls, &last))
        return true;
    say(seed, &settings);
    for (calls = 0; calls < CALLS_MAX; calls++)
        if (!is_right(seed, modules, &settings, calls, &last))
            break;
    fprintf(stderr, "seed %llu: not the same after %d calls, the last one %s\n",
            (unsigned long long)seed, calls, last);
    return false;
}

static bool read_seed(const char *word, uint64_t *seed)
{
    char *end;
    *seed = strtoull(word, &end, 10);
    return isdigit((unsigned char)*word) && !*end;
}

int main(int count, char **words)
{
    uint64_t first, last;
    if (count < 4 || count > 5 || !read_seed(words[2], &first) || !read_seed(words[3], &last) ||
        cuInit(0))
        return 2;
    is_late = count == 4 || !strcmp(words[4], "late");
    int wrong = 0;
    for (uint64_t seed = first; seed <= last; seed++)
        wrong += !try_seed(seed, words[1]);
    printf("%llu programs, %d wrong\n", (unsigned long long)(last - first + 1), wrong);
    return wrong ? 1 : 0;
}
