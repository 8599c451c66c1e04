/* What is compiled: the parameters, the user's file, and how its kernel is found. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "compile.h"
#include "tuner/value.h"

void compile_base_name(const char *name, char *base, size_t size)
{
    const char *start = name;
    size_t length = strcspn(name, "<");

    for (const char *at = name; at + 1 < name + length; at++)
        if (at[0] == ':' && at[1] == ':')
            start = at + 2;
    snprintf(base, size, "%.*s", (int)(name + length - start), start);
}

/* The name with values for {parameters}. */
static enum dm_status write_name(FILE *out, const char *name, const struct tuner_space *space,
                                 size_t configuration)
{
    for (const char *at = name; *at; at++) {
        char parameter[TUNER_NAME_BYTES], buffer[TUNER_NAME_BYTES];
        size_t length = strcspn(at + 1, "}"), dimension;
        if (*at != '{') {
            fputc(*at, out);
            continue;
        }
        snprintf(parameter, sizeof parameter, "%.*s", (int)(length < 100 ? length : 0), at + 1);
        if (!at[1 + length] || !tuner_space_dimension_of(space, parameter, &dimension))
            return dm_fail(DM_INVALID,
                           "the kernel's name %s has {%s}, but the space has no such parameter",
                           name, parameter);
        fputs(value_text(space, configuration, dimension, buffer), out);
        at += length + 1;
    }
    return DM_OK;
}

static void write_path(FILE *out, const char *path)
{
    fputs("#include \"", out);
    fputs(path, out);
    fputs("\"\n", out);
}

/* Macros for the parameters, but for those in the name: a template's own parameters may be called
 * the same. */
static void write_parameters(FILE *out, const char *name, const struct tuner_space *space,
                             size_t configuration)
{
    char buffer[TUNER_NAME_BYTES], braced[TUNER_NAME_BYTES + 2];

    for (size_t d = 0; d < tuner_space_dimensions(space); d++) {
        snprintf(braced, sizeof braced, "{%s}", tuner_space_parameter(space, d)->name);
        if (!strstr(name, braced))
            fprintf(out, "#define %s %s\n", tuner_space_parameter(space, d)->name,
                    value_text(space, configuration, d, buffer));
    }
}

static enum dm_status write_soft(FILE *out, const struct compile_options *options,
                                 const struct tuner_space *space, size_t configuration)
{
    /* First, as macros may have names that stand for something else in there. */
    fputs("#include <cuda_runtime.h>\n#include <cooperative_groups.h>\n"
          "#include \"softgpu/module_kernel.h\"\n",
          out);
    write_parameters(out, options->name, space, configuration);
    write_path(out, options->source);
    fputs("static constexpr auto datamotion_entry = ", out);
    TRY(write_name(out, options->name, space, configuration));
    fputs(";\nMODULE_KERNELS(MODULE_KERNEL(datamotion_entry))\n", out);
    return DM_OK;
}

static enum dm_status write_cuda(FILE *out, const struct compile_options *options,
                                 const struct tuner_space *space, size_t configuration)
{
    write_parameters(out, options->name, space, configuration);
    write_path(out, options->source);
    if (!strchr(options->name, '<'))
        return DM_OK;
    fputs("template __global__ decltype(", out);
    TRY(write_name(out, options->name, space, configuration));
    fputs(") ", out);
    TRY(write_name(out, options->name, space, configuration));
    fputs(";\n", out);
    return DM_OK;
}

enum dm_status compile_write_source(FILE *out, const struct compile_options *options,
                                    const struct tuner_space *space, size_t configuration)
{
    return (options->soft ? write_soft : write_cuda)(out, options, space, configuration);
}
