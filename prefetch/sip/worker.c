#include "prefetch/sip/worker.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error_cuda.h"
#include "prefetch/sial/sial.h"

static const size_t default_memory = (size_t)1 << 30;

/* ---- from the program ---- */

static void *zeros(int count, size_t bytes)
{
    return calloc((size_t)count + 1, bytes);
}

static bool allocate_tables(struct worker *worker)
{
    const struct prefetch_program *program = worker->program;
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
    const struct prefetch_program *program = worker->program;
    for (int i = 0; i < program->scalar_count; i++)
        worker->scalars[i] = program->scalars[i].initial;
    for (int i = 0; i < program->int_count; i++)
        worker->ints[i] = program->ints[i].initial;
    for (int i = 0; i < program->index_count; i++)
        worker->values[i] = NO_VALUE;
}

static void derive_arrays(struct worker *worker)
{
    const struct prefetch_program *program = worker->program;
    int segments[SIAL_INDEX_KINDS];
    setup_segments(program, worker->config, segments);
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
    for (int i = 0; i < worker->program->site_count; i++) {
        const struct sial_site *declared = &worker->program->sites[i];
        struct worker_site *site = &worker->sites[i];
        site->in_list = declared->loop >= 0 ? worker->sites_of_loop[declared->loop]++ : 0;
        site->distance = setup_distance(worker->program, worker->config, declared);
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

static enum dm_status open_devices(struct worker *worker)
{
    const struct prefetch_config *config = worker->config;
    bool gpu = config->device != PREFETCH_HOST && gpu_is_there();
    bool observed = worker->number == 0 && config->block_event;
    TRY(memory_open(&worker->memory, gpu, config->policy, observed ? config : NULL));
    TRY_CUDA(tensor_open_host(&worker->host));
    if (!gpu)
        return DM_OK;
    TRY_CUDA(tensor_open_gpu(&worker->gpu));
    return config->device == PREFETCH_AUTO ? device_choice_create(&worker->choice) : DM_OK;
}

enum dm_status worker_open(struct worker *worker, const struct prefetch_program *program,
                           const struct prefetch_config *config, struct prefetch_result *result)
{
    *worker = (struct worker){.program = program,
                              .config = config,
                              .number = result->worker,
                              .workers = config->workers,
                              .result = result,
                              .counters = &result->counters,
                              .activity = config->activity};
    if (!worker->activity)
        worker->activity = &worker->unwatched;
    size_t limit = config->worker_memory_bytes ? config->worker_memory_bytes : default_memory;
    if (!allocate_tables(worker))
        return dm_fail(DM_NO_MEMORY, "no memory for its tables");
    TRY(table_open(&worker->table, &worker->memory, limit));
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
    *worker->activity = NULL;
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
    return *text ? *text : setup_file(worker->program);
}

void worker_show(struct worker *worker)
{
    *worker->activity = worker_describe(worker, worker->current);
}

enum dm_status worker_within(struct worker *worker, int instruction, enum dm_status status)
{
    if (worker->failed != DM_OK)
        return worker->failed;
    worker->failed = status;
    return error_within(status, "%s", worker_describe(worker, instruction));
}

static enum dm_status fail_with(struct worker *worker, int instruction, enum dm_status status,
                                const char *format, va_list arguments)
{
    char words[768];
    if (worker->failed != DM_OK)
        return worker->failed;
    vsnprintf(words, sizeof words, format, arguments);
    return worker_within(worker, instruction, dm_fail(status, "%s", words));
}

enum dm_status worker_fail(struct worker *worker, enum dm_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = fail_with(worker, worker->current, status, format, arguments);
    va_end(arguments);
    return status;
}

enum dm_status worker_fail_at(struct worker *worker, int instruction, enum dm_status status,
                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = fail_with(worker, instruction, status, format, arguments);
    va_end(arguments);
    return status;
}

enum dm_status worker_fail_value(struct worker *worker, int index)
{
    return worker_fail(worker, DM_INVALID,
                       "index %s has no value here: use it within a loop over it",
                       worker->program->indices[index].name);
}

const char *worker_block_name(const struct worker *worker, int array, int64_t number,
                              char name[BLOCK_NAME_BYTES])
{
    const struct sial_array *declared = &worker->program->arrays[array];
    int values[SIAL_RANK_MAX];
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

static enum dm_status lengthen_events(struct worker *worker)
{
    size_t capacity = worker->event_capacity ? 2 * worker->event_capacity : 1024;
    struct prefetch_event *events = realloc(worker->result->events, capacity * sizeof *events);
    if (!events)
        return error_no_memory(capacity * sizeof *events);
    worker->result->events = events;
    worker->event_capacity = capacity;
    return DM_OK;
}

enum dm_status worker_event(struct worker *worker, enum prefetch_event_kind kind, double begin_s,
                            double end_s, int array, int64_t block)
{
    if (!worker->config->record_events)
        return DM_OK;
    struct prefetch_result *result = worker->result;
    if (result->event_count == worker->event_capacity)
        TRY_IN_STATEMENT(worker, lengthen_events(worker));
    result->events[result->event_count++] =
        (struct prefetch_event){.begin_s = begin_s,
                                .end_s = end_s,
                                .kind = kind,
                                .worker = worker->number,
                                .line = worker->program->instructions[worker->current].line,
                                .array = array,
                                .block = block};
    return DM_OK;
}

/* ---- operands ---- */

enum dm_status worker_fail_range(struct worker *worker, int operand, const int *values)
{
    const struct prefetch_program *program = worker->program;
    const struct sial_operand *block = &program->operands[operand];
    const struct sial_array *array = &program->arrays[block->array];
    for (int d = 0; d < array->rank; d++) {
        const struct sial_index *range = &program->indices[array->indices[d]];
        if (block->indices[d] < 0)
            continue;
        if (values[d] < range->low || values[d] > range->high)
            return worker_fail(worker, DM_INVALID,
                               "index %s is %d, but dimension %d of %s runs from %d to %d",
                               program->indices[block->indices[d]].name, values[d], d + 1,
                               array->name, range->low, range->high);
    }
    return worker_fail(worker, DM_INVALID, "array %s has too many blocks to count", array->name);
}

enum dm_status worker_resolve(struct worker *worker, int operand, int64_t *number)
{
    const struct prefetch_program *program = worker->program;
    const struct sial_operand *block = &program->operands[operand];
    const struct sial_array *array = &program->arrays[block->array];
    int values[SIAL_RANK_MAX];
    for (int d = 0; d < array->rank; d++) {
        values[d] = worker->values[block->indices[d]];
        if (values[d] == NO_VALUE)
            return worker_fail_value(worker, block->indices[d]);
    }
    if (!worker->arrays[block->array].exists)
        return worker_fail(worker, DM_INVALID,
                           "array %s does not exist here: use it between create %s and delete %s",
                           array->name, array->name, array->name);
    *number = sial_block_number(program, block->array, values);
    return *number >= 0 ? DM_OK : worker_fail_range(worker, operand, values);
}
