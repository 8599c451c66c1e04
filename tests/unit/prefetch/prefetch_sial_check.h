/* prefetch_sial_check.h: compiles programs and looks at what comes out. */
#ifndef TESTS_UNIT_PREFETCH_SIAL_CHECK_H
#define TESTS_UNIT_PREFETCH_SIAL_CHECK_H

#include <stdlib.h>

#include "tests/unit/test_status.h"

#include "prefetch_sial_verify.h"

/* The beginning of a program for which definitions suit. */
#define HEAD "sial t\npredefined int norb\n"
static const struct prefetch_definition definitions[] = {{"NORB", 4}};

/* Declarations that good programs can begin with. */
#define SAMPLE                                                                                     \
    "sial t\npredefined int norb\naoindex i = 1:norb\naoindex j = 1:norb\naoindex k = 1:norb\n"    \
    "moindex p = 2:3\nindex n = -1:4\nstatic s[i,j]\ntemp t[i,j]\ntemp u[j,i]\ntemp v[i]\n"        \
    "local c[i,j]\ndistributed a[i,j]\ndistributed b[i,k]\nserved d[i,j]\nserved e[p,n]\n"         \
    "scalar x\nscalar y = 2\nint m\nint o = 7/2\nconstant int two = 2\nconstant scalar half = "    \
    "1.0/two\nspecial f wru\nspecial g\n"

/* A bad program; place: line:column. */
static inline void check_error(const char *text, size_t length, const char *place,
                               const char *words)
{
    struct prefetch_program *program;
    enum dm_status status = prefetch_compile_text(&program, "test", text, length, definitions, 1);
    char start[100];
    snprintf(start, sizeof start, "test:%s: ", place);
    bool right = status == DM_INVALID && !program &&
                 strncmp(dm_message(), start, strlen(start)) == 0 &&
                 strstr(dm_message(), words) != NULL;
    if (!right)
        printf("# %.500s\n# expected %s%s\n# found %s\n", text, start, words,
               program ? "a program" : dm_message());
    expect(right);
    prefetch_free(program);
}

/* A good program. */
static inline struct prefetch_program *compile_good(const char *text)
{
    struct prefetch_program *program;
    size_t count = strstr(text, "predefined") != NULL;
    expect_ok(prefetch_compile_text(&program, "test", text, strlen(text), definitions, count));
    expect(program != NULL && verify_program(program));
    return program;
}

static inline char *disassemble(const struct prefetch_program *program)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    prefetch_disassemble(program, file);
    fclose(file);
    return text;
}

/* The instructions without their numbers, joined by `; `. */
static inline void instructions_of(const struct prefetch_program *program, char *code, size_t bytes)
{
    char *text = disassemble(program);
    size_t used = 0;
    code[0] = '\0';
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (line[0] == ' ' && used < bytes)
            used += (size_t)snprintf(code + used, bytes - used, "%s%s", used ? "; " : "",
                                     line + strlen("    0  0:10    "));
    free(text);
}

#endif
