/* allocate.c: registration and deregistration of coarrays: the program's static ones before main,
 * its ALLOCATE and DEALLOCATE statements, and the ends of procedures that own allocatable ones. */
#include "allocate.h"

#include <stdlib.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/team.h"

#include "abi.h"
#include "component.h"
#include "program.h"
#include "status.h"
#include "token.h"

/* What has been registered and not yet freed, in the order of registration. */
static struct registered {
    struct caf_coarray *coarray;
    struct team *team;
    struct descriptor *array; /* of an allocatable one, with its token; else NULL */
    caf_token *token;
    enum registered_kind kind;
    bool of_characters;
    size_t element_bytes; /* of locks and events, else 1 */
} * coarrays;
static size_t coarray_count, coarray_capacity;

static bool sync_follows;

bool allocate_sync_follows(void)
{
    bool follows = sync_follows;
    sync_follows = false;
    return follows;
}

/* The owner of what belongs to CRITICAL constructs. */
static char critical;

bool coarray_is_critical(const struct caf_coarray *coarray)
{
    return caf_owner(coarray) == &critical;
}

bool coarray_holds(const void *address)
{
    for (size_t i = 0; i < coarray_count; i++) {
        const char *memory = caf_memory(coarrays[i].coarray);
        if ((const char *)address >= memory &&
            (const char *)address < memory + caf_size(coarrays[i].coarray))
            return true;
    }
    return false;
}

static void remember(struct caf_coarray *coarray)
{
    if (coarray_count == coarray_capacity) {
        coarray_capacity = 2 * coarray_capacity + 16;
        coarrays = realloc(coarrays, coarray_capacity * sizeof *coarrays);
        if (!coarrays)
            status_fatal("ALLOCATE: no memory");
    }
    coarrays[coarray_count++] = (struct registered){.coarray = coarray, .team = current_team};
}

static size_t find(const struct caf_coarray *coarray)
{
    size_t i = 0;
    while (i < coarray_count && coarrays[i].coarray != coarray)
        i++;
    return i;
}

bool coarray_is_registered(const struct caf_coarray *coarray)
{
    return find(coarray) < coarray_count;
}

enum registered_kind coarray_kind(const struct caf_coarray *coarray)
{
    size_t i = find(coarray);
    return i < coarray_count ? coarrays[i].kind : REGISTERED_STATIC;
}

bool coarray_is_of_characters(const struct caf_coarray *coarray)
{
    size_t i = find(coarray);
    return i < coarray_count && coarrays[i].of_characters;
}

/* Where STAT= is not 0 the compiler leaves the address in the descriptor. */
static void set_unallocated(const struct caf_coarray *coarray)
{
    size_t i = find(coarray);
    if (i < coarray_count && coarrays[i].array && *coarrays[i].token == coarray)
        coarrays[i].array->base = NULL;
}

static void forget(const struct caf_coarray *coarray)
{
    size_t i = find(coarray);
    if (i == coarray_count)
        return;
    for (coarray_count--; i < coarray_count; i++)
        coarrays[i] = coarrays[i + 1];
}

