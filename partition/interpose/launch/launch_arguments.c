/* launch_arguments.c: values of a launch: those that tell launches apart, and those that are only
 * handed to the kernel. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "launches.h"

static enum dm_status make_room(struct launch_table *table, size_t bytes)
{
    if (bytes <= table->argument_room)
        return DM_OK;
    char *arguments = realloc(table->arguments, 2 * bytes);
    if (!arguments)
        return error_no_memory(2 * bytes);
    table->arguments = arguments;
    table->argument_room = bytes;
    return DM_OK;
}

/* CU_LAUNCH_PARAM_BUFFER_POINTER's value; NULL if the list has none. */
static const char *packed_buffer(void **extra)
{
    for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            return extra[1];
    return NULL;
}

enum dm_status launches_pack(struct launch_table *table, const struct function *function,
                             void **parameters, void **extra, const char **arguments)
{
    const char *packed = parameters ? NULL : packed_buffer(extra);
    TRY(make_room(table, function->parameter_bytes + 1));
    memset(table->arguments, 0, function->parameter_bytes);
    for (size_t i = 0; i < function->parameters; i++) {
        const void *value = parameters ? parameters[i]
                            : packed   ? packed + function->offset[i]
                                       : NULL;
        if (value)
            memcpy(table->arguments + function->offset[i], value, function->size[i]);
    }
    *arguments = table->arguments;
    return DM_OK;
}

static bool is_handed_on(const struct function *function, size_t argument)
{
    if (function->by_numbers && function->kernel->numbers[argument] == 'i')
        return false;
    if (function->kernel->refusal) /* what is no integer and no pointer */
        return function->size[argument] < sizeof(CUdeviceptr);
    const struct partition_kernel *kernel = function->kernel;
    const struct partition_argument *known = &kernel->arguments[argument];
    bool decides = known->level || known->decides;
    for (size_t i = function->parameters; i < kernel->argument_count; i++) {
        const struct partition_argument *member = &kernel->arguments[i];
        decides = decides || (member->whole == argument + 1 && (member->level || member->decides));
    }
    return !decides;
}

const char *launch_key(struct launch_table *table, const struct launch_request *request)
{
    const struct function *function = request->function;
    char *key = table->arguments + table->argument_room;
    memset(key, 0, function->parameter_bytes);
    bool may_be_split = function->by_numbers || !*function->one_device;
    for (size_t i = 0; i < function->parameters && may_be_split; i++)
        if (!is_handed_on(function, i))
            memcpy(key + function->offset[i], request->arguments + function->offset[i],
                   function->size[i]);
    return key;
}

void launch_hand_on(struct launch *launch, const struct launch_request *request, int devices)
{
    const struct function *function = launch->function;
    if (*launch->one_device)
        return;
    for (size_t i = 0; i < function->parameters; i++)
        for (int d = 0; is_handed_on(function, i) && d < devices; d++)
            memcpy(launch->parts[d].parameters[i], request->arguments + function->offset[i],
                   function->size[i]);
}
