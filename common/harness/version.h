/* version.h: which source a program was made from. version.c is compiled anew whenever a program is
 * linked, so the commit is that of the sources it consists of, and a commit that does not touch
 * them makes no result stale. */
#ifndef COMMON_VERSION_H
#define COMMON_VERSION_H

#include <stdbool.h>

extern const char version_number[];  /* 0.1.0 */
extern const char version_commit[];  /* abbreviated git hash, or "unknown" outside a checkout */
extern const bool version_dirty;     /* the checkout had uncommitted changes */
extern const char version_sources[]; /* a hash of the C, C++ and CUDA sources of its directory,
                                        those it uses, and common/ */

#endif
