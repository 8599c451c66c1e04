/* stop.h: how a Fortran program ends in error. */
#ifndef COARRAYS_GFORTRAN_STOP_H
#define COARRAYS_GFORTRAN_STOP_H

/* caf_error_stop after what this image has written to Fortran's units has left their buffers. */
void stop_in_error(int code, const char *text) __attribute__((noreturn));

#endif
