/* flush.h: what a program has written leaves the buffers of Fortran's units before an error ends
 * it. */
#ifndef COARRAYS_GFORTRAN_FLUSH_H
#define COARRAYS_GFORTRAN_FLUSH_H

#include <stdbool.h>

/* False where a unit could not be had: the error is in one of its own statements, as in
 * `print *, x[9]`. Only exit() writes what is in that unit's buffer then. */
bool flush_units(void);

#endif
