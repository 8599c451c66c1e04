/* block_programs.h: synthetic traces of block programs.
 *
 * Peshne (2018) measured his cache on five quantum chemistry programs of ACES4, which are public
 * (github.com/UFParLab/aces4) and need its run time system. The stand-ins here, until traces of
 * those replace them, are small block programs of the same names: loops over tensor blocks with
 * distributed arrays, arrays that stay local, and temporaries of rank 2, 3 and 4. Their number of
 * requests is that of table 6-8 (a program is cut when it is reached); hits and misses follow from
 * the pattern. block_programs.c describes each. */
#ifndef PINNING_BLOCK_PROGRAMS_H
#define PINNING_BLOCK_PROGRAMS_H

#include "trace.h"

struct block_program {
    const char *name;
    const char *meaning;
    size_t requests;
    void (*run)(void *state);
};

/* Five, ended by {0}. */
extern const struct block_program block_programs[];

/* The program of that name, or NULL. */
const struct block_program *block_program_find(const char *name);

/* Runs the program and notes what it does with its blocks. The seed decides how long blocks that
 * are being sent to a server stay live. One thread at a time. DM_NO_MEMORY. */
enum dm_status block_program_trace(const struct block_program *program, uint64_t seed,
                                   struct trace *trace);

/* A trace without a program: `requests` allocations of sizes whose logarithm is uniform between 512
 * and 8 Mi elements (4 KiB to 64 MiB), `live` blocks alive, a random one released before each.
 * DM_NO_MEMORY. */
enum dm_status random_trace(size_t requests, size_t live, uint64_t seed, struct trace *trace);

#endif
