/* launch_bind.c: what a new launch does to the program's buffers, and what each device is given. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "partition/intervals.h"

#include "launch_place.h"
#include "numbers.h"
#include "reductions.h"

static CUdeviceptr pointer_of(const struct launch *launch, size_t argument)
{
    CUdeviceptr pointer;
    size_t at = functions_argument_at(launch->function, launch->kernel, argument);
    memcpy(&pointer, launch->arguments + at, sizeof pointer);
    return pointer;
}

/* The launch's binding of the buffer, made if there is none. */
static enum dm_status binding_of(struct virtual_gpu *gpu, struct launch *launch,
                                 struct buffer *buffer, struct binding **found)
{
    for (size_t i = 0; i < launch->binding_count; i++)
        if (launch->bindings[i]->buffer == buffer) {
            *found = launch->bindings[i];
            return DM_OK;
        }
    size_t bytes = (launch->binding_count + 1) * sizeof *launch->bindings;
    struct binding **more = realloc(launch->bindings, bytes);
    if (!more)
        return error_no_memory(bytes);
    launch->bindings = more;
    TRY(binding_make(gpu, buffer, found));
    launch->bindings[launch->binding_count++] = *found;
    return DM_OK;
}

/* Fails if the sets have common bytes. */
static enum dm_status check_apart(const struct partition_intervals *a,
                                  const struct partition_intervals *b)
{
    struct partition_intervals common = {0};
    enum dm_status status = intervals_intersect(&common, a, b);
    if (status == DM_OK && common.count)
        status = dm_fail(DM_UNAVAILABLE, "two pointers reach the same memory and one writes");
    partition_intervals_free(&common);
    return status;
}

/* Fails if bytes that one argument writes are touched by another argument of the same buffer, on
 * whatever devices. */
static enum dm_status check_placed(const struct binding *binding, const struct placed *placed)
{
    for (int d = 0; d < binding->devices; d++)
        for (int e = 0; e < binding->devices; e++) {
            TRY(check_apart(&placed->writes[d], &binding->reads[e]));
            TRY(check_apart(&placed->writes[d], &binding->writes[e]));
            TRY(check_apart(&placed->reads[d], &binding->writes[e]));
        }
    return DM_OK;
}

static enum dm_status join_placed(struct binding *binding, const struct placed *placed)
{
    TRY(check_placed(binding, placed));
    for (int d = 0; d < binding->devices; d++) {
        TRY(intervals_add(&binding->reads[d], &placed->reads[d]));
        TRY(intervals_add(&binding->writes[d], &placed->writes[d]));
        binding->writes_any = binding->writes_any || placed->writes[d].count;
    }
    return DM_OK;
}

/* What the argument reads and writes of the buffer, where it points to byte `offset`. */
static enum dm_status bind_buffer(struct virtual_gpu *gpu, struct launch *launch,
                                  const struct access_set *set, size_t argument,
                                  struct buffer *buffer, int64_t offset)
{
    const struct partition_argument *known = &launch->kernel->arguments[argument];
    struct binding *binding;
    TRY(binding_of(gpu, launch, buffer, &binding));
    struct placed *placed = calloc(1, sizeof *placed);
    if (!placed)
        return error_no_memory(sizeof *placed);
    if (binding->reduction)
        return dm_fail(DM_UNAVAILABLE, "two pointers reach the same memory and one updates it by "
                                       "atomic operations");
    if (binding->unit == 1)
        binding->unit = known->element_bits / 8;
    enum dm_status status = known->reduction
                                ? reductions_place(gpu, set, known, buffer, placed)
                                : launch_place(gpu, launch, set, argument, buffer, offset, placed);
    if (status == DM_OK)
        status = join_placed(binding, placed);
    binding->reduction = known->reduction;
    launch_free_placed(placed);
    free(placed);
    return status;
}

static enum dm_status bind_argument(struct virtual_gpu *gpu, struct launch *launch,
                                    const struct access_set *set, size_t argument)
{
    const struct argument_access *access = &set->arguments[argument];
    const struct partition_argument *known = &launch->kernel->arguments[argument];
    bool is_accessed = access->read != PARTITION_NOTHING || access->write != PARTITION_NOTHING;
    if (!known->level || (!is_accessed && !known->reduction))
        return DM_OK;
    CUdeviceptr pointer = pointer_of(launch, argument);
    struct buffer *buffer = buffers_find(gpu, pointer);
    if (!buffer)
        return dm_fail(DM_UNAVAILABLE,
                       "argument %.40s points to memory that is no buffer of cuMemAlloc",
                       known->name);
    if (!known->element_bits || known->element_bits % 8)
        return dm_fail(DM_UNAVAILABLE, "the elements of argument %.40s are not whole bytes",
                       known->name);
    return bind_buffer(gpu, launch, set, argument, buffer, (int64_t)(pointer - buffer->address[0]));
}

