/* stop.c: STOP, ERROR STOP and FAIL IMAGE, with the texts and exit codes of GNU Fortran's own
 * library. */
#include "stop.h"

#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi.h"

/* libgfortran's FLUSH; NULL means all units. A C program that uses this library has none. */
void _gfortran_flush_i4(int *unit) __attribute__((weak));

void stop_in_error(int code, const char *text)
{
    if (_gfortran_flush_i4)
        _gfortran_flush_i4(NULL);
    caf_error_stop(code, text);
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
    caf_stop(code);
}

/* A STOP without a code comes here with NULL. */
void _gfortran_caf_stop_str(const char *text, size_t length, bool quiet)
{
    if (!quiet) {
        note_exceptions();
        if (text)
            fprintf(stderr, "STOP %.*s\n", (int)length, text);
    }
    caf_stop(0);
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

/* The image dies as in a crash, without a word to the others. They do not survive it: the
 * launcher ends them. */
void _gfortran_caf_fail_image(void)
{
    fprintf(stderr,
            "image %d: FAIL IMAGE: this image ends; continuing without it is not supported\n",
            caf_this_image());
    kill(getpid(), SIGKILL);
    abort();
}
