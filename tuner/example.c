#include "example.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"

enum dm_status tree_file(char path[TREE_FILE_BYTES], const char *file)
{
    char program[TREE_FILE_BYTES / 4];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    if (length < 0)
        return error_errno("where this program is");
    program[length] = 0;
    *strrchr(program, '/') = 0;
    snprintf(path, TREE_FILE_BYTES, "%.2000s/../../../%.2000s", program, file);
    return DM_OK;
}

static enum dm_status name_file(char path[TREE_FILE_BYTES], const char *folder, const char *name,
                                const char *ending)
{
    char file[TREE_FILE_BYTES / 4];

    if (folder) {
        snprintf(path, TREE_FILE_BYTES, "%s/%s%s", folder, name, ending);
        return DM_OK;
    }
    snprintf(file, sizeof file, "tuner/kernels/%s%s", name, ending);
    return tree_file(path, file);
}

/* ---- the space ---- */

/* The lines of the file, but the size of the problem is another one. */
static void write_space(FILE *out, FILE *in, int64_t size)
{
    static const char given[] = "values n ";
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, in) > 0)
        if (size && strncmp(line, given, strlen(given)) == 0)
            fprintf(out, "%s%" PRId64 "\n", given, size);
        else
            fputs(line, out);
    free(line);
}

static enum dm_status read_space(struct example *example, const char *path, int64_t size)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *in = fopen(path, "re");

    if (!in)
        return error_errno("%s", path);
    FILE *out = open_memstream(&text, &bytes);
    if (out) {
        write_space(out, in, size);
        fclose(out);
    }
    fclose(in);
    enum dm_status status = out && text ? tuner_space_read(&example->space, text, bytes, path)
                                        : error_errno("%s", path);
    free(text);
    return status;
}

/* ---- the launch ---- */

static enum dm_status keep_option(struct example *example, const char *name, char *value)
{
    const struct {
        const char *name;
        char **text;
    } known[] = {{"args", &example->args},
                 {"grid", &example->grid},
                 {"block", &example->block},
                 {"flops", &example->flops},
                 {"bytes", &example->bytes}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            free(*known[i].text);
            *known[i].text = value;
            return DM_OK;
        }
    free(value);
    return dm_fail(DM_INVALID, "a launch has no `%s`", name);
}

static enum dm_status read_launch(struct example *example, const char *path)
{
    FILE *in = fopen(path, "re");
    enum dm_status status = in ? DM_OK : error_errno("%s", path);
    char name[16], *value;

    while (status == DM_OK && fscanf(in, "%15s %m[^\n]", name, &value) == 2)
        status = error_within(keep_option(example, name, value), "%s", path);
    if (in)
        fclose(in);
    if (status == DM_OK && !(example->args && example->grid && example->block))
        return dm_fail(DM_INVALID, "%s: args, grid or block is missing", path);
    return status;
}

/* ---- both, and the kernel ---- */

static enum dm_status open_kernel(struct example *example, const char *name,
                                  const struct own_kernel_options *options)
{
    struct own_kernel_options own = *options;

    own.source = example->source;
    own.name = name;
    own.arguments = example->args;
    own.grid = example->grid;
    own.block = example->block;
    own.flops = example->flops;
    own.bytes = example->bytes;
    own.tolerance = 1e-4;
    return own_kernel_open(&example->kernel, example->space, &own);
}

static enum dm_status open_files(struct example *example, const char *name, const char *folder,
                                 int64_t size)
{
    char path[TREE_FILE_BYTES];

    TRY(name_file(path, folder, name, ".space"));
    TRY(read_space(example, path, size));
    TRY(name_file(path, folder, name, ".launch"));
    TRY(read_launch(example, path));
    TRY(name_file(path, folder, name, ".cu"));
    example->source = strdup(path);
    return example->source ? DM_OK : error_no_memory(strlen(path));
}

enum dm_status example_open(struct example *example, const char *name, const char *folder,
                            int64_t size, const struct own_kernel_options *options)
{
    *example = (struct example){0};
    enum dm_status status = open_files(example, name, folder, size);
    if (status == DM_OK)
        status = open_kernel(example, name, options);
    if (status != DM_OK)
        example_close(example);
    return status;
}

void example_close(struct example *example)
{
    own_kernel_close(example->kernel);
    tuner_space_free(example->space);
    free(example->source);
    free(example->args);
    free(example->grid);
    free(example->block);
    free(example->flops);
    free(example->bytes);
    *example = (struct example){0};
}
