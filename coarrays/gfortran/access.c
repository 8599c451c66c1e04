/* access.c: reading and writing another image's coarray as GNU Fortran 15 and later ask for it. */
#include "access.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/memory.h"
#include "coarrays/caf/parcel.h"

#include "abi.h"
#include "allocate.h"
#include "image.h"
#include "status.h"
#include "token.h"

static enum dm_status check_access(const struct access *access, const char *statement)
{
    caf_statement = statement;
    if (access->evaluated)
        return DM_OK;
    if (!is_image(access->image))
        return error_no_image(statement, access->image);
    if (!access->coarray)
        return invalid(CAF_BAD_ARGUMENT, "%s: there is no coarray", statement);
    return parcels_lie_at(access->image) ? parcels_deliver(access->image) : DM_OK;
}

static bool is_memory(const struct access *access)
{
    return access->evaluated || is_direct(access->image) || access->image == runtime.image;
}

static struct access access_to(caf_token token, int image, int accessor, void *added,
                               size_t added_bytes, const struct descriptor *array,
                               const size_t *length)
{
    bool is_evaluated = token_is_evaluated(token);
    struct token of = is_evaluated ? (struct token){NULL, 0} : token_meaning(token);
    return (struct access){.coarray = of.coarray,
                           .offset = of.offset,
                           .evaluated = is_evaluated ? token_evaluated(token) : NULL,
                           .image = image,
                           .accessor = accessor,
                           .added = added,
                           .added_bytes = added_bytes,
                           .array = array,
                           .length = length};
}

/* ---- get ---- */

/* Procedures count elements from 1, as in memory that they make themselves. */
static void count_from_one(struct any_descriptor *counted, const struct descriptor *array)
{
    ptrdiff_t stride = 1;
    descriptor_copy(counted, array);
    counted->header.offset = 0;
    for (int d = 0; d < array->type.rank; d++) {
        ptrdiff_t count = (ptrdiff_t)descriptor_extent(array, d);
        counted->dimension[d] = (struct dimension){.stride = stride, .lower = 1, .upper = count};
        counted->header.offset -= (size_t)stride;
        stride *= count;
    }
}

/* Into memory that is there, and that the program goes on describing as it does. */
static void get_in_place(const struct access *access, const struct values *to)
{
    struct any_descriptor counted;
    struct values values = *to;
    values.array = &counted.header;
    count_from_one(&counted, to->array);
    access_get_array(access, access->image, current_team->index, &values);
    if (counted.header.base == to->array->base)
        return;
    /* Of another shape than the compiler had foreseen. */
    memcpy(to->array->base, counted.header.base, descriptor_bytes(to->array));
    free(counted.header.base);
}

static enum dm_status get_array(const struct access *access, struct values *to, bool may_reallocate)
{
    if (!is_memory(access))
        return access_get_far(access, to);
    if (may_reallocate || !to->array->base)
        access_get_array(access, access->image, current_team->index, to);
    else
        get_in_place(access, to);
    return DM_OK;
}

static enum dm_status get_scalar(const struct access *access, struct values *to)
{
    int32_t made;
    if (!is_memory(access))
        return access_get_far(access, to);
    void *scalar =
        access_find_scalar(access, access->image, current_team->index, to->length, &made);
    memcpy(to->scalar, scalar, to->scalar_bytes);
    if (made)
        free(scalar);
    return DM_OK;
}

void _gfortran_caf_get_from_remote(caf_token token, const struct descriptor *from,
                                   const size_t *from_length, int image, size_t to_bytes,
                                   void **to_memory, size_t *to_length, struct descriptor *to,
                                   bool may_reallocate, int accessor_index, void *added,
                                   size_t added_bytes, int *stat, void **team, int *team_number)
{
    struct access access = access_to(token, image_meant(image, team, team_number), accessor_index,
                                     added, added_bytes, from, from_length);
    struct values values = {.array = to,
                            .scalar = to_memory ? *to_memory : NULL,
                            .scalar_bytes = to_bytes * (to_length ? *to_length : 1),
                            .length = to_length};
    enum dm_status status = check_access(&access, "GET");
    if (status == DM_OK)
        status = to ? get_array(&access, &values, may_reallocate) : get_scalar(&access, &values);
    image_report(status, access.image, stat);
}

/* ---- put ---- */

/* Procedures copy element after element, as if both sides were different memory. */
static bool overlaps_own(const struct access *access, const struct descriptor *from)
{
    if (access->image != runtime.image || !from)
        return false;
    intptr_t low = (intptr_t)from->base, high = low + (intptr_t)from->type.element_bytes;
    for (int d = 0; d < from->type.rank; d++) {
        ptrdiff_t last = (ptrdiff_t)descriptor_extent(from, d) - 1;
        ptrdiff_t distance = last * descriptor_stride(from, d);
        low += distance < 0 ? distance : 0;
        high += distance > 0 ? distance : 0;
    }
    intptr_t own = (intptr_t)caf_memory(access->coarray);
    return low < own + (intptr_t)caf_size(access->coarray) && own < high;
}

static enum dm_status put_copied(const struct access *access, const struct values *from)
{
    struct any_descriptor packed;
    size_t bytes = descriptor_bytes(from->array);
    void *copy = malloc(bytes ? bytes : 1);
    if (!copy)
        return error_no_memory(bytes);
    descriptor_pack(&packed, from->array, copy);
    struct values values = *from;
    values.array = &packed.header;
    access_put(access, access->image, current_team->index, &values);
    free(copy);
    return DM_OK;
}

