/* launch_bind.c: what a new launch does to the program's buffers, and what each device is given. */
#include <stdlib.h>
#include <string.h>

#include "launch_place.h"

static CUdeviceptr pointer_of(const struct launch *launch, size_t argument)
{
    CUdeviceptr pointer;
    memcpy(&pointer, launch->arguments + launch->function->offset[argument], sizeof pointer);
    return pointer;
}

/* The launch's binding of the buffer, made if there is none. NULL without memory. */
static struct binding *binding_of(struct virtual_gpu *gpu, struct launch *launch,
                                  struct buffer *buffer)
{
    for (size_t i = 0; i < launch->binding_count; i++)
        if (launch->bindings[i]->buffer == buffer)
            return launch->bindings[i];
    struct binding **more = realloc(launch->bindings, (launch->binding_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    launch->bindings = more;
    struct binding *binding = binding_make(gpu, buffer);
    if (binding)
        launch->bindings[launch->binding_count++] = binding;
    return binding;
}

static bool shares_any(const struct intervals *a, const struct intervals *b, bool *shares)
{
    struct intervals common = {0};
    bool done = intervals_intersect(&common, a, b);
    *shares = *shares || common.count;
    intervals_free(&common);
    return done;
}

/* Whether bytes that one argument writes are touched by another argument of the same buffer, on
 * whatever devices. */
static bool is_apart(struct launch *launch, const struct binding *binding,
                     const struct intervals *reads, const struct intervals *writes)
{
    bool shares = false, done = true;
    for (int d = 0; d < binding->devices && done; d++)
        for (int e = 0; e < binding->devices && done; e++)
            done = shares_any(&writes[d], &binding->reads[e], &shares) &&
                   shares_any(&writes[d], &binding->writes[e], &shares) &&
                   shares_any(&reads[d], &binding->writes[e], &shares);
    if (!done)
        return launch_no_memory(launch);
    return !shares ||
           launch_refuse(launch, "two pointers reach the same memory and one writes%s", "");
}

static bool join_placed(struct launch *launch, struct binding *binding, struct placed *placed)
{
    if (!is_apart(launch, binding, placed->reads, placed->writes))
        return false;
    for (int d = 0; d < binding->devices; d++) {
        if (!intervals_add(&binding->reads[d], &placed->reads[d]) ||
            !intervals_add(&binding->writes[d], &placed->writes[d]))
            return launch_no_memory(launch);
        binding->writes_any = binding->writes_any || placed->writes[d].count;
    }
    return true;
}

static bool bind_argument(struct virtual_gpu *gpu, struct launch *launch,
                          const struct access_set *set, size_t argument)
{
    const struct argument_access *access = &set->arguments[argument];
    const struct database_argument *known = &launch->function->kernel->arguments[argument];
    if (!known->level || (access->read == ACCESS_NONE && access->write == ACCESS_NONE))
        return true;
    CUdeviceptr pointer = pointer_of(launch, argument);
    struct buffer *buffer = buffers_find(gpu, pointer);
    if (!buffer)
        return launch_refuse(
            launch, "argument %.40s points to memory that is no buffer of cuMemAlloc", known->name);
    if (!known->element_bits || known->element_bits % 8)
        return launch_refuse(launch, "the elements of argument %.40s are not whole bytes",
                             known->name);
    struct binding *binding = binding_of(gpu, launch, buffer);
    struct placed *placed = calloc(1, sizeof *placed);
    bool done = binding && placed;
    if (!done)
        launch_no_memory(launch);
    else if (binding->unit == 1)
        binding->unit = known->element_bits / 8;
    int64_t offset = (int64_t)(pointer - buffer->address[0]);
    done = done && launch_place(gpu, launch, set, argument, binding->buffer, offset, placed) &&
           join_placed(launch, binding, placed);
    if (placed)
        launch_free_placed(placed);
    free(placed);
    return done;
}

/* The arguments do not show which of its module's variables a kernel reads: every device needs all
 * of them. */
static bool bind_variables(struct virtual_gpu *gpu, struct launch *launch)
{
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        struct buffer *buffer = gpu->buffers[i];
        if (buffer->module != launch->function->module)
            continue;
        struct binding *binding = binding_of(gpu, launch, buffer);
        for (int d = 0; binding && d < gpu->devices; d++) {
            struct index_range all = {0, (int64_t)buffer->bytes};
            const struct intervals whole = {&all, 1, 1};
            if (!intervals_add(&binding->reads[d], &whole))
                return launch_no_memory(launch);
        }
        if (!binding)
            return launch_no_memory(launch);
        if (binding->writes_any)
            return launch_refuse(launch, "it writes a variable of its module%s", "");
    }
    return true;
}

/* The arguments as one device is given them: addresses inside a buffer are those of its copy. */
static void translate(struct virtual_gpu *gpu, const struct launch *launch, int device,
                      char *values)
{
    const struct function *function = launch->function;
    memcpy(values, launch->arguments, function->parameter_bytes);
    for (size_t i = 0; i < function->parameters; i++) {
        if (!function->kernel->arguments[i].level)
            continue;
        CUdeviceptr pointer = pointer_of(launch, i);
        const struct buffer *buffer = buffers_find(gpu, pointer);
        if (buffer)
            pointer = pointer - buffer->address[0] + buffer->address[device];
        memcpy(values + function->offset[i], &pointer, sizeof pointer);
    }
}

static void find_place(const struct launch *launch, const struct grid_part *part,
                       struct promoted_place *place)
{
    for (int dimension = 0; dimension < 3; dimension++) {
        place->offset[dimension] = part->offset[dimension];
        place->grid[dimension] = launch->shape.grid[dimension];
        place->first_thread[dimension] = part->offset[dimension] * launch->shape.block[dimension];
    }
}

static bool make_parts(struct virtual_gpu *gpu, struct launch *launch, const struct access_set *set)
{
    const struct function *function = launch->function;
    size_t count = function->parameters + 1;
    launch->parts = calloc(gpu->devices, sizeof *launch->parts);
    launch->parameters = calloc(gpu->devices * count, sizeof *launch->parameters);
    if (!launch->parts || !launch->parameters)
        return launch_no_memory(launch);
    for (int d = 0; d < gpu->devices; d++) {
        struct part_launch *part = &launch->parts[d];
        char *values = launch->arguments + (size_t)(d + 1) * launch_argument_room(function);
        part->empty = grid_part_is_empty(&set->parts[d]);
        memcpy(part->blocks, set->parts[d].blocks, sizeof part->blocks);
        find_place(launch, &set->parts[d], &part->place);
        part->parameters = launch->parameters + (size_t)d * count;
        translate(gpu, launch, d, values);
        for (size_t i = 0; i < function->parameters; i++)
            part->parameters[i] = values + function->offset[i];
        part->parameters[function->parameters] = &part->place;
    }
    return true;
}

static bool make_room(struct launch *launch)
{
    launch->transfers = calloc(launch->binding_count + 1, sizeof *launch->transfers);
    launch->plans = calloc(launch->binding_count + 1, sizeof *launch->plans);
    return launch->transfers && launch->plans;
}

bool launch_bind(struct virtual_gpu *gpu, struct launch *launch)
{
    if (*launch->function->one_device) {
        memcpy(launch->one_device, launch->function->one_device, sizeof launch->one_device);
        return true;
    }
    const struct access_set *set =
        accesses_of(gpu, launch->function, &launch->shape, launch->arguments);
    if (!set)
        return false;
    memcpy(launch->one_device, set->refusal, sizeof launch->one_device);
    bool bound = !*launch->one_device;
    for (size_t i = 0; i < launch->function->parameters && bound; i++)
        bound = bind_argument(gpu, launch, set, i);
    bound = bound && bind_variables(gpu, launch) && make_parts(gpu, launch, set);
    return !bound || make_room(launch);
}
