/* partition_map: writes the data base of a module's kernels from what Polly
 * printed about them. */
#include "partition_map.h"

#include <isl/options.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: partition-map [--split x|y|z] [--instead EARLIER] SOURCE COORDINATES SCOPS IR > DATABASE\n"
    "  SOURCE       the kernels' source; its name goes into the data base\n"
    "  COORDINATES  what partition-wrap printed\n"
    "  SCOPS        what opt printed for print<polly-function-scops>\n"
    "  IR           the module that opt read\n"
    "  --split      split along this dimension, where a kernel uses it, not along the one that\n"
    "               communicates least\n"
    "  --instead    kernels that are accepted now take the place of refused ones of that data base\n";

static bool uses_dimension(const struct map_kernel *kernel, char dimension)
{
    return map_has_coordinate(kernel, 'g', dimension) ||
           map_has_coordinate(kernel, 'o', dimension) || map_has_coordinate(kernel, 'b', dimension);
}

static void finish_kernel(struct map_kernel *kernel, isl_ctx *isl, char split)
{
    if (!kernel->invalid)
        kernel->invalid = isl_set_read_from_str(isl, "{ : false }");
    if (!kernel->refusal)
        kernel->split = split && uses_dimension(kernel, split) ? split : map_choose_split(kernel);
}

static void release(struct map_module *module)
{
    for (size_t i = 0; i < module->kernel_count; i++) {
        struct map_kernel *kernel = &module->kernels[i];
        isl_set_free(kernel->invalid);
        for (size_t j = 0; j < kernel->argument_count; j++) {
            struct map_argument *argument = &kernel->arguments[j];
            isl_map_free(argument->read);
            isl_map_free(argument->write);
            for (size_t k = 0; k < argument->access_count; k++)
                isl_map_free(argument->accesses[k].map);
        }
    }
    isl_ctx_free(module->isl);
    map_release();
}

static char read_split(int *argc, char ***argv)
{
    if (*argc < 2 || strcmp((*argv)[1], "--split") != 0)
        return 0;
    const char *value = *argc > 2 ? (*argv)[2] : "";
    if (strlen(value) != 1 || !strchr("xyz", value[0]))
        map_fail("--split: `%s` is none of x, y, z", value);
    *argc -= 2;
    *argv += 2;
    return value[0];
}

/* NULL: there is none. */
static const char *read_earlier(int *argc, char ***argv)
{
    if (*argc < 3 || strcmp((*argv)[1], "--instead") != 0)
        return NULL;
    const char *path = (*argv)[2];
    *argc -= 2;
    *argv += 2;
    return path;
}

static void write_all(const struct map_module *module)
{
    puts("datamotion-partition 1");
    for (size_t i = 0; i < module->kernel_count; i++)
        map_write_kernel(module, &module->kernels[i]);
}

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    char split = read_split(&argc, &argv);
    const char *earlier = read_earlier(&argc, &argv);
    if (argc != 5)
        map_fail("expected four files: see partition-map -h");
    const char *slash = strrchr(argv[1], '/');
    struct map_module module = {.source = slash ? slash + 1 : argv[1], .isl = isl_ctx_alloc()};
    isl_options_set_on_error(module.isl, ISL_ON_ERROR_CONTINUE);
    map_read_coordinates(&module, argv[2]);
    map_read_ir(&module, argv[4]);
    map_read_scops(&module, argv[3]);
    for (size_t i = 0; i < module.kernel_count; i++)
        finish_kernel(&module.kernels[i], module.isl, split);
    if (earlier)
        map_write_instead(&module, earlier);
    else
        write_all(&module);
    release(&module);
    if (fflush(stdout) != 0)
        map_fail("the data base cannot be written");
    return 0;
}
