/* Fortran's collective subroutines (S51): who they are for, and what may be asked of them. */
#include <limits.h>

#include "collective_internal.h"
#include "control.h"
#include "error.h"

int collective_stopped(int image)
{
    return caf_error(CAF_STOPPED_IMAGE, "%s: image %d has stopped", caf_statement, image);
}

int collective_come_together(void)
{
    const char *statement = caf_statement;
    int code = caf_sync_all();
    caf_statement = statement;
    if (code != CAF_STOPPED_IMAGE)
        return code;
    for (int image = 1; image <= runtime.images; image++)
        if (image_state(image) != IMAGE_RUNNING)
            return collective_stopped(image);
    /* Another node has told of it before the image itself has. */
    return caf_error(code, "%s: an image has stopped", caf_statement);
}

static int no_image(int image)
{
    return caf_error(CAF_BAD_IMAGE, "%s: there is no image %d of %d", caf_statement, image,
                     runtime.images);
}

int caf_broadcast(void *data, size_t bytes, int source_image)
{
    caf_statement = "CO_BROADCAST";
    if (!is_image(source_image))
        return no_image(source_image);
    if (runtime.images == 1)
        return CAF_OK;
    return runtime.nodes > 1 ? far_broadcast(data, bytes, source_image)
                             : near_broadcast(data, bytes, source_image);
}

static int reduce(const struct reduction *reduction)
{
    if (reduction->result_image != 0 && !is_image(reduction->result_image))
        return no_image(reduction->result_image);
    if (runtime.images == 1)
        return CAF_OK;
    return runtime.nodes > 1 ? far_reduce(reduction) : near_reduce(reduction);
}

static int arithmetic(const char *statement, enum arithmetic operation, void *data, size_t count,
                      enum caf_type type, int result_image)
{
    struct reduction reduction = {.data = data, .result_image = result_image};
    caf_statement = statement;
    int code = arithmetic_find(&reduction, operation, type, count);
    return code ? code : reduce(&reduction);
}

int caf_sum(void *data, size_t count, enum caf_type type, int result_image)
{
    return arithmetic("CO_SUM", ARITHMETIC_SUM, data, count, type, result_image);
}

/* The result of a comparison with a NaN is that of one of the two, and which one depends on the
 * order of the images, as in MPI. */
int caf_min(void *data, size_t count, enum caf_type type, int result_image)
{
    return arithmetic("CO_MIN", ARITHMETIC_MIN, data, count, type, result_image);
}

int caf_max(void *data, size_t count, enum caf_type type, int result_image)
{
    return arithmetic("CO_MAX", ARITHMETIC_MAX, data, count, type, result_image);
}

int caf_reduce(void *data, size_t count, size_t element_bytes, caf_combine *combine, void *context,
               int result_image)
{
    caf_statement = "CO_REDUCE";
    if (!combine)
        return caf_error(CAF_BAD_ARGUMENT, "CO_REDUCE: there is no function to combine with");
    if (element_bytes < 1 || element_bytes > INT_MAX)
        return caf_error(CAF_BAD_ARGUMENT,
                         "CO_REDUCE: an element has %zu bytes, which must be 1 to %d",
                         element_bytes, INT_MAX);
    struct reduction reduction = {.data = data,
                                  .count = count,
                                  .element_bytes = element_bytes,
                                  .combine = combine,
                                  .context = context,
                                  .result_image = result_image,
                                  .type = MPI_DATATYPE_NULL,
                                  .operation = MPI_OP_NULL};
    return reduce(&reduction);
}
