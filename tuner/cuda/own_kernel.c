#include "own_kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/gpu.h"

#include "arguments.h"
#include "compile.h"
#include "place.h"
#include "session.h"
#include "tuner/allocate.h"

enum { SHAPE = 3, REPLY_BYTES = 1024 };

struct own_kernel {
    const struct tuner_space *space;
    struct own_kernel_options options;
    struct compile_options compile;
    struct place place;
    struct arguments arguments;
    struct formula grid[SHAPE], block[SHAPE], shared, flops, bytes;
    size_t grids, blocks;
    char base[TUNER_NAME_BYTES];
    struct compiler *compiler;
    struct session *session;
    struct own_kernel_counts counts;
    double energy_j;
    char failure[256];
};

void own_kernel_kill(void)
{
    compiler_kill();
    session_kill();
}

/* ---- what is sent ---- */

static enum dm_status write_array(FILE *out, const struct own_kernel *kernel,
                                  const struct argument *argument)
{
    int64_t count;

    TRY(formula_value(&argument->number, kernel->space, 0, &count));
    if (count < 1)
        return dm_fail(DM_INVALID, "--args: an array of %" PRId64 " elements", count);
    fprintf(out, "array %s %" PRId64 " %s %s", argument->element->name, count,
            argument->written ? "out" : "in", contents_names[argument->contents]);
    if (*argument->path)
        place_write_path(out, argument->path);
    if (*argument->against) {
        fputs("\nagainst", out);
        place_write_path(out, argument->against);
    }
    fputc('\n', out);
    return DM_OK;
}

static enum dm_status write_setup(FILE *out, const struct own_kernel *kernel)
{
    const struct own_kernel_options *options = &kernel->options;

    fprintf(out, "settings %" PRId64 " %" PRIu64 " %.17g %d %d\n", options->runs,
            (uint64_t)options->seed, options->tolerance, options->flush, options->energy);
    for (size_t i = 0; i < kernel->arguments.count; i++) {
        const struct argument *argument = &kernel->arguments.argument[i];
        if (argument->array)
            TRY(write_array(out, kernel, argument));
        else
            fprintf(out, "scalar %s\n", argument->element->name);
    }
    fputs("begin\n", out);
    return DM_OK;
}

/* Arrays are made once: none may change its size between configurations. */
static enum dm_status check_arrays(const struct own_kernel *kernel)
{
    for (size_t i = 0; i < kernel->arguments.count; i++) {
        const struct argument *argument = &kernel->arguments.argument[i];
        uint32_t used = expression_parameters(&argument->number.expression);
        for (size_t d = 0; argument->array && d < tuner_space_dimensions(kernel->space); d++)
            if (used >> d & 1 && tuner_space_parameter(kernel->space, d)->count > 1)
                return dm_fail(DM_INVALID,
                               "--args: the number of elements of argument %zu depends on %s, "
                               "which has several values",
                               i + 1, tuner_space_parameter(kernel->space, d)->name);
    }
    return DM_OK;
}

static enum dm_status write_shape(FILE *out, const struct own_kernel *kernel,
                                  const struct formula *formulas, size_t count,
                                  size_t configuration)
{
    for (size_t i = 0; i < SHAPE; i++) {
        int64_t value = 1;
        if (i < count)
            TRY(formula_value(&formulas[i], kernel->space, configuration, &value));
        fprintf(out, " %" PRId64, value < 0 ? 0 : value);
    }
    return DM_OK;
}

static enum dm_status write_scalar(FILE *out, const struct own_kernel *kernel,
                                   const struct argument *argument, size_t configuration)
{
    int64_t value;

    if (argument->array)
        return DM_OK;
    if (argument->is_real) {
        fprintf(out, " %.17g", argument->real);
        return DM_OK;
    }
    TRY(formula_value(&argument->number, kernel->space, configuration, &value));
    fprintf(out, " %" PRId64, value);
    return DM_OK;
}

static enum dm_status write_request(FILE *out, const struct own_kernel *kernel,
                                    size_t configuration)
{
    char image[64];
    int64_t shared = 0;

    compiler_image(configuration, image, sizeof image);
    fprintf(out, "run %s %s", image, kernel->base);
    TRY(write_shape(out, kernel, kernel->grid, kernel->grids, configuration));
    TRY(write_shape(out, kernel, kernel->block, kernel->blocks, configuration));
    if (kernel->options.shared)
        TRY(formula_value(&kernel->shared, kernel->space, configuration, &shared));
    fprintf(out, " %" PRId64, shared < 0 ? 0 : shared);
    for (size_t i = 0; i < kernel->arguments.count; i++)
        TRY(write_scalar(out, kernel, &kernel->arguments.argument[i], configuration));
    fputc('\n', out);
    return DM_OK;
}

/* ---- opening ---- */

