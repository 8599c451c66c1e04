/* Fortran's collective subroutines (thesis, 5.1): which arguments they take, and who carries them
 * out. */
#include <limits.h>

#include "collective_internal.h"
#include "control.h"
#include "error.h"
#include "sync.h"
#include "team.h"

enum dm_status collective_stopped(void)
{
    return lost_image(caf_statement);
}

enum dm_status collective_come_together(void)
{
    const char *statement = caf_statement;
    enum dm_status status = caf_sync_all();
    caf_statement = statement;
    if (status != DM_LOST)
        return status;
    return lost_again(statement);
}

static bool by_mpi(void)
{
    return runtime.by_mpi && runtime.nodes > 1;
}

static bool has_index(int image)
{
    return image >= 1 && image <= current_team->images;
}

enum dm_status caf_broadcast(void *data, size_t bytes, int source_image)
{
    caf_statement = "CO_BROADCAST";
    if (!has_index(source_image))
        return error_no_image(caf_statement, source_image);
    if (current_team->images == 1)
        return DM_OK;
    if (current_team->meeting)
        return tree_broadcast(data, bytes, source_image);
    return by_mpi() ? far_broadcast(data, bytes, source_image)
                    : near_broadcast(data, bytes, source_image);
}

static enum dm_status reduce(const struct reduction *reduction)
{
    if (reduction->result_image != 0 && !has_index(reduction->result_image))
        return error_no_image(caf_statement, reduction->result_image);
    if (current_team->images == 1)
        return DM_OK;
    if (current_team->meeting)
        return tree_reduce(reduction);
    return by_mpi() ? far_reduce(reduction) : near_reduce(reduction);
}

static enum dm_status arithmetic(const char *statement, enum arithmetic operation, void *data,
                                 size_t count, enum caf_type type, int result_image)
{
    struct reduction reduction = {.data = data, .result_image = result_image};
    caf_statement = statement;
    enum dm_status status = arithmetic_find(&reduction, operation, type, count);
    return status != DM_OK ? status : reduce(&reduction);
}

enum dm_status caf_sum(void *data, size_t count, enum caf_type type, int result_image)
{
    return arithmetic("CO_SUM", ARITHMETIC_SUM, data, count, type, result_image);
}

/* The result of a comparison with a NaN is that of one of the two, and which one depends on the
 * order of the images, as in MPI. */
enum dm_status caf_min(void *data, size_t count, enum caf_type type, int result_image)
{
    return arithmetic("CO_MIN", ARITHMETIC_MIN, data, count, type, result_image);
}

enum dm_status caf_max(void *data, size_t count, enum caf_type type, int result_image)
{
    return arithmetic("CO_MAX", ARITHMETIC_MAX, data, count, type, result_image);
}

enum dm_status caf_reduce(void *data, size_t count, size_t element_bytes, caf_combine *combine,
                          void *context, int result_image)
{
    caf_statement = "CO_REDUCE";
    if (!combine)
        return invalid(CAF_BAD_ARGUMENT, "CO_REDUCE: there is no function to combine with");
    if (element_bytes < 1 || element_bytes > INT_MAX)
        return invalid(CAF_BAD_ARGUMENT,
                       "CO_REDUCE: an element has %zu bytes, which must be 1 to %d", element_bytes,
                       INT_MAX);
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
