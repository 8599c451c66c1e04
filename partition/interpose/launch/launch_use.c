/* launch_use.c: what a task on device 0 does to a buffer.
 *
 * Of most kernels that cannot be split the analysis still knows that they reach memory by their
 * arguments alone, and which of these they write: then other buffers stay as they are, and what is
 * only read stays up to date where it is. */
#include <string.h>

#include "run_launch.h"

static CUdeviceptr pointer_of(const struct launch_request *request, size_t argument)
{
    CUdeviceptr pointer;
    memcpy(&pointer, request->arguments + request->function->offset[argument], sizeof pointer);
    return pointer;
}

/* A letter for each argument; NULL: nothing is known, or the module's kernel is another. */
static const char *known_touches(const struct launch_request *request)
{
    const struct function *function = request->function;
    const char *touches = function->kernel ? function->kernel->touches : NULL;
    size_t known = touches ? strlen(touches) : 0;
    if (known < function->parameters ||
        touches[function->parameters + strspn(touches + function->parameters, "-")])
        return NULL; /* a member of a structure is a pointer */
    for (size_t i = 0; i < function->parameters; i++)
        if (touches[i] != '-' && function->size[i] != sizeof(CUdeviceptr))
            return NULL;
    return touches;
}

enum buffer_use launch_use(const struct virtual_gpu *gpu, const struct first_device_task *task,
                           const struct buffer *buffer)
{
    const struct launch_request *request = task->by_arguments;
    const char *touches = request ? known_touches(request) : NULL;
    if (!touches)
        return BUFFER_WRITTEN;
    /* A constant of its module; of kernels that use other variables nothing is known. */
    bool is_constant = buffer->module && buffer->module == request->function->module;
    enum buffer_use use = is_constant ? BUFFER_READ : BUFFER_UNUSED;
    for (size_t i = 0; i < request->function->parameters; i++) {
        CUdeviceptr pointer = touches[i] == '-' ? 0 : pointer_of(request, i);
        const struct buffer *reached = pointer ? buffers_find(gpu, pointer) : NULL;
        if (pointer && !reached) /* it may lead into a buffer that begins behind it */
            return BUFFER_WRITTEN;
        if (reached == buffer && use != BUFFER_WRITTEN)
            use = touches[i] == 'w' ? BUFFER_WRITTEN : BUFFER_READ;
    }
    return use;
}