static enum dm_status read_texts(struct own_kernel *kernel)
{
    const struct own_kernel_options *options = &kernel->options;
    const struct {
        struct formula *formula;
        const char *text, *name;
    } single[] = {{&kernel->shared, options->shared, "--shared"},
                  {&kernel->flops, options->flops, "--flops"},
                  {&kernel->bytes, options->bytes, "--bytes"}};
    size_t count;

    TRY(formula_read_list(kernel->grid, &kernel->grids, SHAPE, options->grid, "--grid",
                          kernel->space));
    TRY(formula_read_list(kernel->block, &kernel->blocks, SHAPE, options->block, "--block",
                          kernel->space));
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i].text)
            TRY(formula_read_list(single[i].formula, &count, 1, single[i].text, single[i].name,
                                  kernel->space));
    TRY(arguments_read(&kernel->arguments, options->arguments, kernel->space));
    return check_arrays(kernel);
}

static enum dm_status start_session(struct own_kernel *kernel)
{
    char *setup = NULL;
    size_t bytes;
    FILE *out = open_memstream(&setup, &bytes);

    if (!out)
        return error_errno("the setup of a kernel");
    enum dm_status status = write_setup(out, kernel);
    if (fclose(out) != 0 && status == DM_OK)
        status = error_errno("the setup of a kernel");
    if (status == DM_OK)
        status = session_open(&kernel->session, kernel->place.server, kernel->place.folder, setup);
    free(setup);
    if (status == DM_INVALID && strstr(dm_message(), "CUDA_ERROR_NO_DEVICE"))
        return dm_fail(DM_UNAVAILABLE, "no GPU was found");
    return status;
}

static enum dm_status start_compiler(struct own_kernel *kernel)
{
    const struct own_kernel_options *options = &kernel->options;
    int architecture = atoi(session_device(kernel->session));

    TRY(place_compiler(&kernel->place, options->compiler, options->flags, architecture));
    kernel->compile = (struct compile_options){
        .source = kernel->place.source,
        .name = options->name,
        .folder = kernel->place.folder,
        .command = kernel->place.command,
        .jobs = options->jobs > 1 ? (int)options->jobs : 1,
        .limit_s = options->limit_s,
        .soft = strcmp(GPU_KIND, "soft") == 0,
        .verbose = options->verbose,
    };
    return compiler_open(&kernel->compiler, kernel->space, &kernel->compile);
}

enum dm_status own_kernel_open(struct own_kernel **kernel, const struct tuner_space *space,
                               const struct own_kernel_options *options)
{
    *kernel = NULL;
    struct own_kernel *opened = allocate(1, sizeof *opened);
    if (!opened)
        return DM_NO_MEMORY;
    opened->space = space;
    opened->options = *options;
    compile_base_name(options->name, opened->base, sizeof opened->base);
    enum dm_status status = read_texts(opened);
    if (status == DM_OK)
        status = place_open(&opened->place, options->source);
    if (status == DM_OK)
        status = start_session(opened);
    if (status == DM_OK)
        status = start_compiler(opened);
    if (status == DM_OK)
        *kernel = opened;
    else
        own_kernel_close(opened);
    return status;
}

void own_kernel_close(struct own_kernel *kernel)
{
    if (!kernel)
        return;
    compiler_close(kernel->compiler);
    session_close(kernel->session);
    place_close(&kernel->place);
    free(kernel);
}

/* ---- measuring ---- */

static void fail_trial(struct own_kernel *kernel, struct tuner_trial *trial,
                       enum tuner_outcome outcome, size_t *count, const char *words)
{
    trial->outcome = outcome;
    ++*count;
    snprintf(kernel->failure, sizeof kernel->failure, "%s", words);
}

static enum dm_status compile(struct own_kernel *kernel, size_t configuration,
                              struct tuner_trial *trial)
{
    char words[200], sentence[256];
    enum compile_state state;

    TRY(compiler_wait(kernel->compiler, configuration, &state));
    if (state == COMPILE_DONE)
        return DM_OK;
    compiler_words(kernel->compiler, configuration, words, sizeof words);
    if (state == COMPILE_LATE) {
        fail_trial(kernel, trial, TUNER_HANGING, &kernel->counts.compiled_late,
                   "the compiler reached its time limit");
        return DM_OK;
    }
    snprintf(sentence, sizeof sentence, "it does not compile: %s", words);
    fail_trial(kernel, trial, TUNER_FAILED, &kernel->counts.not_compiled, sentence);
    return DM_OK;
}

