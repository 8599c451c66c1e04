/* error.h: what this library adds to common/error.h. */
#ifndef COARRAYS_CAF_ERROR_H
#define COARRAYS_CAF_ERROR_H

#include <datamotion/coarrays.h>

#include "common/error.h"

/* Fails with DM_INVALID for that reason. A sentence names the statement and the image as Fortran
 * has them: "PUT: there is no image 9 of 4". */
enum dm_status invalid(enum caf_reason reason, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The statement that this image executes, for such sentences and for what is printed when a wait
 * reaches its time limit: "SYNC IMAGES". */
extern const char *caf_statement;

#endif
