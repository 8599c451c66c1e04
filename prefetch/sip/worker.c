#include "prefetch/sip/worker.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "prefetch/sial/sial.h"

static const size_t default_memory = (size_t)1 << 30;

/* ---- from the program ---- */

const char *worker_file(const struct sial_program *program)
{
    return program->files[0].name;
}

static void *zeros(int count, size_t bytes)
{
    return calloc((size_t)count + 1, bytes);
}

static bool allocate_tables(struct worker *worker)
{
    const struct sial_program *program = worker->program;
    worker->descriptions = zeros(program->instruction_count, sizeof *worker->descriptions);
    worker->scalars = zeros(program->scalar_count, sizeof *worker->scalars);
    worker->result->scalars = worker->scalars;
    worker->ints = zeros(program->int_count, sizeof *worker->ints);
    worker->values = zeros(program->index_count, sizeof *worker->values);
    worker->loop_of = zeros(program->loop_count, sizeof *worker->loop_of);
    worker->arrays = zeros(program->array_count, sizeof *worker->arrays);
    worker->sites = zeros(program->site_count, sizeof *worker->sites);
    worker->sites_of_loop = zeros(program->loop_count, sizeof *worker->sites_of_loop);
    worker->shapes = zeros(program->operand_count, sizeof *worker->shapes);
    return worker->descriptions && worker->scalars && worker->ints && worker->values &&
           worker->loop_of && worker->arrays && worker->sites && worker->sites_of_loop &&
           worker->shapes;
}

static void set_first_values(struct worker *worker)
{
    const struct sial_program *program = worker->program;
    for (int i = 0; i < program->scalar_count; i++)
        worker->scalars[i] = program->scalars[i].initial;
    for (int i = 0; i < program->int_count; i++)
        worker->ints[i] = program->ints[i].initial;
    for (int i = 0; i < program->index_count; i++)
        worker->values[i] = NO_VALUE;
}

void worker_segments(const struct sial_program *program, const struct sip_config *config,
                     int segments[SIAL_INDEX_KINDS])
{
    for (int kind = 0; kind < SIAL_INDEX_KINDS; kind++) {
        int declared = program->segment[kind] ? program->segment[kind] : SIP_DEFAULT_SEGMENT;
        segments[kind] = config->segment[kind] ? config->segment[kind] : declared;
    }
    segments[SIAL_SIMPLE] = 1;
}

static void derive_arrays(struct worker *worker)
{
    const struct sial_program *program = worker->program;
    int segments[SIAL_INDEX_KINDS];
    worker_segments(program, worker->config, segments);
    for (int i = 0; i < program->array_count; i++) {
        struct worker_array *array = &worker->arrays[i];
        array->elements = sial_block_elements(program, i, segments, array->extents);
        array->exists = !program->arrays[i].created;
    }
    for (int i = 0; i < program->operand_count; i++) {
        const struct sial_operand *operand = &program->operands[i];
        struct tensor *shape = &worker->shapes[i];
        shape->rank = program->arrays[operand->array].rank;
        for (int d = 0; d < shape->rank; d++) {
            shape->extent[d] = worker->arrays[operand->array].extents[d];
            shape->label[d] = operand->indices[d];
        }
    }
}

static void derive_sites(struct worker *worker)
{
    const struct sip_config *config = worker->config;
    for (int i = 0; i < worker->program->site_count; i++) {
        int loop = worker->program->sites[i].loop;
        struct worker_site *site = &worker->sites[i];
        site->in_list = loop >= 0 ? worker->sites_of_loop[loop]++ : 0;
        bool own = config->site_prefetch && config->site_prefetch[i] >= 0;
        site->distance = own ? config->site_prefetch[i] : config->prefetch;
    }
}

/* ---- devices ---- */

static bool gpu_is_there(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess)
        return count > 0;
    cudaGetLastError(); /* this is not a failure that others should find */
    return false;
}

static bool open_devices(struct worker *worker)
{
    const struct sip_config *config = worker->config;
    bool gpu = config->device != SIP_HOST && gpu_is_there();
    struct trace *trace = worker->number == 0 ? config->block_trace : NULL;
    cudaError_t error = memory_open(&worker->memory, gpu, config->policy, trace);
    if (error == cudaSuccess)
        error = tensor_open_host(&worker->host);
    if (error == cudaSuccess && gpu)
        error = tensor_open_gpu(&worker->gpu);
    if (error == cudaSuccess && gpu && config->device == SIP_AUTO)
        error = device_choice_create(&worker->choice);
    if (error == cudaSuccess)
        return true;
    snprintf(worker->error->text, sizeof worker->error->text,
             "%s: worker %d cannot prepare its blocks' memory and devices: %s",
             worker_file(worker->program), worker->number, cudaGetErrorString(error));
    return false;
}

bool worker_open(struct worker *worker, const struct sial_program *program,
                 const struct sip_config *config, struct sip_result *result,
                 struct sip_error *error)
{
    *worker = (struct worker){.program = program,
                              .config = config,
                              .number = result->worker,
                              .workers = config->workers,
                              .result = result,
                              .counters = &result->counters,
                              .error = error};
    size_t limit = config->worker_memory_bytes ? config->worker_memory_bytes : default_memory;
    if (!allocate_tables(worker) || !table_open(&worker->table, &worker->memory, limit)) {
        snprintf(error->text, sizeof error->text, "%s: no memory for the tables of worker %d",
                 worker_file(program), worker->number);
        return false;
    }
    set_first_values(worker);
    derive_arrays(worker);
    derive_sites(worker);
    return open_devices(worker);
}

