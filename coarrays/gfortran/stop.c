/* stop.c: STOP, ERROR STOP and FAIL IMAGE, with the texts and exit codes of GNU Fortran's own
 * library. */
#include "stop.h"

#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <mpi.h>

#include "coarrays/caf/watch.h"

#include "abi.h"
#include "flush.h"
#include "status.h"

static bool mpi_runs(void)
{
    int initialised, finalised;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised && !finalised;
}

/* Its number, also where the library could not be started; 0: unknown. */
static int this_image(void)
{
    int rank = -1;
    if (caf_this_image() > 0)
        return caf_this_image();
    if (mpi_runs())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank + 1;
}

/* ---- under a launcher that goes on without images that end ---- */

/* One line, so that images do not mix theirs. */
static void leave_note(const char *what, int code)
{
    const char *path = getenv("CAF_EXIT_FILE");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    char line[32];
    int length = snprintf(line, sizeof line, "%s %d\n", what, code & 255);
    if (file < 0)
        return;
    if (write(file, line, (size_t)length) != length)
        perror(path);
    close(file);
}

static void note_exit(int code, void *unused)
{
    (void)unused;
    leave_note("exit", code);
}

void exit_notes_start(void)
{
    if (!getenv("CAF_EXIT_FILE"))
        return;
    leave_note("start", 0);
    on_exit(note_exit, NULL);
}

bool exit_was_noted(void)
{
    char line[32];
    bool found = false;
    const char *path = getenv("CAF_EXIT_FILE");
    FILE *file = path ? fopen(path, "re") : NULL;
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "error", 5) == 0;
    if (file)
        fclose(file);
    return found;
}

/* Nobody waits for what is done at the end of a process. */
enum { EXIT_LIMIT_S = 5 };

static int exit_code_meant;

static void exit_now(int signal)
{
    (void)signal;
    _exit(exit_code_meant);
}

static void exit_flushed(int code)
{
    exit_code_meant = code;
    signal(SIGALRM, exit_now);
    alarm(EXIT_LIMIT_S);
    exit(code);
}

static void end_all(int code, bool is_flushed) __attribute__((noreturn));
static void end_all(int code, bool is_flushed)
{
    if (getenv("CAF_EXIT_FILE")) {
        leave_note("error", code);
        watch_kill_others();
        if (!is_flushed)
            exit_flushed(code);
    } else if (mpi_runs()) {
        watch_say_ending();
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    _exit(code);
}

void stop_in_error(int code, const char *text)
{
    static bool stopping;
    int image = this_image();
    /* The launcher keeps 8 bits, and 0 would be success. */
    int exit_code = (code & 255) == 0 ? 1 : code;
    bool is_flushed = flush_units();
    if (!stopping) {
        stopping = true;
        fflush(stdout);
        if (text && image > 0)
            fprintf(stderr, "ERROR STOP, image %d: %s\n", image, text);
        else if (text)
            fprintf(stderr, "ERROR STOP: %s\n", text);
        end_all(exit_code, is_flushed);
    }
    _exit(exit_code);
}

/* Normal termination of this image: the others go on. */
static void stop(int code) __attribute__((noreturn));
static void stop(int code)
{
    status_report(caf_end(), NULL, NULL, 0);
    /* Also if it is not the library's: a process that exits without it makes the launcher end all.
     */
    if (mpi_runs() && !watch_found_dead())
        MPI_Finalize();
    exit(code);
}

/* The standard wants a warning of IEEE exceptions that are signalling when an image stops (Fortran
 * 2018, 11.4). */
static void note_exceptions(void)
{
    static const struct {
        int flag;
        const char *name;
    } exceptions[] = {
        {FE_INVALID, "IEEE_INVALID_FLAG"},
        {FE_DIVBYZERO, "IEEE_DIVIDE_BY_ZERO"},
        {FE_OVERFLOW, "IEEE_OVERFLOW_FLAG"},
        {FE_UNDERFLOW, "IEEE_UNDERFLOW_FLAG"},
    };
    if (!fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW))
        return;
    fputs("Note: The following floating-point exceptions are signalling:", stderr);
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (fetestexcept(exceptions[i].flag))
            fprintf(stderr, " %s", exceptions[i].name);
    fputc('\n', stderr);
}

void _gfortran_caf_stop_numeric(int code, bool quiet)
{
    if (!quiet) {
        note_exceptions();
        fprintf(stderr, "STOP %d\n", code);
    }
    stop(code);
}

/* A STOP without a code comes here with NULL. */
void _gfortran_caf_stop_str(const char *text, size_t length, bool quiet)
{
    if (!quiet) {
        note_exceptions();
        if (text)
            fprintf(stderr, "STOP %.*s\n", (int)length, text);
    }
    stop(0);
}

void _gfortran_caf_error_stop(int code, bool quiet)
{
    if (!quiet) {
        note_exceptions();
        fprintf(stderr, "ERROR STOP %d\n", code);
    }
    stop_in_error(code, NULL);
}

void _gfortran_caf_error_stop_str(const char *text, size_t length, bool quiet)
{
    if (!quiet) {
        note_exceptions();
        fprintf(stderr, "ERROR STOP %.*s\n", text ? (int)length : 0, text ? text : "");
    }
    stop_in_error(1, NULL);
}

/* The others find it failed. Its process waits for them, so that no launcher takes this for a crash
 * and ends all. */
void _gfortran_caf_fail_image(void)
{
    if (caf_fail() != DM_OK)
        _exit(0);
    if (mpi_runs() && !watch_found_dead())
        MPI_Finalize();
    _exit(0);
}
