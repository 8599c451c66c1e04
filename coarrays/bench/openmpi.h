/* openmpi.h: what has to be chosen before Open MPI starts. */
#ifndef COARRAYS_BENCH_OPENMPI_H
#define COARRAYS_BENCH_OPENMPI_H

#include <stdbool.h>

/* Open MPI 4's default component for one-sided communication fails in MPI_Compare_and_swap, which
 * OpenCoarrays uses, between the ranks of one host: chooses another one there. False: not needed,
 * or the user has chosen. Where there are several hosts it is the user's, or the cluster's, to
 * choose. */
bool openmpi_choose_component(void);

#endif
