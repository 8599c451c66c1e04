/* allocate.h: which memory belongs to coarrays that programs have registered. */
#ifndef COARRAYS_GFORTRAN_ALLOCATE_H
#define COARRAYS_GFORTRAN_ALLOCATE_H

#include <stdbool.h>

/* The address lies in this image's own part of a coarray that is registered and not yet freed. */
bool coarray_holds(const void *address);

/* Whether there was an ALLOCATE statement with STAT= since the last call. */
bool allocate_sync_follows(void);

struct caf_coarray;

/* It is one that is registered and not yet freed, and not any pointer. */
bool coarray_is_registered(const struct caf_coarray *coarray);

/* A static array, a scalar, an allocatable array; only the last has a descriptor that lasts. */
enum registered_kind { REGISTERED_STATIC, REGISTERED_SCALAR, REGISTERED_ARRAY };
enum registered_kind coarray_kind(const struct caf_coarray *coarray);
bool coarray_is_of_characters(const struct caf_coarray *coarray);

/* It belongs to a CRITICAL construct. */
bool coarray_is_critical(const struct caf_coarray *coarray);

/* At the end of a team: its allocatable coarrays are not allocated any more. */
struct team;
void coarray_forget_team(const struct team *team);

#endif