static enum dm_status put(const struct access *access, const struct values *from)
{
    TRY(check_access(access, "PUT"));
    if (!is_memory(access))
        return access_put_far(access, from);
    if (overlaps_own(access, from->array))
        return put_copied(access, from);
    access_put(access, access->image, current_team->index, from);
    return DM_OK;
}

void _gfortran_caf_send_to_remote(caf_token token, struct descriptor *to, const size_t *to_length,
                                  int image, size_t from_bytes, const void *from_memory,
                                  const size_t *from_length, const struct descriptor *from,
                                  int accessor_index, void *added, size_t added_bytes, int *stat,
                                  void **team, int *team_number)
{
    struct access access = access_to(token, image_meant(image, team, team_number), accessor_index,
                                     added, added_bytes, to, to_length);
    struct values values = {.array = (struct descriptor *)from,
                            .scalar = (void *)from_memory,
                            .scalar_bytes = from_bytes * (from_length ? *from_length : 1),
                            .length = (size_t *)from_length};
    image_report(put(&access, &values), access.image, stat);
}

/* ---- from image to image ---- */

/* The compiler does not say how many bytes a scalar has here: at most so many. */
enum { SCALAR_BYTES = 4096 };

static enum dm_status transfer_scalar(const struct access *to, const struct access *from,
                                      struct values *values)
{
    _Alignas(16) char value[SCALAR_BYTES];
    int32_t made = 0;
    values->scalar = value;
    values->scalar_bytes = sizeof value;
    values->at_most = true;
    if (is_memory(from)) {
        values->scalar =
            access_find_scalar(from, from->image, current_team->index, values->length, &made);
        values->scalar_bytes =
            access_scalar_bytes(from, from->image, values->scalar, made, SCALAR_BYTES);
    } else {
        TRY(access_get_far(from, values));
    }
    enum dm_status status = put(to, values);
    if (made)
        free(values->scalar);
    return status;
}

static enum dm_status transfer_array(const struct access *to, const struct access *from,
                                     struct values *values)
{
    struct any_descriptor between;
    memset(&between, 0, sizeof between);
    values->array = &between.header;
    enum dm_status status = get_array(from, values, true);
    if (status == DM_OK)
        status = put(to, values);
    free(between.header.base);
    return status;
}

static void transfer(const struct access *to, const struct access *from, bool is_scalar,
                     int *to_stat, int *from_stat)
{
    size_t length = from->length ? *from->length : 0;
    struct values values = {.length = &length};
    enum dm_status status = check_access(from, "GET");
    image_report(status, from->image, from_stat);
    /* Who has only STAT= of the source has been told. */
    if (status != DM_OK && !to_stat)
        return;
    if (status == DM_OK)
        status = is_scalar ? transfer_scalar(to, from, &values) : transfer_array(to, from, &values);
    image_report(status, to->image, to_stat);
}

/* from_bytes does not hold. */
void _gfortran_caf_transfer_between_remotes(
    caf_token to_token, struct descriptor *to, size_t *to_length, int to_image, int to_accessor,
    void *to_added, size_t to_added_bytes, caf_token from_token, const struct descriptor *from,
    const size_t *from_length, int from_image, int from_accessor, void *from_added,
    size_t from_added_bytes, size_t from_bytes, bool is_scalar, int *to_stat, void **to_team,
    int *to_team_number, int *from_stat)
{
    struct access target = access_to(to_token, image_meant(to_image, to_team, to_team_number),
                                     to_accessor, to_added, to_added_bytes, to, to_length);
    struct access source = access_to(from_token, image_number(from_image), from_accessor,
                                     from_added, from_added_bytes, from, from_length);
    (void)from_bytes;
    transfer(&target, &source, is_scalar, to_stat, from_stat);
}

void __wrap__gfortran_caf_transfer_between_remotes(
    caf_token to_token, struct descriptor *to, size_t *to_length, int to_image, int to_accessor,
    void *to_added, size_t to_added_bytes, caf_token from_token, const struct descriptor *from,
    const size_t *from_length, int from_image, int from_accessor, void *from_added,
    size_t from_added_bytes, size_t from_bytes, bool is_scalar, int *to_stat, int *from_stat,
    void **to_team, int *to_team_number, void **from_team, int *from_team_number)
{
    struct access target = access_to(to_token, image_meant(to_image, to_team, to_team_number),
                                     to_accessor, to_added, to_added_bytes, to, to_length);
    struct access source =
        access_to(from_token, image_meant(from_image, from_team, from_team_number), from_accessor,
                  from_added, from_added_bytes, from, from_length);
    (void)from_bytes;
    transfer(&target, &source, is_scalar, to_stat, from_stat);
}

/* ---- allocated(x[k]%a), and with GNU Fortran 16 allocated(x) ---- */

/* The token of a coarray that is not allocated may be anything. */
static int is_present(const struct access *access)
{
    int32_t found = 0;
    if (!coarray_is_registered(access->coarray))
        return 0;
    enum dm_status status = check_access(access, "ALLOCATED");
    if (status == DM_OK && is_memory(access))
        found = access_is_present(access, access->image, current_team->index);
    else if (status == DM_OK)
        status = access_is_present_far(access, &found);
    status_report(status, NULL, NULL, 0);
    return found;
}

int _gfortran_caf_is_present_on_remote(caf_token token, int image, int accessor_index, void *added,
                                       size_t added_bytes)
{
    struct access access =
        access_to(token, image_number(image), accessor_index, added, added_bytes, NULL, NULL);
    return is_present(&access);
}

int __wrap__gfortran_caf_is_present_on_remote(caf_token token, int image, int accessor_index,
                                              void *added, size_t added_bytes)
{
    struct access access =
        access_to(token, image_number(image), accessor_index, added, added_bytes, NULL, NULL);
    access.by_pointer = true;
    return is_present(&access);
}
