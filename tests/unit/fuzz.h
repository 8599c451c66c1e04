/* fuzz.h: what the fuzz drivers share: random numbers from a seed, options, and showing the input
 * when a sanitizer ends the program. A driver includes it once. */
#ifndef TESTS_UNIT_FUZZ_H
#define TESTS_UNIT_FUZZ_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"

static uint64_t random_seed = 1, random_count;

/* From 0 to below - 1; 0 if there is nothing to draw from. */
static inline size_t draw(size_t below)
{
    return below ? (size_t)random_below(random_seed, random_count++, below) : 0;
}

/* Reads [--seconds N] [--seed N]; `other` gets the words that are neither, and is NULL where there
 * may be none. Returns the seconds. */
static inline double read_options(int argc, char **argv, void (*other)(const char *word))
{
    double seconds = 60;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            seconds = atof(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            random_seed = strtoull(argv[++i], NULL, 10);
        else if (other)
            other(argv[i]);
        else
            fail("%s [--seconds N] [--seed N], not %s", argv[0], argv[i]);
    }
    return seconds;
}

/* `show` prints the input that is tried, when a sanitizer or fail() ends the program before
 * end_watch(). */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>

static void (*show_input)(void);

static void show_at_exit(void)
{
    if (show_input)
        show_input();
    show_input = NULL;
}

static inline void begin_watch(void (*show)(void))
{
    show_input = show;
    __sanitizer_set_death_callback(show_at_exit);
    atexit(show_at_exit);
}

static inline void end_watch(void)
{
    show_input = NULL;
}
#else
static inline void begin_watch(void (*show)(void))
{
    (void)show;
    fail("built without -fsanitize=address,undefined: it would find nothing");
}

static inline void end_watch(void)
{
}
#endif

#endif
