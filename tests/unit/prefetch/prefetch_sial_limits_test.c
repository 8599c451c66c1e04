/* The SIAL compiler: limits, definitions from outside, imports, and how messages look. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "prefetch_sial_check.h"

/* HEAD, then a part many times over between a beginning and an end. */
static void check_repeated(const char *begin, const char *part, int times, const char *end,
                           const char *place, const char *words)
{
    size_t bytes = strlen(HEAD) + strlen(begin) + (size_t)times * strlen(part) + strlen(end) + 1;
    char *text = malloc(bytes), *at = stpcpy(stpcpy(text, HEAD), begin);
    for (int i = 0; i < times; i++)
        at = stpcpy(at, part);
    strcpy(at, end);
    check_error(text, strlen(text), place, words);
    free(text);
}

static void limits_are_errors(void)
{
    check_repeated("scalar x\nx = ", "(", 100000, "", "4:104", "nested more than 100 deep");
    check_repeated("scalar x\nx = ", "- ", 100000, "", "4:205", "nested more than 100 deep");
    check_repeated("scalar x\nif ", "not ", 100000, "", "4:404", "nested more than 100 deep");
    check_repeated("", "if 1 < 2\n", 100000, "", "102:4", "nested more than 100 deep");
    check_repeated("scalar x\nx = ", "1-(", 80, "1", "4:246", "expected an operator or `)`");
    char text[20000], *at = stpcpy(text, HEAD);
    for (int i = 0; i < 33; i++)
        at += sprintf(at, "index i%d = 1:2\n", i);
    for (int i = 0; i < 33; i++)
        at += sprintf(at, "do i%d\n", i);
    for (int i = 0; i < 33; i++)
        at += sprintf(at, "enddo\n");
    strcpy(at, "endsial");
    check_error(text, strlen(text), "68:1", "more than 32 loops in one another");
}

static void stack_and_calls_have_limits(void)
{
    char text[20000], *at = stpcpy(text, HEAD "scalar x\nx = ");
    for (int i = 0; i < 65; i++)
        at = stpcpy(at, "1-(");
    at = stpcpy(at, "1");
    for (int i = 0; i < 65; i++)
        at = stpcpy(at, ")");
    strcpy(at, "\nendsial");
    check_error(text, strlen(text), "4:1", "more than 64 intermediate values");
    at = stpcpy(text, HEAD "call q0\n");
    for (int i = 0; i < 65; i++)
        at += sprintf(at, "proc q%d\n%s%d\nendproc\n", i, i < 64 ? "call q" : "print ", i + 1);
    strcpy(at, "endsial");
    check_error(text, strlen(text), "194:1", "more than 64 procedures");
    at = stpcpy(text, HEAD);
    for (int i = 64; i >= 0; i--)
        at += sprintf(at, "proc q%d\n%s%d\nendproc\n", i, i < 64 ? "call q" : "print ", i + 1);
    strcpy(at, "endsial");
    check_error(text, strlen(text), "196:1", "more than 64 procedures");
}

/* Three procedures of 12 loops each. */
static void loops_are_counted_through_calls(void)
{
    char text[20000], *at = stpcpy(text, HEAD);
    for (int i = 0; i < 36; i++)
        at += sprintf(at, "index i%d = 1:2\n", i);
    for (int i = 0; i < 36; i++) {
        at += i % 12 == 0 ? sprintf(at, "proc q%d\n", i / 12) : 0;
        at += sprintf(at, "do i%d\n", i);
        if (i % 12 == 11 && i < 35)
            at += sprintf(at, "call q%d\n", i / 12 + 1);
        for (int k = 0; i % 12 == 11 && k < 12; k++)
            at = stpcpy(at, "enddo\n");
        at = stpcpy(at, i % 12 == 11 ? "endproc\n" : "");
    }
    strcpy(at, "endsial");
    check_error(text, strlen(text), "52:1", "this call leads to more than 32 loops");
}

/* A text that is no program. */
static enum dm_status compile_text(const char *text, size_t length)
{
    struct prefetch_program *program;
    enum dm_status status = prefetch_compile_text(&program, "test", text, length, NULL, 0);
    expect(!program);
    prefetch_free(program);
    return status;
}

static void definitions_are_checked(void)
{
    static const struct {
        struct prefetch_definition definitions[2];
        size_t count;
        const char *error;
    } cases[] = {
        {{{"norbs", 4}}, 1, "test: the program has no predefined `norbs`: did you mean `norb`?"},
        {{{"z", 4}}, 1, "test: the program has no predefined `z`"},
        {{{"norb", 4}, {"NORB", 4}}, 2, "`NORB` is given a value twice"},
        {{{"norb", 1.5}}, 1, "test:2:16: `norb` is given the value 1.5, but is an int"},
        {{{"norb", 3e9}}, 1, "test:2:16: `norb` is given the value 3000000000, but is an int"},
        {{{"norb", INFINITY}},
         1,
         "test:2:16: `norb` is given the value inf: expected a finite number"},
        {{{"norb", 4}}, 0, "test:2:16: `norb` is predefined, but nothing gives it a value"},
    };
    static const char text[] = HEAD "endsial";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prefetch_program *program;
        expect_error(prefetch_compile_text(&program, "test", text, strlen(text),
                                           cases[i].definitions, cases[i].count),
                     DM_INVALID, cases[i].error);
        expect(program == NULL);
        expect(strncmp(dm_message(), cases[i].error, strlen(cases[i].error)) == 0);
    }
}

