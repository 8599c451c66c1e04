/* allocate.c: registration and deregistration of coarrays: the program's static ones before main,
 * its ALLOCATE and DEALLOCATE statements, and the ends of procedures that own allocatable ones. */
#include "allocate.h"

#include <stdlib.h>

#include "coarrays/caf/error.h"

#include "abi.h"
#include "component.h"
#include "program.h"
#include "status.h"

/* What has been registered and not yet freed, in the order of registration. */
static struct caf_coarray **coarrays;
static size_t coarray_count, coarray_capacity;

bool coarray_holds(const void *address)
{
    for (size_t i = 0; i < coarray_count; i++) {
        const char *memory = caf_memory(coarrays[i]);
        if ((const char *)address >= memory &&
            (const char *)address < memory + caf_size(coarrays[i]))
            return true;
    }
    return false;
}

static void remember(struct caf_coarray *coarray)
{
    if (coarray_count == coarray_capacity) {
        coarray_capacity = 2 * coarray_capacity + 16;
        coarrays = realloc(coarrays, coarray_capacity * sizeof(struct caf_coarray *));
        if (!coarrays)
            status_fatal("ALLOCATE: no memory");
    }
    coarrays[coarray_count++] = coarray;
}

static void forget(const struct caf_coarray *coarray)
{
    size_t i = 0;
    while (i < coarray_count && coarrays[i] != coarray)
        i++;
    if (i == coarray_count)
        return;
    for (coarray_count--; i < coarray_count; i++)
        coarrays[i] = coarrays[i + 1];
}

/* Where `size` counts elements, the compiler does not know how large they are. */
static size_t element_bytes(int type)
{
    switch (type) {
    case REGISTER_LOCK_STATIC:
    case REGISTER_LOCK_ALLOCATABLE:
    case REGISTER_CRITICAL:
        return sizeof(struct caf_lock);
    case REGISTER_EVENT_STATIC:
    case REGISTER_EVENT_ALLOCATABLE:
        return sizeof(struct caf_event);
    default:
        return 1;
    }
}

static enum dm_status register_coarray(size_t bytes, int type, caf_token *token,
                                       struct descriptor *array)
{
    struct caf_coarray *coarray;
    void *memory;
    /* Static coarrays are registered before main. */
    program_start(NULL, NULL);
    TRY(caf_allocate(&coarray, bytes, CAF_DATA, &memory));
    remember(coarray);
    /* Of an allocatable coarray the descriptor is the program's own: it tells the bounds. */
    caf_set_owner(coarray, type == REGISTER_ALLOCATABLE ? array : NULL);
    *token = coarray;
    array->base = memory;
    return DM_OK;
}

void _gfortran_caf_register(size_t size, int type, caf_token *token, struct descriptor *array,
                            int *stat, char *errmsg, size_t errmsg_length)
{
    enum dm_status status;
    if (type == REGISTER_COMPONENT)
        status = component_register(size, false, token, array);
    else if (type == REGISTER_COMPONENT_ALLOCATE ||
             (type == REGISTER_ALLOCATABLE && component_is(token)))
        status = component_register(size, true, token, array);
    else
        status = register_coarray(size * element_bytes(type), type, token, array);
    status_report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_deregister(caf_token *token, int type, int *stat, char *errmsg,
                              size_t errmsg_length)
{
    enum dm_status status = DM_OK;
    if (type == DEREGISTER_MEMORY_ONLY || component_is(token)) {
        component_deregister(token);
    } else {
        forget(*token);
        status = caf_free(*token);
        *token = NULL;
    }
    status_report(status, stat, errmsg, errmsg_length);
}
