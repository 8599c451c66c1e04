#include "token.h"

#include <stdint.h>

#include "coarrays/caf/memory.h"

#include "status.h"

/* Bits from the lowest: what the token is, for a place the coarray's number and the offset, for
 * what has been evaluated its address. Addresses of coarrays have zeros in the place of the kind,
 * those of a process fewer bits than are left here. */
enum { KIND_BITS = 2, NUMBER_BITS = 20 };
enum kind { COARRAY, PLACE, EVALUATED };

static enum kind kind_of(caf_token token)
{
    return (enum kind)((uintptr_t)token & ((1 << KIND_BITS) - 1));
}

struct token token_meaning(caf_token token)
{
    uint64_t bits = (uintptr_t)token;
    if (kind_of(token) == COARRAY)
        return (struct token){.coarray = token};
    uint32_t number = bits >> KIND_BITS & ((1 << NUMBER_BITS) - 1);
    return (struct token){coarray_of_number(number), bits >> (KIND_BITS + NUMBER_BITS)};
}

caf_token token_of_place(struct caf_coarray *coarray, size_t offset)
{
    uint64_t number = coarray_number(coarray);
    if (offset > caf_size(coarray))
        status_fatal("ASSOCIATE or CHANGE TEAM: what the name stands for is not in the coarray");
    if (number >> NUMBER_BITS != 0 || offset >> (64 - KIND_BITS - NUMBER_BITS) != 0)
        status_fatal("ASSOCIATE or CHANGE TEAM: more than %d coarrays, or one of more than %zu "
                     "bytes",
                     1 << NUMBER_BITS, (size_t)1 << (64 - KIND_BITS - NUMBER_BITS));
    return (caf_token)(offset << (KIND_BITS + NUMBER_BITS) | number << KIND_BITS | PLACE);
}

caf_token token_of_evaluated(const void *evaluated)
{
    return (caf_token)((uintptr_t)evaluated << KIND_BITS | EVALUATED);
}

bool token_is_evaluated(caf_token token)
{
    return kind_of(token) == EVALUATED;
}

void *token_evaluated(caf_token token)
{
    void *evaluated = (void *)((uintptr_t)token >> KIND_BITS);
    if (!evaluated)
        status_fatal("a reference to an image of another node, or with CAF_PATH=rma, whose "
                     "subscripts call a function: assign what it returns to a variable first");
    return evaluated;
}
