#include "gpu.h"
#include "status.h"
#include "tuner_csv.h"
#include "tuner_log.h"
#include "tuner_tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char all_blocks[] = "integer bx 1 1024\ninteger by 1 1024\nrequire bx * by <= 1024\n";

static char *format_words(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *format_words(const char *format, ...)
{
    char *words = NULL;
    va_list arguments;

    va_start(arguments, format);
    check_errno(vasprintf(&words, format, arguments) >= 0);
    va_end(arguments);
    return words;
}

static void load_space(struct tuner_tool_subject *subject, const char *path)
{
    const char *complaint;

    subject->own_space =
        path ? tuner_space_load(path, &complaint)
             : tuner_space_read(all_blocks, strlen(all_blocks), "thread blocks", &complaint);
    if (!subject->own_space)
        fail("%s", complaint);
    subject->space = subject->own_space;
}

static void open_command(struct tuner_tool_subject *subject,
                         const struct tuner_tool_options *options)
{
    const char *complaint, *prefix = options->prefix;
    struct tuner_command_options command = {.command = options->subject,
                                            .runs = options->runs ? options->runs : 3,
                                            .limit_s = options->limit_s,
                                            .pattern = prefix,
                                            .verbose = options->verbose};

    load_space(subject, options->space);
    subject->command = tuner_command_open(subject->space, &command, &complaint);
    if (!subject->command)
        fail("%s", complaint);
    subject->oracle = tuner_command_oracle(subject->command);
    subject->live = true;
    subject->words =
        format_words("%s%s%s", options->subject, prefix ? " > " : "", prefix ? prefix : "");
}

static void open_kernel(struct tuner_tool_subject *subject,
                        const struct tuner_tool_options *options)
{
    const char *complaint;
    const char *dataset = options->dataset                ? options->dataset
                          : strcmp(GPU_KIND, "soft") == 0 ? "small"
                                                          : "full";
    struct cudaDeviceProp properties;
    int devices = 0;
    cudaError_t result = cudaGetDeviceCount(&devices);

    if (result != cudaSuccess || devices == 0)
        waive("no GPU was found (%s)",
              result == cudaSuccess ? "none is visible" : cudaGetErrorString(result));
    load_space(subject, options->space);
    subject->kernel =
        tuner_kernel_open(subject->space, options->subject, dataset,
                          options->runs ? options->runs : 10, options->seed, &complaint);
    if (!subject->kernel)
        fail("%s", complaint);
    check_cuda(cudaGetDeviceProperties(&properties, 0));
    subject->oracle = tuner_kernel_oracle(subject->kernel);
    subject->live = true;
    subject->words = format_words("%s %s on %s", options->subject, dataset, properties.name);
}

/* Columns of the table that tuner_sweep and tuner_log write and that are no parameters; NULL if it
 * is another table, or cannot be read: that is said when it is loaded. */
static const char *const *usual_ignored(const char *path)
{
    static const char *const sweep[] = {"experiment", "variant", "gpu", "outcome", "status", NULL};
    const struct {
        const char *const *has, *const *ignored;
    } tables[] = {{sweep, tuner_replay_sweep_ignored}, {tuner_log_ignored, tuner_log_ignored}};
    const char *const *ignored = NULL;
    struct tuner_csv csv;
    const char *complaint;

    if (!tuner_csv_load(&csv, path, &complaint))
        return NULL;
    bool header = tuner_csv_next(&csv) == TUNER_CSV_ROW;
    for (size_t t = 0; header && !ignored && t < sizeof tables / sizeof *tables; t++) {
        const char *const *name = tables[t].has;
        while (*name && tuner_csv_find(&csv, *name) < csv.count)
            name++;
        if (!*name)
            ignored = tables[t].ignored;
    }
    tuner_csv_release(&csv);
    return ignored;
}

static void open_replay(struct tuner_tool_subject *subject,
                        const struct tuner_tool_options *options)
{
    const char *complaint, *column = options->where_column;
    size_t count = options->ignored.count;
    const char **named = allocate_or_fail(count + 1, sizeof *named); /* NULL-ended */

    for (size_t i = 0; i < count; i++)
        named[i] = options->ignored.values[i];
    subject->replay =
        tuner_replay_load(options->subject, count ? named : usual_ignored(options->subject), column,
                          options->where_value, &complaint);
    free(named);
    if (!subject->replay)
        fail("%s", complaint);
    subject->space = tuner_replay_space(subject->replay);
    subject->oracle = tuner_replay_oracle(subject->replay);
    subject->optimum_s = tuner_replay_best_s(subject->replay);
    subject->words =
        format_words("%s%s%s%s%s", options->subject, column ? " " : "", column ? column : "",
                     column ? "=" : "", column ? options->where_value : "");
}

void tuner_tool_open(struct tuner_tool_subject *subject, const struct tuner_tool_options *options)
{
    *subject = (struct tuner_tool_subject){0};
    if (options->source == TUNER_TOOL_COMMAND)
        open_command(subject, options);
    else if (options->source == TUNER_TOOL_KERNEL)
        open_kernel(subject, options);
    else
        open_replay(subject, options);
}

void tuner_tool_close(struct tuner_tool_subject *subject)
{
    tuner_command_close(subject->command);
    tuner_kernel_close(subject->kernel);
    tuner_replay_free(subject->replay);
    tuner_space_free(subject->own_space);
    free(subject->words);
}
