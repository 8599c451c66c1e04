/* walk.h: what a chain of references, x(2)[k]%inner(3)%a(1:9:2), means in the memory of image k.
 *
 * Allocatable and pointer components are found through their descriptors, which are fetched from
 * the image on the way; so the result holds until the next synchronisation. */
#ifndef COARRAYS_GFORTRAN_WALK_H
#define COARRAYS_GFORTRAN_WALK_H

#include "place.h"

/* After DM_OK, place_free(). */
enum dm_status walk(void *token, int image, const struct reference *references,
                    struct place *place);

#endif
