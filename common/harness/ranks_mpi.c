#include <mpi.h>
#include <string.h>

#include "exit.h"
#include "ranks.h"
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

static void mpi_barrier(void)
{
    check_mpi(MPI_Barrier(MPI_COMM_WORLD));
}

static double mpi_max(double value)
{
    double largest;
    check_mpi(MPI_Allreduce(&value, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    return largest;
}

static void mpi_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}

static void mpi_stop(void)
{
    MPI_Finalize();
}

static bool mpi_is_cuda_aware(void)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

/* The first line of what the library says of itself, such as "Open MPI v4.1.4, ...". */
static const char *mpi_library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS)
        return NULL;
    text[strcspn(text, ",\n")] = '\0';
    return text;
}

void ranks_start(int *argc, char ***argv)
{
    int provided;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
        fail("MPI could not be started: start the program with mpirun, srun or alone");
    check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));

    MPI_Comm host;
    check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
    check_mpi(MPI_Comm_rank(host, &ranks.local_rank));
    check_mpi(MPI_Comm_size(host, &ranks.local_count));
    check_mpi(MPI_Comm_free(&host));
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank));
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks.count));
    ranks.cuda_aware = mpi_is_cuda_aware();
    ranks.library = mpi_library();
    ranks.barrier = mpi_barrier;
    ranks.max = mpi_max;
    ranks.abort = mpi_abort;
    ranks.stop = mpi_stop;
}

void ranks_fail_mpi(const char *expression, int error, const char *file, int line)
{
    char cause[MPI_MAX_ERROR_STRING] = "unknown MPI error";
    int length;
    MPI_Error_string(error, cause, &length);
    fail_expression(expression, cause, file, line);
}
