// soft_execute_test.h: named checks with one line of TAP each.
#ifndef SOFT_EXECUTE_TEST_H
#define SOFT_EXECUTE_TEST_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

// A check returns NULL, or why it failed.
struct named_check {
    const char *name;
    const char *(*check)();
};

#define EXPECT_TEXT(line)       #line
#define EXPECT_AT(line, text)   "line " EXPECT_TEXT(line) ": " text
#define EXPECT(condition)                                                                          \
    do                                                                                             \
        if (!(condition))                                                                          \
            return EXPECT_AT(__LINE__, #condition);                                                \
    while (0)

__attribute__((format(printf, 1, 2))) static inline const char *failure(const char *format, ...)
{
    static char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

// Runs the checks named on the command line, or all; returns the exit status.
static inline int run_checks(const named_check *checks, size_t count, int argc, char **argv)
{
    int failed = 0, ran = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) {
        bool wanted = argc < 2;
        for (int arg = 1; arg < argc; arg++)
            wanted |= strcmp(argv[arg], checks[i].name) == 0;
        if (!wanted)
            continue;
        const char *why = checks[i].check();
        ran++;
        failed += why != NULL;
        printf("%s %s%s%s\n", why ? "not ok" : "ok", checks[i].name, why ? ": " : "", why ? why : "");
    }
    printf("1..%d\n", ran);
    return failed || !ran;
}

#endif
