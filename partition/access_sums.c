#include "access_sums.h"

bool sum_add_number(int64_t *sum, int64_t factor, int64_t value)
{
    int64_t product;

    return !__builtin_mul_overflow(factor, value, &product) &&
           !__builtin_add_overflow(*sum, product, sum);
}

bool sum_add(struct sum *to, int64_t factor, const struct sum *sum)
{
    for (int v = 0; v < SUM_VARIABLES; v++)
        if (!sum_add_number(&to->factors[v], factor, sum->factors[v]))
            return false;
    return sum_add_number(&to->constant, factor, sum->constant);
}

int sum_only_one(const int64_t *numbers, int count)
{
    int found = -1;

    for (int i = 0; i < count; i++)
        if (numbers[i])
            found = found == -1 ? i : -2;
    return found;
}

static bool is_small(int64_t number)
{
    return number > INT64_MIN / 4 && number < INT64_MAX / 4;
}

bool sum_is_small(const struct sum *sum)
{
    bool small = is_small(sum->constant);

    for (int v = 0; v < SUM_VARIABLES; v++)
        small = small && is_small(sum->factors[v]);
    for (int i = 0; i < ACCESS_MAX_DIMS; i++)
        small = small && is_small(sum->indices[i]);
    return small;
}

bool sum_bounds(const struct sum *sum, const struct range *variables, struct range *bounds)
{
    *bounds = (struct range){sum->constant, sum->constant};
    for (int v = 0; v < SUM_VARIABLES; v++) {
        const int64_t factor = sum->factors[v];
        const struct range *range = &variables[v];
        if (!sum_add_number(&bounds->low, factor, factor > 0 ? range->low : range->high) ||
            !sum_add_number(&bounds->high, factor, factor > 0 ? range->high : range->low))
            return false;
    }
    return is_small(bounds->low) && is_small(bounds->high);
}

int64_t floor_divide(int64_t number, int64_t divisor)
{
    const int64_t quotient = number / divisor;

    return quotient - (number % divisor < 0);
}

void range_bound(struct range *range, int64_t factor, int64_t constant)
{
    const int64_t bound = floor_divide(constant, factor > 0 ? factor : -factor);

    if (factor > 0)
        range->low = -bound > range->low ? -bound : range->low;
    else
        range->high = bound < range->high ? bound : range->high;
}
