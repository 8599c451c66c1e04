#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/gpu.h"
#include "common/harness/exit.h"

#include "csv.h"
#include "kernel.h"
#include "sweep.h"
#include "tool.h"

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

static void load_space(struct tool_subject *subject, const char *path)
{
    if (path)
        check_status(tuner_space_load(&subject->own_space, path));
    else
        check_status(tuner_space_read(&subject->own_space, kernel_all_blocks,
                                      strlen(kernel_all_blocks), "thread blocks"));
    subject->space = subject->own_space;
}

static void open_command(struct tool_subject *subject, const struct tool_options *options)
{
    const char *prefix = options->prefix;
    struct tuner_command_options command = {.command = options->subject,
                                            .runs = options->runs ? (int)options->runs : 3,
                                            .limit_s = options->limit_s,
                                            .prefix = prefix,
                                            .unit_s = options->unit_s,
                                            .maximize = options->maximize,
                                            .build = options->build,
                                            .verbose = options->verbose};

    memcpy(command.further, options->objectives.prefixes, sizeof command.further);
    load_space(subject, options->space);
    check_status(tuner_command_open(&subject->command, subject->space, &command));
    subject->objective = tuner_command_objective(subject->command);
    subject->live = true;
    if (options->maximize)
        tool_show_rates();
    subject->words = format_words("%s%s%s%s%s%s", options->build ? options->build : "",
                                  options->build ? "; " : "", options->subject, prefix ? " > " : "",
                                  prefix ? prefix : "", options->maximize ? " (1 / time_s)" : "");
}

static void open_kernel(struct tool_subject *subject, const struct tool_options *options)
{
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
    check_status(kernel_open(&subject->kernel, subject->space, tunable_kind_of(options->subject),
                             dataset, options->runs ? (int)options->runs : 10,
                             (uint64_t)options->seed));
    check_cuda(cudaGetDeviceProperties(&properties, 0));
    subject->objective = kernel_objective(subject->kernel);
    subject->live = true;
    subject->words = format_words("%s %s on %s", options->subject, dataset, properties.name);
}

static enum dm_status waived_without_gpu(enum dm_status status)
{
    if (status == DM_UNAVAILABLE)
        waive("%s", dm_message());
    return status;
}

static void open_own(struct tool_subject *subject, const struct tool_options *options)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct own_kernel_options own = options->own;

    own.source = options->subject;
    own.runs = options->runs ? options->runs : 7;
    own.limit_s = options->limit_s;
    own.seed = options->seed;
    own.verbose = options->verbose;
    own.energy = own.energy || options->objectives.count > 1;
    if (own.jobs < 0)
        own.jobs = strcmp(GPU_KIND, "soft") == 0 || cores < 2 ? 0 : cores - 1;
    load_space(subject, options->space);
    check_status(waived_without_gpu(own_kernel_open(&subject->own, subject->space, &own)));
    subject->objective = own_kernel_objective(subject->own);
    subject->live = true;
    subject->words =
        format_words("%s %s on %s", options->subject, own.name, own_kernel_device(subject->own));
}

static bool has_columns(const struct csv *csv, const char *const *names)
{
    while (*names && csv_find(csv, *names) < csv->count)
        names++;
    return !*names;
}

/* Columns of the table that tuner_sweep and a log have and that are not parameters; NULL if it is
 * another table, or cannot be read: that is said when it is loaded. */
static const char *const *usual_ignored(const char *path)
{
    static const char *const sweep[] = {"experiment", "variant", "gpu", "outcome", "status", NULL};
    const char *const *ignored = NULL;
    struct csv csv;

    if (csv_load(&csv, path) != DM_OK)
        return NULL;
    if (csv_next(&csv) != CSV_ROW)
        ignored = NULL;
    else if (has_columns(&csv, sweep))
        ignored = sweep_ignored;
    else if (has_columns(&csv, tuner_log_ignored()))
        ignored = tuner_log_ignored();
    csv_release(&csv);
    return ignored;
}

static void open_replay(struct tool_subject *subject, const struct tool_options *options)
{
    const char *column = options->where_column, *value = options->where_value;
    size_t count = options->ignored.count;
    const char **named = allocate_or_fail(count + 1, sizeof *named); /* ended by NULL */

    for (size_t i = 0; i < count; i++)
        named[i] = options->ignored.values[i];
    check_status(tuner_replay_load(&subject->replay, options->subject,
                                   count ? named : usual_ignored(options->subject), column, value));
    free(named);
    subject->space = tuner_replay_space(subject->replay);
    subject->objective = tuner_replay_objective(subject->replay);
    subject->optimum_s = tuner_replay_best_s(subject->replay);
    subject->words = format_words("%s%s%s%s%s", options->subject, column ? " " : "",
                                  column ? column : "", column ? "=" : "", column ? value : "");
}

/* A sweep of several kernels needs to know which one: the same as is replayed. */
static void load_prior(struct tool_subject *subject, const struct tool_options *options)
{
    size_t known;

    if (!options->from)
        return;
    check_status(tuner_prior_load(&subject->prior, &known, subject->space, options->from,
                                  usual_ignored(options->from), options->where_column,
                                  options->where_value));
    if (!options->quiet)
        fprintf(stderr, "%s: %zu of %zu configurations were measured there\n", options->from, known,
                tuner_space_size(subject->space));
}

void tool_open(struct tool_subject *subject, const struct tool_options *options)
{
    *subject = (struct tool_subject){0};
    if (options->source == TOOL_COMMAND)
        open_command(subject, options);
    else if (options->source == TOOL_KERNEL)
        open_kernel(subject, options);
    else if (options->source == TOOL_CUDA)
        open_own(subject, options);
    else
        open_replay(subject, options);
    load_prior(subject, options);
}

void tool_close(struct tool_subject *subject)
{
    tuner_command_close(subject->command);
    kernel_close(subject->kernel);
    own_kernel_close(subject->own);
    tuner_replay_free(subject->replay);
    tuner_space_free(subject->own_space);
    free(subject->prior);
    free(subject->words);
}
