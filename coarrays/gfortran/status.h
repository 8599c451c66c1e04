/* status.h: how a statement's error reaches the program. */
#ifndef COARRAYS_GFORTRAN_STATUS_H
#define COARRAYS_GFORTRAN_STATUS_H

#include <stddef.h>

#include "coarrays/caf.h"

/* Code and text of an error into the variables of STAT= and ERRMSG= (blank-padded or cut off);
 * error stop with the text where there is no STAT=. The text is caf_error_text(). The codes are
 * those of GNU Fortran's iso_fortran_env, except that UNLOCK of a free lock gives CAF_UNLOCKED (3):
 * its STAT_UNLOCKED is 0, which would be success. */
void status_error(int code, int *stat, char *errmsg, size_t errmsg_length);

/* The same, but success is 0 in STAT= and leaves ERRMSG= alone. */
static inline void status_report(int code, int *stat, char *errmsg, size_t errmsg_length)
{
    if (code != CAF_OK)
        status_error(code, stat, errmsg, errmsg_length);
    else if (stat)
        *stat = CAF_OK;
}

/* Error stop of this interface with a sentence, for what the library cannot do and no STAT= can
 * tell. */
void status_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
