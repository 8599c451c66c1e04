/* operation_registers.h: procedures whose results, structures of up to 16 bytes, come in registers.
 */
#ifndef COARRAYS_GFORTRAN_OPERATION_REGISTERS_H
#define COARRAYS_GFORTRAN_OPERATION_REGISTERS_H

#include "operation.h"

/* Finds in which registers, by calling it (it is pure) with an element of the array, or NULL where
 * this image has none. Collective. *found is false where this processor's way is not known. */
enum dm_status registers_find(struct operation *operation, const void *element, bool *found);

/* A combine of struct operation, after registers_find. */
void registers_combine(const struct operation *operation, const void *in, void *inout);

#endif
