/* token.h: what a token of the compiler stands for. Most are coarrays: the token is the address of
 * the library's object. GNU Fortran 16 also has names for places within one, of ASSOCIATE and
 * CHANGE TEAM (y[*] => x(3)), registers them and never says that it needs them no more; and a
 * procedure of a reference (accessor.h) gets a token by which it reads what the image that refers
 * has evaluated for it. Both are numbers, told from addresses by their lowest bits, so that nothing
 * has to be kept or freed. */
#ifndef COARRAYS_GFORTRAN_TOKEN_H
#define COARRAYS_GFORTRAN_TOKEN_H

#include <datamotion/coarrays.h>

#include "abi.h"

struct token {
    struct caf_coarray *coarray;
    size_t offset; /* of the place; without one 0 */
};

struct token token_meaning(caf_token token);

/* An error stop where the offset is beyond the coarray. */
caf_token token_of_place(struct caf_coarray *coarray, size_t offset);

/* The token of what has been evaluated; NULL: by an image whose memory cannot be reached. */
caf_token token_of_evaluated(const void *evaluated);

bool token_is_evaluated(caf_token token);

/* An error stop where it cannot be reached. */
void *token_evaluated(caf_token token);

#endif
