/* Which arguments decide what a kernel accesses: those that a map, a size or the invalid set names,
 * or that a definition which one of these names is made of; no others. */
#include <string.h>
#include <sys/mman.h>

#include <datamotion/partition.h>

#include "tests/unit/test_status.h"

/* Two dimensions, so that there is a size; integers n, n_2 and step, and a float. */
static const char format[] = "datamotion-partition 1\n"
                             "kernel k\n source k.cu\n coordinates gx\n split x\n"
                             " invalid %s\n define p_1 = %s\n"
                             " argument 0\n  name data\n  type float*\n  bits 0\n"
                             "  element_bits 32\n  fundamental f\n  dims 2\n  level 1\n"
                             "  sizes %s\n  read %s\n  read_access %s\n  read_pattern -\n"
                             "%s%s%s%s end\n";
#define SCALAR(number, name, type, fundamental)                                                    \
    " argument " number "\n  name " name "\n  type " type "\n  bits 32\n  element_bits 0\n"        \
    "  fundamental " fundamental "\n  dims 0\n  level 0\n"

struct parts {
    const char *invalid, *definition, *size, *read, *each, *deciding;
};

static const char never[] = "{ : false }", five[] = "{ [] -> [(5)] }",
                  row[] = "{ [gx] -> data[0, gx] : 0 <= gx < 5 }";

static const struct parts cases[] = {
    {never, "n", five, row, row, ""},
    {"[n] -> { : n > 7 }", "1", five, row, row, "n"},
    {never, "1", "[n_2] -> { [] -> [(n_2)] }", row, row, "n_2"},
    {never, "1", five, "[step] -> { [gx] -> data[0, gx] : 0 <= gx < step }", row, "step"},
    {never, "1", five, row, "[step] -> { [gx] -> data[0, gx] : 0 <= gx < step }", "step"},
    {never, "2 * (n_2 + 1) - n", "[p_1] -> { [] -> [(p_1)] }", row, row, "n n_2"},
    {never, "n_2", "[p_1] -> { [] -> [(p_1)] }", row, row, "n_2"},
    /* Named, but nothing depends on it. */
    {"[n, step] -> { : n > 7 }", "step", "[n, p_1] -> { [] -> [(n)] }", row, row, "n"},
};

static struct partition_database *load(const struct parts *parts)
{
    static char text[4096];
    struct partition_database *database;
    char path[64];
    int length = snprintf(text, sizeof text, format, parts->invalid, parts->definition, parts->size,
                          parts->read, parts->each, SCALAR("1", "n", "i32", "i"),
                          SCALAR("2", "n_2", "i32", "i"), SCALAR("3", "step", "i32", "i"),
                          SCALAR("4", "dt", "float", "f"));
    int file = memfd_create("database", MFD_CLOEXEC);
    expect(file >= 0 && write(file, text, (size_t)length) == length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    expect_ok(partition_database_load(&database, path));
    close(file);
    return database;
}

static void deciding_arguments(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct partition_database *database = load(&cases[i]);
        char deciding[64] = "";
        expect(database);
        for (size_t a = 0; database && a < database->kernels->argument_count; a++)
            if (database->kernels->arguments[a].decides)
                snprintf(deciding + strlen(deciding), sizeof deciding - strlen(deciding), "%s%s",
                         *deciding ? " " : "", database->kernels->arguments[a].name);
        printf("# %zu: '%s'\n", i, deciding);
        expect(!strcmp(deciding, cases[i].deciding));
        partition_database_free(database);
    }
}

int main(void)
{
    run_test(deciding_arguments);
    return end_tests();
}
