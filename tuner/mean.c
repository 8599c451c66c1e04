#include "mean.h"

#include <math.h>

/* 0.975 quantiles of Student's t for 1, 2, ... degrees of freedom. Source: any table of it. */
static const double quantiles[] = {
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796,  2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
};
enum { QUANTILES = sizeof quantiles / sizeof *quantiles };

/* Beyond the table: the first terms of the expansion about the normal quantile (Cornish and Fisher,
 * 1938), right to four digits there. */
static double quantile_of(size_t freedom)
{
    const double z = 1.959964, n = (double)freedom;

    if (freedom <= QUANTILES)
        return quantiles[freedom - 1];
    return z + (z * z * z + z) / (4.0 * n) +
           (5.0 * pow(z, 5) + 16.0 * pow(z, 3) + 3.0 * z) / (96.0 * n * n);
}

struct mean mean_of(const double *values, size_t count)
{
    struct mean result = {0};
    double squares = 0.0;

    for (size_t i = 0; i < count; i++)
        result.mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - result.mean) * (values[i] - result.mean);
    if (count > 1)
        result.half_width =
            quantile_of(count - 1) * sqrt(squares / (double)(count - 1) / (double)count);
    return result;
}
