/* component.h: memory of allocatable components:
 *
 *     type t; real, allocatable :: a(:); end type
 *     type(t) :: x[*]
 *
 * One image alone allocates x%a, of any size, yet others read and write x[k]%a. So all components
 * of an image lie in its component heap, its part of one coarray that all images make together
 * when the first component is registered (which happens when a coarray with components is
 * allocated, a statement that all images execute). CAF_COMPONENTS is its size; pages that are not
 * used take no memory. All images of a node have it at the same address: procedures that GNU
 * Fortran 15 and later pass to the library (accessor.h) follow the addresses that they find in
 * descriptors.
 *
 * The compiler copies tokens of components with the objects around them, uninitialised ones too,
 * so a token's value is only trusted after a look at the heap, and components are told from
 * coarrays by where the token itself lies. */
#ifndef COARRAYS_GFORTRAN_COMPONENT_H
#define COARRAYS_GFORTRAN_COMPONENT_H

#include <stdbool.h>
#include <stddef.h>

#include "descriptor.h"

/* The address lies in this image's part of a coarray or of the component heap itself. If it is a
 * token's, the token is a component's. */
bool component_is(const void *address);

/* Makes the component heap if there is none. Collective over the initial team; does nothing within
 * another one. */
void component_prepare(void);

/* Registers a component; with `allocate` gives it memory and sets *token and the descriptor's base.
 * The first call of a program is collective and without `allocate`. DM_NO_MEMORY when the heap
 * is full. */
enum dm_status component_register(size_t bytes, bool allocate, void **token,
                                  struct descriptor *component);

/* Frees the memory of a component that has some. */
void component_deregister(void **token);

/* An address in the component heap of any image, as found in a descriptor there, as a coarray and
 * an offset. *heap is NULL if the address lies elsewhere: it belongs to a pointer's target. */
enum dm_status component_find(int image, const void *address, struct caf_coarray **heap,
                              size_t *offset);

/* Bytes that can be read from an address in the component heap of a near image, or at least from
 * any address that a pointer has. */
size_t component_bytes_from(int image, const void *address);

#endif
