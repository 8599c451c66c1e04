/* status.h: how a statement's error reaches the program. */
#ifndef COARRAYS_GFORTRAN_STATUS_H
#define COARRAYS_GFORTRAN_STATUS_H

#include <stddef.h>

#include <datamotion/coarrays.h>

/* The values of STAT=: those of GNU Fortran's iso_fortran_env, and this library's own between them.
 * Its STAT_UNLOCKED is 0, which would be success: UNLOCK of a free lock gives 3. */
enum stat_value {
    STAT_OK = 0,
    STAT_LOCKED,
    STAT_LOCKED_OTHER_IMAGE,
    STAT_UNLOCKED,
    STAT_NO_MEMORY,
    STAT_BAD_IMAGE,
    STAT_BAD_RANGE,
    STAT_BAD_ARGUMENT,
    STAT_WAIT_LIMIT,
    STAT_MPI,
    STAT_STOPPED_IMAGE = 6000,
    STAT_FAILED_IMAGE
};

/* Value and text of an error into the variables of STAT= and ERRMSG= (blank-padded or cut off);
 * error stop with the text where there is no STAT=. The text is dm_message(). */
void status_error(enum dm_status status, int *stat, char *errmsg, size_t errmsg_length);

/* The same, but success is 0 in STAT= and leaves ERRMSG= alone. */
static inline void status_report(enum dm_status status, int *stat, char *errmsg,
                                 size_t errmsg_length)
{
    if (status != DM_OK)
        status_error(status, stat, errmsg, errmsg_length);
    else if (stat)
        *stat = STAT_OK;
}

/* Error stop of this interface with a sentence, for what the library cannot do and no STAT= can
 * tell. */
void status_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
