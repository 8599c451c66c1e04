/* settings.c: the environment variables of the software GPU's runtime half. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

struct settings soft_settings;

/* A whole number from `least` to `most`; without the variable *value keeps its default. */
static bool read_number(const char *name, long least, long most, long *value)
{
    const char *text = getenv(name);
    char *end;

    if (!text)
        return true;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno || end == text || *end || number < least || number > most) {
        fprintf(stderr, "soft GPU: %s=%s: expected a whole number from %ld to %ld\n", name, text,
                least, most);
        return false;
    }
    *value = number;
    return true;
}

/* A size of at least 1 MiB with an optional suffix K, M or G (powers of 1024). */
static bool read_size(const char *name, size_t *bytes)
{
    static const char suffixes[] = "KMG";
    const char *text = getenv(name);
    char *end;

    if (!text)
        return true;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *suffix = end > text && *end ? strchr(suffixes, *end) : NULL;
    int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
    bool good = !errno && end > text && *text != '-' && (suffix ? end[1] == '\0' : *end == '\0');
    if (!good || number > (SIZE_MAX >> (shift + 1)) || (number << shift) < 1048576) {
        fprintf(stderr,
                "soft GPU: %s=%s: expected a size in bytes of at least 1M, such as 512M or 2G\n",
                name, text);
        return false;
    }
    *bytes = (size_t)(number << shift);
    return true;
}

/* Bytes of main memory that could be used now, or 0 if the system does not say. */
static size_t available_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib = 0;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return (size_t)kib * 1024;
}

static size_t default_memory(long devices)
{
    size_t most = (size_t)8 << 30, least = (size_t)64 << 20;
    size_t share = available_memory() / 2 / (size_t)(devices > 0 ? devices : 1);

    share &= ~(size_t)0xfffff;
    return share > most ? most : share < least ? least : share;
}

static bool read_mlock(bool *required)
{
    const char *text = getenv("SOFTGPU_MLOCK");

    *required = text && strcmp(text, "require") == 0;
    if (text && !*required && strcmp(text, "try") != 0) {
        fprintf(stderr, "soft GPU: SOFTGPU_MLOCK=%s: expected require or try\n", text);
        return false;
    }
    return true;
}

bool settings_read(struct settings *settings)
{
    long devices = 1, multiprocessors = 8, fail_after = -1;

    if (!read_number("SOFTGPU_DEVICES", 0, MAX_DEVICES, &devices) ||
        !read_number("SOFTGPU_SMS", 1, 1024, &multiprocessors) ||
        !read_number("SOFTGPU_FAIL_AFTER", 0, 1000000000, &fail_after) ||
        !read_mlock(&settings->mlock_required))
        return false;
    settings->memory_bytes = default_memory(devices);
    if (!read_size("SOFTGPU_MEMORY", &settings->memory_bytes))
        return false;
    settings->devices = (int)devices;
    settings->multiprocessors = (int)multiprocessors;
    settings->fail_after = fail_after;
    return true;
}