static enum dm_status read_reply(struct own_kernel *kernel, struct tuner_trial *trial,
                                 const char *reply)
{
    struct own_kernel_counts *counts = &kernel->counts;
    const struct {
        const char *word;
        enum tuner_outcome outcome;
        size_t *count;
    } words[] = {{"invalid ", TUNER_INVALID, &counts->not_launched},
                 {"failed ", TUNER_FAILED, &counts->not_compiled},
                 {"wrong ", TUNER_FAILED, &counts->wrong},
                 {"crash ", TUNER_FAILED, &counts->crashed}};

    if (sscanf(reply, "ok %lf %lf %lf", &trial->time_s, &trial->spread_s, &kernel->energy_j) == 3)
        return DM_OK;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(reply, words[i].word, strlen(words[i].word)) == 0) {
            fail_trial(kernel, trial, words[i].outcome, words[i].count,
                       reply + strlen(words[i].word));
            return DM_OK;
        }
    return dm_fail(DM_FAILED, "what measures the kernel says: %.400s", reply);
}

static enum dm_status launch(struct own_kernel *kernel, size_t configuration,
                             struct tuner_trial *trial)
{
    char reply[REPLY_BYTES], *request = NULL;
    enum session_end end;
    size_t bytes;
    FILE *out = open_memstream(&request, &bytes);

    if (!out)
        return error_errno("a request");
    enum dm_status status = write_request(out, kernel, configuration);
    fclose(out);
    if (status == DM_INVALID) {
        fail_trial(kernel, trial, TUNER_INVALID, &kernel->counts.not_launched, dm_message());
        status = DM_OK;
    } else if (status == DM_OK) {
        status = session_ask(kernel->session, request, kernel->options.limit_s, reply, sizeof reply,
                             &end);
        if (status == DM_OK && end == SESSION_LATE)
            fail_trial(kernel, trial, TUNER_HANGING, &kernel->counts.late,
                       "it reached its time limit");
        else if (status == DM_OK && end == SESSION_GONE)
            fail_trial(kernel, trial, TUNER_FAILED, &kernel->counts.crashed, "it crashed");
        else if (status == DM_OK)
            status = read_reply(kernel, trial, reply);
    }
    free(request);
    return status;
}

static enum dm_status measure(void *context, size_t configuration, struct tuner_trial *trial)
{
    struct own_kernel *kernel = context;
    double start_s = clock_now_s();

    kernel->energy_j = 0.0;
    TRY(compile(kernel, configuration, trial));
    if (trial->outcome == TUNER_OK)
        TRY(launch(kernel, configuration, trial));
    compiler_forget(kernel->compiler, configuration);
    trial->cost_s = clock_now_s() - start_s;
    return DM_OK;
}

struct tuner_objective own_kernel_objective(struct own_kernel *kernel)
{
    return (struct tuner_objective){.measure = measure, .context = kernel};
}

enum dm_status own_kernel_expect(struct own_kernel *kernel, const size_t *configurations,
                                 size_t count)
{
    return kernel->options.jobs > 0 ? compiler_expect(kernel->compiler, configurations, count)
                                    : DM_OK;
}

/* ---- what is known ---- */

const struct own_kernel_counts *own_kernel_counts(const struct own_kernel *kernel)
{
    return &kernel->counts;
}

const char *own_kernel_device(const struct own_kernel *kernel)
{
    const char *device = session_device(kernel->session);
    return device + strcspn(device, " ") + 1;
}

const char *own_kernel_failure(const struct own_kernel *kernel)
{
    return kernel->failure;
}

static double rate(const struct own_kernel *kernel, const char *text, const struct formula *formula,
                   size_t configuration, double time_s)
{
    int64_t amount;

    if (!text || formula_value(formula, kernel->space, configuration, &amount) != DM_OK)
        return 0.0;
    return 1e-9 * (double)amount / time_s;
}

void own_kernel_rates(const struct own_kernel *kernel, size_t configuration, double time_s,
                      double *gflops, double *gbs)
{
    const struct own_kernel_options *options = &kernel->options;

    *gflops = rate(kernel, options->flops, &kernel->flops, configuration, time_s);
    *gbs = rate(kernel, options->bytes, &kernel->bytes, configuration, time_s);
}

double own_kernel_energy(const struct own_kernel *kernel)
{
    return kernel->energy_j;
}

enum dm_status own_kernel_command(const struct own_kernel *kernel, size_t configuration,
                                  char **text)
{
    return compiler_command(kernel->compiler, configuration, text);
}

enum dm_status own_kernel_launch(const struct own_kernel *kernel, size_t configuration, char *text,
                                 size_t size)
{
    FILE *out = fmemopen(text, size, "w");

    if (!out)
        return error_errno("the launch of a configuration");
    fputs("grid", out);
    enum dm_status status = write_shape(out, kernel, kernel->grid, kernel->grids, configuration);
    fputs(", block", out);
    if (status == DM_OK)
        status = write_shape(out, kernel, kernel->block, kernel->blocks, configuration);
    fclose(out);
    return status;
}
