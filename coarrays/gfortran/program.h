/* program.h: the start of a Fortran program. */
#ifndef COARRAYS_GFORTRAN_PROGRAM_H
#define COARRAYS_GFORTRAN_PROGRAM_H

/* caf_start, or error stop with its sentence. */
void program_start(int *argc, char ***argv);

#endif
