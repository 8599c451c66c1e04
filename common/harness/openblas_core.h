/* openblas_core.h: whether OpenBLAS has code for this processor. A directory that includes it links
 * $(BLAS) (rules.mk). */
#ifndef COMMON_OPENBLAS_CORE_H
#define COMMON_OPENBLAS_CORE_H

#include <cblas.h>
#include <stddef.h>
#include <string.h>

#include "program.h"

/* A processor that is younger than OpenBLAS gets the code of the oldest with 64 bits, "Prescott",
 * several times slower than what it could run. The value of OPENBLAS_CORETYPE that is better then;
 * NULL if there is none, or `core` is another. */
static inline const char *openblas_better_core(const char *core)
{
#ifdef __x86_64__
    if (strcmp(core, "Prescott") != 0)
        return NULL;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "Haswell";
#else
    (void)core;
#endif
    return NULL;
}

/* Says so, before products on the CPU are timed: OpenBLAS reads the variable when it is loaded. */
static inline void openblas_note_core(const struct run *run)
{
    const char *core = openblas_get_corename(), *better = openblas_better_core(core);
    if (better)
        program_note(run,
                     "OpenBLAS does not know this processor and computes as for %s: with "
                     "OPENBLAS_CORETYPE=%s its products on the CPU are faster",
                     core, better);
}

#endif