/* The whole message: the line and a mark under the place, also with tabs, other letters and long
 * lines. */
static void messages_show_the_line(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"sial t\nget a[i,j\nendsial",
         "test:2:10: expected `]` or `,` after an index, found the end "
         "of the line\n    2 | get a[i,j\n      |          ^"},
        {"sial t\n\tprint \"\xc3\xa4\" x\nendsial",
         "test:2:13: expected the end of the line after a statement, found `x`\n"
         "    2 | \tprint \"\xc3\xa4\" x\n      | \t          ^"},
        {"sial t\r\nx = $\r\nendsial",
         "test:2:5: the character $ has no meaning in SIAL\n    2 | x = $\n      |     ^"},
        {"sial t\nx\r= $\nendsial",
         "test:2:5: the character $ has no meaning in SIAL\n    2 | x\n      |  ^"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_error(compile_text(cases[i].text, strlen(cases[i].text)), DM_INVALID,
                     cases[i].error);
        expect(strcmp(dm_message(), cases[i].error) == 0);
    }
    char text[3000];
    snprintf(text, sizeof text, "sial t\nprint \"%02000d\", $ # %0400d", 0, 0);
    expect_error(compile_text(text, strlen(text)), DM_INVALID, "test:2:");
    const char *line = strstr(dm_message(), "    2 | "), *mark = strstr(dm_message(), "      | ");
    expect(line && mark && line[strcspn(mark, "^")] == '$' && strlen(dm_message()) < 300);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    expect(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Compiles main.sialx of the present folder; what it says instead, or "". */
static const char *compile_main(void)
{
    struct prefetch_program *program;
    enum dm_status status = prefetch_compile(&program, "folder/main.sialx", NULL, 0);
    prefetch_free(program);
    return status == DM_OK ? "" : dm_message();
}

static void imports_are_found_beside_the_importer(void)
{
    char folder[] = "/tmp/sial_test_XXXXXX";
    int before = open(".", O_RDONLY | O_DIRECTORY);
    expect(before >= 0 && mkdtemp(folder) && chdir(folder) == 0);
    expect(mkdir("folder", 0700) == 0 && mkdir("folder/inner", 0700) == 0);
    expect(strstr(compile_main(), "cannot read folder/main.sialx: No such file") != NULL);
    write_file("folder/main.sialx",
               "sial m\nimport \"inner/one.sialx\"\nscalar y\ncall p\nendsial");
    expect(strcmp(compile_main(),
                  "folder/main.sialx:2:8: cannot read folder/inner/one.sialx: No such file or "
                  "directory\n    2 | import \"inner/one.sialx\"\n      |        ^") == 0);
    /* A cycle, and one file by two names: each counts once. Statements outside of p do not count.
     */
    write_file("folder/inner/one.sialx", "sial o\nimport \"../two.sialx\"\nimport \"two.sialx\"\n"
                                         "import \"../main.sialx\"\nproc p\nx = 1\ny = x\nendproc\n"
                                         "sip_barrier\nendsial");
    write_file("folder/two.sialx", "sial w\nscalar x\nendsial");
    expect(symlink("../two.sialx", "folder/inner/two.sialx") == 0);
    expect(strcmp(compile_main(), "") == 0);
    write_file("folder/two.sialx", "sial w\nscalar x\nscalar X\nendsial");
    expect(strncmp(compile_main(),
                   "folder/inner/../two.sialx:3:8: `X` is declared already: a scalar "
                   "in line 2 of folder/inner/../two.sialx",
                   100) == 0);
    write_file("folder/two.sialx", "sial w\nscalar x\nscalar y\nendsial");
    expect(strstr(compile_main(), "main.sialx:3:8: `y` is declared already") != NULL);
    expect(unlink("folder/two.sialx") == 0 && mkfifo("folder/two.sialx", 0600) == 0);
    expect(strstr(compile_main(), "it is not a regular file") != NULL);
    struct prefetch_program *program;
    expect_error(prefetch_compile_text(&program, "folder/x",
                                       "sial x\nimport \"main.sialx\"\nendsial", 33, NULL, 0),
                 DM_INVALID, "cannot read main.sialx: No such file");
    expect_error(prefetch_compile(&program, "folder/none.sialx", NULL, 0), DM_FAILED,
                 "cannot read folder/none.sialx: No such file");
    expect(!program);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    expect(fchdir(before) == 0 && close(before) == 0 && system(command) == 0);
}

static void a_program_is_not_too_long(void)
{
    size_t length = ((size_t)1 << 20) + 1;
    char *text = malloc(length);
    memset(text, '\n', length);
    expect_error(compile_text(text, length), DM_INVALID,
                 "test: a program with its imports has at most 1 MiB");
    expect_error(compile_text(text, length - 1), DM_INVALID, "test:1048577:1: expected `sial`");
    expect_error(compile_text(NULL, 0), DM_INVALID, "test:1:1: expected `sial`");
    free(text);
}

int main(void)
{
    run_test(limits_are_errors);
    run_test(stack_and_calls_have_limits);
    run_test(loops_are_counted_through_calls);
    run_test(definitions_are_checked);
    run_test(messages_show_the_line);
    run_test(imports_are_found_beside_the_importer);
    run_test(a_program_is_not_too_long);
    return end_tests();
}
