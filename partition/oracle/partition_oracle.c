/* partition_oracle.c: checks the accesses in a data base against the kernels, run on the CPU.
 *
 *     partition-oracle DATABASE MODULE.so CASES
 *
 * MODULE.so holds the kernels with recorded loads and stores (oracle-module makes it); CASES has a
 * line for each launch: KERNEL GRID BLOCK ELEMENTS NAME=VALUE ..., with the number of elements of
 * every array. Lines of kernels that the data base does not know are skipped, as are empty ones and
 * those that begin with #. Prints a line for each launch, and each difference. Exit code 0 if there
 * was something to compare and all was right. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "oracle.h"

static const struct oracle_module *open_module(const char *path)
{
    char *full_path = realpath(path, NULL);
    if (!full_path)
        fail("%s cannot be read", path);
    void *object = dlopen(full_path, RTLD_NOW | RTLD_LOCAL);
    free(full_path);
    if (!object)
        fail("%s", dlerror());
    const struct oracle_module *module = dlsym(object, "oracle_module");
    if (!module)
        fail("%s is no module of the oracle: %s", path, dlerror());
    return module;
}

static const struct oracle_kernel *find_code(const struct oracle_module *module, const char *name)
{
    for (const struct oracle_kernel *kernel = module->kernels; kernel->name; kernel++)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    fail("the module has no kernel %s", name);
}

static void print_case(const struct oracle_case *its, const struct oracle_counts *counts)
{
    const unsigned *grid = its->shape.grid, *block = its->shape.block;
    printf("%s %ux%ux%u %ux%ux%u:", its->kernel, grid[0], grid[1], grid[2], block[0], block[1],
           block[2]);
    printf(" %zu comparisons, %zu wrong, %zu larger\n", counts->comparisons, counts->wrong,
           counts->larger);
}

static void run_case(struct oracle_launch *launch, struct oracle_counts *total)
{
    struct oracle_counts counts = {0};
    oracle_prepare(launch);
    if (partition_check_launch(&(struct partition_launch){launch->kernel, launch->scalars,
                                                          &launch->its->shape}) == DM_OK) {
        oracle_compare(launch, &counts);
        print_case(launch->its, &counts);
    } else {
        printf("%s: not split: %s\n", launch->its->kernel, dm_message());
    }
    oracle_release(launch);
    total->comparisons += counts.comparisons;
    total->wrong += counts.wrong;
    total->larger += counts.larger;
}

static void run_line(char *line, struct partition_database *database,
                     const struct oracle_module *module, struct oracle_counts *total)
{
    struct oracle_case its;
    line += strspn(line, " \t\n");
    if (*line == 0 || *line == '#')
        return;
    oracle_parse(line, &its);
    struct oracle_launch launch = {.its = &its, .module = module};
    launch.kernel = partition_database_find(database, its.kernel);
    if (!launch.kernel)
        return;
    if (launch.kernel->refusal)
        fail("kernel %s is refused: %s", its.kernel, launch.kernel->refusal);
    launch.code = find_code(module, its.kernel);
    run_case(&launch, total);
}

int main(int argc, char **argv)
{
    struct partition_database *database;
    if (argc != 4)
        fail("usage: partition-oracle DATABASE MODULE.so CASES");
    check_status(partition_database_load(&database, argv[1]));
    const struct oracle_module *module = open_module(argv[2]);
    FILE *cases = fopen(argv[3], "r");
    if (!cases)
        fail("%s cannot be read", argv[3]);
    struct oracle_counts total = {0};
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, cases) >= 0)
        run_line(line, database, module, &total);
    free(line);
    fclose(cases);
    partition_database_free(database);
    printf("total: %zu comparisons, %zu wrong, %zu larger\n", total.comparisons, total.wrong,
           total.larger);
    return total.wrong == 0 && total.comparisons > 0 ? EXIT_PASS : EXIT_FAIL;
}
