#include "interval_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/options.h"

#include "module_path.h"

static const struct kind {
    const char *name, *module, *kernel;
    unsigned block[3];
    int dims;
    size_t size;
    int devices; /* 0: as many as are asked for */
} kinds[] = {
    {"stencil", "stencil", "stencil5p", {32, 32, 1}, 2, 36864, 0},
    {"islpy", "example", "stencil_ex", {16, 16, 1}, 2, 32, 2},
    {"matmul", "matmul", "mat_mul", {32, 32, 1}, 2, 4096, 0},
    {"nbody", "nbody", "update_velocities", {256, 1, 1}, 1, 65536, 0},
};
enum { CASE_SIZE_MAX = 46340 * 1024 };

static const struct kind *find_kind(const char *word, size_t *size)
{
    static const char *const names[] = {"stencil", "islpy", "matmul", "nbody", NULL};
    size_t length = strcspn(word, ":");
    const struct kind *kind = &kinds[option_find_name("case", names, word, (int)length)];
    *size = kind->size;
    if (word[length] &&
        (!options_read_size(word + length + 1, size) || *size < 1 || *size > CASE_SIZE_MAX))
        fail("--cases %s: the size is none from 1 to %d", word, CASE_SIZE_MAX);
    return kind;
}

static void load(struct interval_case *opened, const struct kind *kind, const char *folder)
{
    char path[MODULE_PATH], file[64];
    snprintf(file, sizeof file, "%s.db", kind->module);
    module_path(path, folder, file);
    if (partition_database_load(&opened->database, path) != DM_OK)
        fail("%s; --databases names the folder of partition-analyse's results", dm_message());
    opened->kernel = partition_database_find(opened->database, kind->kernel);
    if (!opened->kernel || opened->kernel->refusal)
        fail("%s does not say what kernel %s accesses", path, kind->kernel);
}

static void set_launch(struct interval_case *opened, const struct kind *kind)
{
    struct partition_kernel *kernel = opened->kernel;
    for (int d = 0; d < 3; d++) {
        unsigned block = kind->block[d];
        unsigned threads = d < kind->dims ? (unsigned)opened->size : 1;
        opened->shape.block[d] = block;
        opened->shape.grid[d] = (threads + block - 1) / block;
    }
    opened->scalars = calloc(kernel->argument_count, sizeof *opened->scalars);
    check_errno(opened->scalars != NULL);
    for (size_t i = 0; i < kernel->argument_count; i++)
        if (strcmp(kernel->arguments[i].name, "N") == 0)
            opened->scalars[i] = opened->size;
}

struct interval_case interval_case_open(const char *word, const char *folder, int devices,
                                        const char *split)
{
    size_t size;
    const struct kind *kind = find_kind(word, &size);
    struct interval_case opened = {.name = kind->name, .size = (int64_t)size};
    load(&opened, kind, folder);
    set_launch(&opened, kind);
    opened.devices = kind->devices ? kind->devices : devices;
    if (*split && !kind->devices)
        snprintf(opened.split, sizeof opened.split, "%s", split);
    else
        opened.split[0] = opened.kernel->split;
    if (partition_grid(opened.shape.grid, opened.devices, opened.split, false, opened.parts) !=
        DM_OK)
        fail("--cases %s: %s", word, dm_message());
    return opened;
}

void interval_case_close(struct interval_case *opened)
{
    free(opened->scalars);
    partition_database_free(opened->database);
}

void interval_case_compute(const struct interval_case *opened, size_t argument, bool write,
                           enum partition_access method, struct partition_intervals *sets,
                           struct partition_times *times)
{
    const struct partition_launch launch = {opened->kernel, opened->scalars, &opened->shape};
    enum partition_extent extent;
    for (int d = 0; d < opened->devices; d++)
        if (partition_accesses(&launch, argument, write, &opened->parts[d], method, &sets[d],
                               &extent, times) != DM_OK)
            fail("kernel %s, argument %s: %s", opened->kernel->name,
                 opened->kernel->arguments[argument].name, dm_message());
        else if (extent != PARTITION_ELEMENTS)
            fail("kernel %s, argument %s: the accessed elements are not known",
                 opened->kernel->name, opened->kernel->arguments[argument].name);
}