static enum dm_status bind_variable(struct virtual_gpu *gpu, struct launch *launch,
                                    struct buffer *buffer)
{
    struct partition_range all = {0, (int64_t)buffer->bytes};
    const struct partition_intervals whole = {&all, 1, 1};
    struct binding *binding;
    TRY(binding_of(gpu, launch, buffer, &binding));
    for (int d = 0; d < gpu->devices; d++)
        TRY(intervals_add(&binding->reads[d], &whole));
    if (binding->writes_any)
        return dm_fail(DM_UNAVAILABLE, "it writes a variable of its module");
    return DM_OK;
}

/* The arguments do not show which of its module's variables a kernel reads: every device needs all
 * of them. */
static enum dm_status bind_variables(struct virtual_gpu *gpu, struct launch *launch)
{
    for (size_t i = 0; i < gpu->buffer_count; i++)
        if (gpu->buffers[i]->module == launch->function->module)
            TRY(bind_variable(gpu, launch, gpu->buffers[i]));
    return DM_OK;
}

/* The arguments as one device is given them: addresses inside a buffer are those of its copy. */
static void translate(struct virtual_gpu *gpu, const struct launch *launch, int device,
                      char *values)
{
    const struct function *function = launch->function;
    memcpy(values, launch->arguments, function->parameter_bytes);
    for (size_t i = 0; i < launch->kernel->argument_count; i++) {
        if (!launch->kernel->arguments[i].level)
            continue;
        CUdeviceptr pointer = pointer_of(launch, i);
        const struct buffer *buffer = buffers_find(gpu, pointer);
        if (buffer)
            pointer = pointer - buffer->address[0] + buffer->address[device];
        memcpy(values + functions_argument_at(function, launch->kernel, i), &pointer,
               sizeof pointer);
    }
}

static void find_place(const struct launch *launch, const struct partition_part *part,
                       struct partition_place *place)
{
    for (int dimension = 0; dimension < 3; dimension++) {
        place->offset[dimension] = part->offset[dimension];
        place->grid[dimension] = launch->shape.grid[dimension];
        place->first_thread[dimension] = part->offset[dimension] * launch->shape.block[dimension];
    }
}

static enum dm_status make_parts(struct virtual_gpu *gpu, struct launch *launch,
                                 const struct access_set *set)
{
    const struct function *function = launch->function;
    size_t count = function->parameters + 1;
    launch->parts = calloc(gpu->devices, sizeof *launch->parts);
    launch->parameters = calloc(gpu->devices * count, sizeof *launch->parameters);
    if (!launch->parts || !launch->parameters)
        return error_no_memory(gpu->devices * count * sizeof *launch->parameters);
    for (int d = 0; d < gpu->devices; d++) {
        struct part_launch *part = &launch->parts[d];
        char *values = launch->arguments + (size_t)(d + 1) * launch_argument_room(function);
        part->empty = partition_part_is_empty(&set->parts[d]);
        memcpy(part->blocks, set->parts[d].blocks, sizeof part->blocks);
        find_place(launch, &set->parts[d], &part->place);
        part->parameters = launch->parameters + (size_t)d * count;
        translate(gpu, launch, d, values);
        for (size_t i = 0; i < function->parameters; i++)
            part->parameters[i] = values + function->offset[i];
        part->parameters[function->parameters] = &part->place;
    }
    return DM_OK;
}

static enum dm_status make_room(struct launch *launch)
{
    size_t count = launch->binding_count + 1;
    launch->transfers = calloc(count, sizeof *launch->transfers);
    launch->plans = calloc(count, sizeof *launch->plans);
    return launch->transfers && launch->plans ? DM_OK
                                              : error_no_memory(count * sizeof *launch->transfers);
}

/* Fails where the launch cannot be split. */
static enum dm_status bind_all(struct virtual_gpu *gpu, struct launch *launch,
                               const struct access_set *set)
{
    for (size_t i = 0; i < launch->kernel->argument_count; i++)
        TRY(bind_argument(gpu, launch, set, i));
    TRY(bind_variables(gpu, launch));
    return make_parts(gpu, launch, set);
}

/* What the launch accesses by what is known of it alone, or of its kernel. */
static enum dm_status find_accesses(struct virtual_gpu *gpu, struct launch *launch,
                                    const struct access_set **set)
{
    struct function *function = launch->function;
    const struct partition_kernel *of_launch = numbers_kernel(gpu, launch);
    *set = NULL;
    if (of_launch) {
        launch->kernel = of_launch;
        TRY(accesses_of(gpu, function, of_launch, &launch->shape, launch->arguments, set));
    }
    if (*function->one_device || (*set && !*(*set)->refusal))
        return DM_OK;
    launch->kernel = function->kernel;
    return accesses_of(gpu, function, function->kernel, &launch->shape, launch->arguments, set);
}

enum dm_status launch_bind(struct virtual_gpu *gpu, struct launch *launch)
{
    const struct access_set *set;
    TRY(find_accesses(gpu, launch, &set));
    memcpy(launch->one_device, set ? set->refusal : launch->function->one_device,
           sizeof launch->one_device);
    if (*launch->one_device)
        return DM_OK;
    if (bind_all(gpu, launch, set) != DM_OK) {
        launch->reaches_all = true;
        reasons_keep(launch->one_device);
        return DM_OK;
    }
    return make_room(launch);
}
