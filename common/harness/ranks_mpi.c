#include <mpi.h>
#include <stdlib.h>
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
    char *tab = strchr(text, '\t'); /* MPICH's */
    if (tab)
        *tab = ' ';
    return text;
}

/* Another MPI's launcher starts processes that know nothing of one another: each is rank 0 of 1,
 * and all would measure the same and write the same file. The variables name the launcher, and how
 * many processes it started. */
static void check_launcher(void)
{
    static const char *const launchers[][2] = {{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun"},
                                               {"PMI_SIZE", "MPICH's mpiexec"},
                                               {"SLURM_STEP_NUM_TASKS", "srun"},
                                               {"FLUX_JOB_SIZE", "flux"}};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *started = getenv(launchers[i][0]);
        if (!started)
            continue;
        if (ranks.count == 1 && atoi(started) > 1)
            fail("%s started %s processes, but by %s each is alone: it is another MPI's launcher; "
                 "use the mpirun of the MPI that the program was built with (MPI_HOME), or srun "
                 "with an --mpi=... that this MPI knows (srun --mpi=list)",
                 launchers[i][1], started, ranks.library ? ranks.library : "this MPI");
        return;
    }
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
    check_launcher();
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
