/* error.h: what this library adds to common/error.h. */
#ifndef COARRAYS_CAF_ERROR_H
#define COARRAYS_CAF_ERROR_H

#include <datamotion/coarrays.h>

#include "common/error.h"

/* Fails with DM_INVALID for that reason. A sentence names the statement and the image as Fortran
 * has them: "PUT: there is no image 9 of 4". */
enum dm_status invalid(enum caf_reason reason, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* CAF_BAD_IMAGE: the current team has no such image. */
enum dm_status error_no_image(const char *statement, int image);

/* Fails with DM_LOST for CAF_STOPPED_IMAGE or CAF_FAILED_IMAGE. */
enum dm_status error_lost(enum caf_reason reason, const char *statement, int image);

/* Whether the status says that images have failed, and nothing worse. */
bool is_failed_image(enum dm_status status);

/* The statement that this image executes, for such sentences and for what is printed when a wait
 * reaches its time limit: "SYNC IMAGES". */
extern const char *caf_statement;

#endif
