/* random.h: what RANDOM_INIT needs from the start of a program. */
#ifndef COARRAYS_GFORTRAN_RANDOM_H
#define COARRAYS_GFORTRAN_RANDOM_H

/* Gives all images the same secret. Collective, once, when MPI runs. */
void random_start(void);

#endif
