/* access_far.c: references that the image referred to carries out itself, as its memory is on
 * another node. */
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf/call.h"
#include "coarrays/caf/error.h"
#include "coarrays/caf/memory.h"

#include "access.h"
#include "image.h"

enum kind { GET, PUT, IS_PRESENT };

/* Then what is added, and after it, 16-byte aligned, the values of a put. */
struct request {
    _Alignas(16) uint64_t added_bytes;
    uint64_t scalar_bytes, object_offset, object_length, length;
    uint32_t coarray;
    int32_t accessor, kind, caller;
    bool has_object_array, has_object_length, has_values_array, has_length, at_most, by_pointer;
    /* base: bytes from the beginning of the coarray */
    struct any_descriptor object, values;
};

/* Then the values of a get. */
struct reply {
    _Alignas(16) uint64_t length;
    int32_t is_present;
    struct any_descriptor values;
};

static size_t aligned(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static size_t values_bytes(const struct values *values)
{
    return values->array ? descriptor_bytes(values->array) : values->scalar_bytes;
}

/* ---- on the image that refers ---- */

static void describe(struct request *request, enum kind kind, const struct access *access,
                     const struct values *values)
{
    request->kind = kind;
    request->coarray = coarray_number(access->coarray);
    request->object_offset = access->offset;
    request->accessor = access->accessor;
    request->caller = current_team->index;
    request->added_bytes = access->added_bytes;
    request->by_pointer = access->by_pointer;
    request->has_object_length = access->length != NULL;
    request->object_length = access->length ? *access->length : 0;
    request->has_object_array = access->array != NULL;
    if (access->array) {
        descriptor_copy(&request->object, access->array);
        request->object.header.base =
            (void *)((char *)access->array->base - (char *)caf_memory(access->coarray));
    }
    if (!values)
        return;
    request->has_length = values->length != NULL;
    request->length = values->length ? *values->length : 0;
    request->scalar_bytes = values->scalar_bytes;
    request->at_most = values->at_most;
    request->has_values_array = values->array != NULL;
    if (values->array)
        descriptor_copy(&request->values, values->array);
}

static enum dm_status call(enum kind kind, const struct access *access, const struct values *values,
                           struct reply **reply, size_t *reply_bytes)
{
    size_t put_bytes = kind == PUT ? values_bytes(values) : 0;
    size_t bytes = sizeof(struct request) + aligned(access->added_bytes) + put_bytes;
    struct request *request = calloc(1, bytes);
    if (!request)
        return error_no_memory(bytes);
    describe(request, kind, access, values);
    char *added = (char *)(request + 1), *put = added + aligned(access->added_bytes);
    if (access->added_bytes)
        memcpy(added, access->added, access->added_bytes);
    if (kind == PUT && values->array)
        descriptor_pack(&request->values, values->array, put);
    else if (kind == PUT)
        memcpy(put, values->scalar, put_bytes);
    enum dm_status status = call_image(access->image, request, bytes, (void **)reply, reply_bytes);
    free(request);
    return status;
}

/* Memory that is there is as large as the compiler has foreseen, and stays described as it is. */
static enum dm_status take_array(struct descriptor *array, const struct reply *reply, size_t bytes)
{
    if (array->base) {
        size_t room = descriptor_bytes(array);
        memcpy(array->base, reply + 1, bytes < room ? bytes : room);
        return DM_OK;
    }
    void *base = malloc(bytes ? bytes : 1);
    if (!base)
        return error_no_memory(bytes);
    memcpy(base, reply + 1, bytes);
    memcpy(array, &reply->values.header, sizeof *array);
    memcpy(array->dimension, reply->values.dimension,
           (size_t)array->type.rank * sizeof *array->dimension);
    array->base = base;
    return DM_OK;
}

enum dm_status access_get_far(const struct access *access, struct values *to)
{
    struct reply *reply;
    size_t bytes;
    enum dm_status status = DM_OK;
    TRY(call(GET, access, to, &reply, &bytes));
    bytes -= sizeof *reply;
    if (to->length)
        *to->length = reply->length;
    if (to->array)
        status = take_array(to->array, reply, bytes);
    else
        memcpy(to->scalar, reply + 1, bytes);
    to->scalar_bytes = bytes;
    free(reply);
    return status;
}

enum dm_status access_put_far(const struct access *access, const struct values *from)
{
    struct reply *reply;
    size_t bytes;
    TRY(call(PUT, access, from, &reply, &bytes));
    free(reply);
    return DM_OK;
}

enum dm_status access_is_present_far(const struct access *access, int32_t *is_present)
{
    struct reply *reply;
    size_t bytes;
    TRY(call(IS_PRESENT, access, NULL, &reply, &bytes));
    *is_present = reply->is_present;
    free(reply);
    return DM_OK;
}

/* ---- on the image referred to ---- */

struct served {
    struct request *request;
    struct access access;
    struct values values;
};

static void find(struct served *served, struct request *request)
{
    struct caf_coarray *coarray = coarray_of_number(request->coarray);
    char *added = (char *)(request + 1);
    served->request = request;
    served->access = (struct access){.coarray = coarray,
                                     .offset = request->object_offset,
                                     .is_served = true,
                                     .image = runtime.image,
                                     .accessor = request->accessor,
                                     .added = request->added_bytes ? added : NULL,
                                     .added_bytes = request->added_bytes,
                                     .by_pointer = request->by_pointer};
    if (request->has_object_length)
        served->access.length = (size_t *)&request->object_length;
    if (request->has_object_array) {
        request->object.header.base =
            (char *)caf_memory(coarray) + (ptrdiff_t)request->object.header.base;
        served->access.array = &request->object.header;
    }
    served->values = (struct values){.scalar = added + aligned(request->added_bytes),
                                     .scalar_bytes = request->scalar_bytes};
    if (request->has_length)
        served->values.length = (size_t *)&request->length;
    if (request->has_values_array)
        served->values.array = &request->values.header;
}

static enum dm_status make_reply(size_t bytes, const void *values, struct reply **reply)
{
    *reply = calloc(1, sizeof **reply + bytes);
    if (!*reply)
        return error_no_memory(sizeof **reply + bytes);
    if (bytes)
        memcpy(*reply + 1, values, bytes);
    return DM_OK;
}

static enum dm_status serve_array(struct served *served, struct reply **reply, size_t *bytes)
{
    struct descriptor *array = served->values.array;
    array->base = NULL;
    access_get_array(&served->access, runtime.image, served->request->caller, &served->values);
    *bytes = descriptor_bytes(array);
    enum dm_status status = make_reply(*bytes, array->base, reply);
    free(array->base);
    if (status == DM_OK)
        (*reply)->values = served->request->values;
    return status;
}

static enum dm_status serve_scalar(struct served *served, struct reply **reply, size_t *bytes)
{
    int32_t made;
    void *scalar = access_find_scalar(&served->access, runtime.image, served->request->caller,
                                      served->values.length, &made);
    *bytes = served->values.scalar_bytes;
    if (served->request->at_most)
        *bytes = access_scalar_bytes(&served->access, runtime.image, scalar, made, *bytes);
    enum dm_status status = make_reply(*bytes, scalar, reply);
    if (made)
        free(scalar);
    return status;
}

static enum dm_status serve(int from_image, void *body, size_t bytes, void **made,
                            size_t *made_bytes)
{
    struct served served;
    struct request *request = body;
    struct reply *reply = NULL;
    size_t values = 0;
    (void)from_image, (void)bytes;
    find(&served, request);
    if (request->kind == GET) {
        TRY(request->has_values_array ? serve_array(&served, &reply, &values)
                                      : serve_scalar(&served, &reply, &values));
    } else {
        TRY(make_reply(0, NULL, &reply));
    }
    if (request->kind == PUT) {
        served.values.array = request->has_values_array ? &request->values.header : NULL;
        request->values.header.base = served.values.scalar;
        access_put(&served.access, runtime.image, request->caller, &served.values);
    } else if (request->kind == IS_PRESENT) {
        reply->is_present = access_is_present(&served.access, runtime.image, request->caller);
    }
    reply->length = request->length;
    *made = reply;
    *made_bytes = sizeof *reply + values;
    return DM_OK;
}

void access_start(void)
{
    call_serve(serve);
}