static bool is_allocatable(int type)
{
    return type == REGISTER_ALLOCATABLE || type == REGISTER_LOCK_ALLOCATABLE ||
           type == REGISTER_EVENT_ALLOCATABLE;
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

/* The compiler describes static coarrays as scalars: those of one element it is. */
static void remember_kind(int type, size_t bytes, const struct descriptor *array)
{
    struct registered *newest = &coarrays[coarray_count - 1];
    bool is_scalar = array->type.rank == 0 && bytes == array->type.element_bytes;
    newest->of_characters = array->type.type == TYPE_CHARACTER;
    newest->element_bytes = element_bytes(type);
    newest->kind = is_scalar || (is_allocatable(type) && array->type.rank == 0) ? REGISTERED_SCALAR
                   : is_allocatable(type)                                       ? REGISTERED_ARRAY
                                                                                : REGISTERED_STATIC;
}

static void remember_place(struct descriptor *array, caf_token *token)
{
    coarrays[coarray_count - 1].array = array;
    coarrays[coarray_count - 1].token = token;
}

/* The library frees the memory. A descriptor that has another address by now was moved from. */
void coarray_forget_team(const struct team *team)
{
    size_t kept = 0;
    for (size_t i = 0; i < coarray_count; i++) {
        struct registered *old = &coarrays[i];
        if (old->team != team) {
            coarrays[kept++] = *old;
        } else if (old->array && *old->token == old->coarray) {
            old->array->base = NULL;
            *old->token = NULL;
        }
    }
    coarray_count = kept;
}

static enum dm_status register_coarray(size_t bytes, int type, caf_token *token,
                                       struct descriptor *array)
{
    struct caf_coarray *coarray;
    void *memory;
    enum dm_status status;
    /* Static coarrays are registered before main. */
    program_start(NULL, NULL);
    status = caf_allocate(&coarray, bytes, CAF_DATA, &memory);
    /* Images that have not failed have it then. */
    if (status != DM_OK && !is_failed_image(status))
        return status;
    remember(coarray);
    remember_kind(type, bytes, array);
    /* Of an allocatable coarray the descriptor is the program's own: it tells the bounds. */
    if (type == REGISTER_CRITICAL)
        caf_set_owner(coarray, &critical);
    else
        caf_set_owner(coarray, type == REGISTER_ALLOCATABLE ? array : NULL);
    if (is_allocatable(type))
        remember_place(array, token);
    *token = coarray;
    array->base = memory;
    return status;
}

/* Of locks and events the address is what it would be if they were as small as the compiler takes
 * them for. */
static enum dm_status register_place(caf_token *token, const struct descriptor *array)
{
    struct caf_coarray *coarray = token_meaning(*token).coarray;
    size_t i = find(coarray);
    if (i == coarray_count)
        return invalid(CAF_BAD_ARGUMENT, "ASSOCIATE or CHANGE TEAM: there is no such coarray");
    size_t offset = (size_t)((const char *)array->base - (const char *)caf_memory(coarray));
    if (coarrays[i].element_bytes > 1)
        offset = offset / array->type.element_bytes * coarrays[i].element_bytes;
    *token = token_of_place(coarray, offset);
    return DM_OK;
}

/* After an image has failed the others have the coarray, but with an error in STAT= GNU Fortran
 * does not set its bounds. Those of a scalar, between the descriptor and the token, are known
 * (unless the program has another lower cobound than 1); for an array STAT= becomes 0, and the next
 * statement with STAT= tells of the failure. */
static bool set_bounds_of_scalar(const caf_token *token, struct descriptor *array)
{
    size_t dimensions =
        (size_t)((const char *)token - (const char *)array->dimension) / sizeof(struct dimension);
    if (array->type.rank != 0 || dimensions != 1)
        return false;
    array->dimension[0] = (struct dimension){.stride = 1, .lower = 1, .upper = 1};
    array->offset = 0;
    array->span = (ptrdiff_t)array->type.element_bytes;
    return true;
}

void _gfortran_caf_register(size_t size, int type, caf_token *token, struct descriptor *array,
                            int *stat, char *errmsg, size_t errmsg_length)
{
    enum dm_status status;
    if (type == REGISTER_PLACE)
        status = register_place(token, array);
    else if (type == REGISTER_COMPONENT)
        status = component_register(size, false, token, array);
    else if (type == REGISTER_COMPONENT_ALLOCATE ||
             (type == REGISTER_ALLOCATABLE && component_is(token)))
        status = component_register(size, true, token, array);
    else
        status = register_coarray(size * element_bytes(type), type, token, array);
    sync_follows = sync_follows || (stat && is_allocatable(type));
    if (stat && is_failed_image(status) && !set_bounds_of_scalar(token, array))
        status = DM_OK;
    status_report(status, stat, errmsg, errmsg_length);
}

void _gfortran_caf_deregister(caf_token *token, int type, int *stat, char *errmsg,
                              size_t errmsg_length)
{
    enum dm_status status = DM_OK;
    if (type == DEREGISTER_MEMORY_ONLY || component_is(token)) {
        component_deregister(token);
    } else {
        struct caf_coarray *coarray = *token;
        status = caf_free(coarray);
        if (is_failed_image(status))
            set_unallocated(coarray);
        forget(coarray);
        *token = NULL;
    }
    /* The end of a procedure frees, too, and has no STAT=; done it is in any case. */
    if (!stat && is_failed_image(status))
        status = DM_OK;
    status_report(status, stat, errmsg, errmsg_length);
}
