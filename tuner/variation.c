#include "variation.h"

#include <math.h>

#include "encoding.h"

static const struct tuner_space *space_of(const struct tuner_search *search)
{
    return tuner_search_options(search)->space;
}

/* The index of the value nearest to `number`, as its logarithm sees it; values may be in any
 * order. */
static size_t nearest_index(const struct tuner_parameter *parameter, double number)
{
    size_t nearest = 0;
    double least = INFINITY;

    if (parameter->kind == TUNER_INTEGER && parameter->count > 1) {
        double step = (double)parameter->values[1] - (double)parameter->values[0];
        double place = round((number - (double)parameter->values[0]) / step);
        return (size_t)fmin(fmax(place, 0.0), (double)parameter->count - 1.0);
    }
    for (size_t i = 0; i < parameter->count; i++) {
        double distance = fabs(encoding_number(parameter, i) - number);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

/* About the double or half; of words any other one. */
static size_t scaled_index(struct tuner_search *search, size_t dimension, size_t index, bool larger)
{
    const struct tuner_parameter *parameter = tuner_space_parameter(space_of(search), dimension);

    if (parameter->kind == TUNER_CATEGORY)
        return tuner_search_random(search, parameter->count);
    size_t scaled =
        nearest_index(parameter, encoding_number(parameter, index) * (larger ? 2.0 : 0.5));
    if (scaled == index && parameter->count > 1)
        scaled = larger ? (index + 1 < parameter->count ? index + 1 : index) : index - (index > 0);
    return scaled;
}

static size_t next_index(struct tuner_search *search, size_t dimension, size_t index)
{
    size_t count = tuner_space_parameter(space_of(search), dimension)->count;

    if (tuner_search_random(search, 2))
        return index + 1 < count ? index + 1 : index;
    return index - (index > 0);
}

static bool scale(struct tuner_search *search, size_t *indices, size_t dimensions, bool two)
{
    size_t first = tuner_search_random(search, dimensions);
    bool larger = tuner_search_random(search, 2);

    indices[first] = scaled_index(search, first, indices[first], larger);
    if (two && dimensions > 1) {
        size_t second = tuner_search_random(search, dimensions - 1);
        second += second >= first;
        indices[second] = scaled_index(search, second, indices[second], !larger);
    }
    return true;
}

static bool vary_once(struct tuner_search *search, size_t configuration, size_t *varied)
{
    const struct tuner_space *space = space_of(search);
    size_t dimensions = tuner_space_dimensions(space), indices[TUNER_PARAMETERS_MAX];
    size_t dimension = tuner_search_random(search, dimensions);

    switch (tuner_search_random(search, 8)) {
    case 0:
    case 1:
        return move(search, configuration, dimension, varied);
    case 2:
        return move(search, configuration, dimension, varied) &&
               move(search, *varied, tuner_search_random(search, dimensions), varied);
    case 3:
    case 4:
        indices_of(space, configuration, indices);
        indices[dimension] = next_index(search, dimension, indices[dimension]);
        break;
    case 5:
        indices_of(space, configuration, indices);
        scale(search, indices, dimensions, false);
        break;
    default:
        indices_of(space, configuration, indices);
        scale(search, indices, dimensions, true);
    }
    return tuner_space_find(space, indices, varied);
}

bool vary(struct tuner_search *search, size_t configuration, size_t *varied)
{
    enum { ATTEMPTS = 8 };

    for (int i = 0; i < ATTEMPTS; i++)
        if (vary_once(search, configuration, varied) && *varied != configuration)
            return true;
    return false;
}

bool mix(struct tuner_search *search, size_t one, size_t other, size_t *mixed)
{
    const struct tuner_space *space = space_of(search);
    size_t indices[TUNER_PARAMETERS_MAX], others[TUNER_PARAMETERS_MAX];

    indices_of(space, one, indices);
    indices_of(space, other, others);
    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        if (tuner_search_random(search, 2))
            indices[d] = others[d];
    return tuner_space_find(space, indices, mixed);
}
