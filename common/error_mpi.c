#include <mpi.h>

#include "error.h"

enum dm_status error_mpi(int error, const char *expression, const char *file, int line)
{
    if (error == MPI_SUCCESS)
        return DM_OK;
    char cause[MPI_MAX_ERROR_STRING] = "unknown MPI error";
    int length;
    MPI_Error_string(error, cause, &length);
    return dm_fail(DM_FAILED, "%s: %s (%s:%d)", expression, cause, file, line);
}
