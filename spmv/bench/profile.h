/* profile.h: what the rows of a matrix are like, as a line of talk. */
#ifndef SPMV_BENCH_PROFILE_H
#define SPMV_BENCH_PROFILE_H

#include <datamotion/spmv.h>

struct run;

void spmv_note_profile(const struct run *run, const char *name, const struct spmv_coo *coo);

#endif
