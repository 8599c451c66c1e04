/* agree.h: what all images must do alike is done by none if one cannot.
 *
 * Collective over all images. Between the sync all that begins a collective statement and these
 * calls no image can stop, so plain MPI collectives cannot hang. */
#ifndef COARRAYS_CAF_AGREE_H
#define COARRAYS_CAF_AGREE_H

#include <stdbool.h>
#include <stdint.h>

/* The code of the lowest image whose `code` is not CAF_OK, with that image's sentence, on all
 * images; CAF_OK if there is none. Then *same tells whether all have the same `value`. */
int agree_same(int code, uint64_t value, bool *same);
int agree(int code);

/* Image 1's value. */
int agree_first(uint64_t *value);

#endif
