/* variation.h: configurations made from others, all of them in the space. */
#ifndef TUNER_VARIATION_H
#define TUNER_VARIATION_H

#include "strategies.h"

/* Another configuration like this one; false if none was found. One parameter goes to any value, to
 * the next one, or to about its double or half; or one is doubled and another halved, which keeps
 * the product that constraints often limit; or two parameters change. */
bool vary(struct tuner_search *search, size_t configuration, size_t *varied);

/* Each parameter from either; false if constraints forbid what came out. */
bool mix(struct tuner_search *search, size_t one, size_t other, size_t *mixed);

#endif
