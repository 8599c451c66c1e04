/* ranks.h: the processes of one run, with or without MPI.
 *
 * Every program sees itself as rank 0 of 1. A program that names ranks_start in its `struct
 * program` is an MPI program, and only such a program is linked with MPI. */
#ifndef COMMON_RANKS_H
#define COMMON_RANKS_H

#include <stdbool.h>

struct ranks {
    int rank;
    int count;
    int local_rank;      /* among the ranks of this host */
    int local_count;     /* ranks of this host */
    bool cuda_aware;     /* MPI takes device pointers */
    const char *library; /* which MPI, with its version; NULL without MPI */
    void (*barrier)(void);
    double (*max)(double);   /* largest value over all ranks */
    void (*abort)(int code); /* ends all ranks; may return, then the caller exits */
    void (*stop)(void);
};

/* This process; serial until ranks_start has run. */
extern struct ranks ranks;

/* Starts MPI, makes its errors return instead of abort, and fills `ranks`. */
void ranks_start(int *argc, char ***argv);

/* Ends the program if `expression`, an MPI call, does not return MPI_SUCCESS. Needs mpi.h. */
#define check_mpi(expression)                                                                      \
    do {                                                                                           \
        int check_result = (expression);                                                           \
        if (check_result != MPI_SUCCESS)                                                           \
            ranks_fail_mpi(#expression, check_result, __FILE__, __LINE__);                         \
    } while (0)
void ranks_fail_mpi(const char *expression, int error, const char *file, int line)
    __attribute__((noreturn));

#endif
