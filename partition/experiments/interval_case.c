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
enum { KINDS = sizeof kinds / sizeof *kinds, MOST_SIZE = 46340 * 1024 };

static const struct kind *find_kind(const char *word, size_t *size)
{
    size_t length = strcspn(word, ":");
    for (int i = 0; i < KINDS; i++) {
        if (strlen(kinds[i].name) != length || strncmp(kinds[i].name, word, length) != 0)
            continue;
        *size = kinds[i].size;
        if (word[length] &&
            (!options_read_size(word + length + 1, size) || *size < 1 || *size > MOST_SIZE))
            fail("--cases %s: the size is none from 1 to %d", word, MOST_SIZE);
        return &kinds[i];
    }
    fail("--cases %s: there are stencil, islpy, matmul and nbody", word);
}

static void load(struct interval_case *opened, const struct kind *kind, const char *folder)
{
    char path[MODULE_PATH], file[64], reason[PARTITION_REASON];
    snprintf(file, sizeof file, "%s.db", kind->module);
    module_path(path, folder, file);
    opened->database = database_load(path, reason);
    if (!opened->database)
        fail("%s; --databases names the folder of partition-analyse's results", reason);
    opened->kernel = database_find(opened->database, kind->kernel);
    if (!opened->kernel || opened->kernel->refusal)
        fail("%s does not say what kernel %s accesses", path, kind->kernel);
}

static void set_launch(struct interval_case *opened, const struct kind *kind)
{
    struct database_kernel *kernel = opened->kernel;
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
    char reason[PARTITION_REASON];
    load(&opened, kind, folder);
    set_launch(&opened, kind);
    opened.devices = kind->devices ? kind->devices : devices;
    if (*split && !kind->devices)
        snprintf(opened.split, sizeof opened.split, "%s", split);
    else
        opened.split[0] = opened.kernel->split;
    if (!partition_grid(opened.shape.grid, opened.devices, opened.split, false, opened.parts,
                        reason))
        fail("--cases %s: %s", word, reason);
    return opened;
}

void interval_case_close(struct interval_case *opened)
{
    free(opened->scalars);
    database_free(opened->database);
}

void interval_case_compute(const struct interval_case *opened, size_t argument, bool write,
                           enum partition_access method, struct intervals *sets,
                           struct access_times *times)
{
    char reason[PARTITION_REASON];
    for (int d = 0; d < opened->devices; d++)
        if (access_intervals(opened->database, opened->kernel, argument, write, opened->scalars,
                             &opened->shape, &opened->parts[d], method, &sets[d], times,
                             reason) != ACCESS_SET)
            fail("kernel %s, argument %s: %s", opened->kernel->name,
                 opened->kernel->arguments[argument].name, reason);
}