static void free_program_tables(struct worker *worker)
{
    for (int i = 0; worker->descriptions && i < worker->program->instruction_count; i++)
        free(worker->descriptions[i]);
    free(worker->descriptions);
    free(worker->ints);
    free(worker->values);
    free(worker->loop_of);
    for (int i = 0; worker->arrays && i < worker->program->array_count; i++)
        block_map_destroy(worker->arrays[i].map);
    free(worker->arrays);
    free(worker->sites);
    free(worker->sites_of_loop);
    free(worker->shapes);
}

void worker_close(struct worker *worker)
{
    status_activity = NULL;
    for (int i = 0; i < worker->loop_count; i++) {
        index_list_close(worker->loops[i].list);
        free(worker->loops[i].ints);
    }
    table_close(&worker->table);
    tensor_close(worker->gpu);
    tensor_close(worker->host);
    device_choice_destroy(worker->choice);
    memory_close(&worker->memory);
    free_program_tables(worker);
}

/* ---- messages ---- */

const char *worker_describe(struct worker *worker, int instruction)
{
    char **text = &worker->descriptions[instruction];
    if (!*text) {
        char description[512];
        sial_describe(worker->program, instruction, description, sizeof description);
        *text = strdup(description);
    }
    return *text ? *text : worker_file(worker->program);
}

void worker_show(struct worker *worker)
{
    status_activity = worker_describe(worker, worker->current);
}

static bool fail_with(struct worker *worker, int instruction, const char *format, va_list arguments)
{
    if (worker->failed)
        return false;
    worker->failed = true;
    char *text = worker->error->text;
    size_t bytes = sizeof worker->error->text;
    int used = snprintf(text, bytes, "%s: ", worker_describe(worker, instruction));
    if (used >= 0 && (size_t)used < bytes)
        vsnprintf(text + used, bytes - (size_t)used, format, arguments);
    return false;
}

bool worker_fail(struct worker *worker, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_with(worker, worker->current, format, arguments);
    va_end(arguments);
    return false;
}

bool worker_fail_at(struct worker *worker, int instruction, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_with(worker, instruction, format, arguments);
    va_end(arguments);
    return false;
}

bool worker_fail_memory(struct worker *worker)
{
    return worker_fail(worker, "this system has no more memory for worker %d", worker->number);
}

const char *worker_block_name(const struct worker *worker, int array, int64_t number,
                              char name[BLOCK_NAME_BYTES])
{
    const struct sial_array *declared = &worker->program->arrays[array];
    int values[SIAL_MOST_RANK];
    for (int d = declared->rank - 1; d >= 0; d--) {
        const struct sial_index *index = &worker->program->indices[declared->indices[d]];
        int extent = index->high - index->low + 1;
        values[d] = index->low + (int)(number % extent);
        number /= extent;
    }
    int used = snprintf(name, BLOCK_NAME_BYTES, "%.80s", declared->name);
    for (int d = 0; d < declared->rank; d++)
        used += snprintf(name + used, BLOCK_NAME_BYTES - (size_t)used, "%c%d", d ? ',' : '[',
                         values[d]);
    snprintf(name + used, BLOCK_NAME_BYTES - (size_t)used, "]");
    return name;
}

/* ---- records ---- */

double worker_now(const struct worker *worker)
{
    return clock_now_s() - worker->start_s;
}

bool worker_event(struct worker *worker, enum sip_event_kind kind, double begin_s, double end_s,
                  int array, int64_t block)
{
    if (!worker->config->record_events)
        return true;
    struct sip_result *result = worker->result;
    if (result->event_count == worker->event_capacity) {
        size_t capacity = worker->event_capacity ? 2 * worker->event_capacity : 1024;
        struct sip_event *events = realloc(result->events, capacity * sizeof *events);
        if (!events)
            return worker_fail_memory(worker);
        result->events = events;
        worker->event_capacity = capacity;
    }
    result->events[result->event_count++] = (struct sip_event){.begin_s = begin_s,
                                                               .end_s = end_s,
                                                               .kind = kind,
                                                               .worker = worker->number,
                                                               .instruction = worker->current,
                                                               .array = array,
                                                               .block = block};
    return true;
}

/* ---- operands ---- */

bool worker_fail_range(struct worker *worker, int operand, const int *values)
{
    const struct sial_program *program = worker->program;
    const struct sial_operand *block = &program->operands[operand];
    const struct sial_array *array = &program->arrays[block->array];
    for (int d = 0; d < array->rank; d++) {
        const struct sial_index *range = &program->indices[array->indices[d]];
        if (block->indices[d] < 0)
            continue;
        if (values[d] < range->low || values[d] > range->high)
            return worker_fail(worker, "index %s is %d, but dimension %d of %s runs from %d to %d",
                               program->indices[block->indices[d]].name, values[d], d + 1,
                               array->name, range->low, range->high);
    }
    return worker_fail(worker, "array %s has too many blocks to count", array->name);
}

bool worker_resolve(struct worker *worker, int operand, int64_t *number)
{
    const struct sial_program *program = worker->program;
    const struct sial_operand *block = &program->operands[operand];
    const struct sial_array *array = &program->arrays[block->array];
    int values[SIAL_MOST_RANK];
    for (int d = 0; d < array->rank; d++) {
        values[d] = worker->values[block->indices[d]];
        if (values[d] == NO_VALUE)
            return worker_fail(worker, "index %s has no value here: use it within a loop over it",
                               program->indices[block->indices[d]].name);
    }
    if (!worker->arrays[block->array].exists)
        return worker_fail(worker,
                           "array %s does not exist here: use it between create %s and "
                           "delete %s",
                           array->name, array->name, array->name);
    *number = sial_block_number(program, block->array, values);
    return *number >= 0 || worker_fail_range(worker, operand, values);
}
