/* stop.h: how a Fortran program ends in error. */
#ifndef COARRAYS_GFORTRAN_STOP_H
#define COARRAYS_GFORTRAN_STOP_H

#include <stdbool.h>

/* cafrun's launcher goes on without images that have ended, so it does not know with which code;
 * the file named by CAF_EXIT_FILE tells cafrun. Called when an image starts. */
void exit_notes_start(void);

/* Whether an image has ended all. */
bool exit_was_noted(void);

/* Ends all images at once with a nonzero exit code, after what this image has written to Fortran's
 * units has left their buffers. `text`, if not NULL, is printed on stderr with the image's number.
 */
void stop_in_error(int code, const char *text) __attribute__((noreturn));

#endif
