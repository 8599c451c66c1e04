/* word.h: atomic steps on a 32-bit word of any image's coarray.
 *
 * With one node these are the processor's atomics. With several, all images use the conduit's.
 * Those of MPI are used on near words, too: the two kinds are not atomic towards one another.
 * Reading a near word is a load in all cases.
 *
 * MPI promises atomicity only among equal operations on a word (info key accumulate_ops, whose
 * default is same_op_no_op), and implementations use it: Open MPI can hand sums to the network card
 * and do the others by a get and a put. So what changes a word that sees different operations is
 * here always MPI_Compare_and_swap. word_add is MPI_Fetch_and_op with MPI_SUM, and only for words
 * that nothing else changes.
 *
 * Acquire and release order as Fortran's segments need it is the caller's (lock.c, event.c). */
#ifndef COARRAYS_CAF_WORD_H
#define COARRAYS_CAF_WORD_H

#include "memory.h"

enum word_step { WORD_ADD, WORD_AND, WORD_OR, WORD_XOR, WORD_SWAP };

/* DM_OK if `bytes` bytes at `offset` of that image's coarray can hold words: the image exists,
 * offset is a multiple of 4, and the coarray does not end before. */
enum dm_status word_check(const struct caf_coarray *coarray, int image, size_t offset,
                          size_t bytes);

enum dm_status word_read(struct caf_coarray *coarray, int image, size_t offset, int32_t *value);

/* These may meet on a word. `old` may be NULL. */
enum dm_status word_change(struct caf_coarray *coarray, int image, size_t offset,
                           enum word_step step, int32_t value, int32_t *old);
enum dm_status word_compare_swap(struct caf_coarray *coarray, int image, size_t offset,
                                 int32_t compare, int32_t value, int32_t *old);

/* Nothing else may change the word. */
enum dm_status word_add(struct caf_coarray *coarray, int image, size_t offset, int32_t value);

#endif
