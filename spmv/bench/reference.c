#include <float.h>
#include <math.h>

#include "reference.h"

void sparse_reference(const struct spmv_coo *coo, double alpha, const double *x, double beta,
                      double *y, double *magnitude)
{
    int64_t k = 0;
    for (int64_t row = 0; row < coo->rows; row++) {
        long double sum = 0, absolute = 0;
        for (; k < coo->entries && coo->row[k] == row; k++) {
            long double product = (long double)coo->value[k] * x[coo->column[k]];
            sum += product;
            absolute += fabsl(product);
        }
        long double before = beta == 0 ? 0 : (long double)beta * y[row];
        y[row] = (double)(alpha * sum + before);
        if (magnitude)
            magnitude[row] = (double)(fabs(alpha) * absolute + fabsl(before));
    }
}

struct sparse_profile sparse_coo_profile(const struct spmv_coo *coo)
{
    struct sparse_profile profile = {.shortest = INT64_MAX};
    unsigned __int128 squares = 0; /* exact: lengths and their number are below 2^31 */
    int64_t k = 0;
    for (int64_t row = 0; row < coo->rows; row++) {
        int64_t first = k;
        while (k < coo->entries && coo->row[k] == row)
            k++;
        int64_t length = k - first;
        squares += (unsigned __int128)length * (unsigned __int128)length;
        profile.empty_rows += length == 0;
        if (length < profile.shortest)
            profile.shortest = length;
        if (length > profile.longest)
            profile.longest = length;
    }
    unsigned __int128 rows = (unsigned __int128)coo->rows;
    unsigned __int128 sum = (unsigned __int128)coo->entries;
    profile.mean = (double)coo->entries / (double)coo->rows;
    profile.deviation = sqrt((double)(rows * squares - sum * sum)) / (double)coo->rows;
    return profile;
}

double sparse_product_bytes(const struct spmv_coo *coo, size_t value_bytes)
{
    double value = (double)value_bytes, index = sizeof(int32_t);
    return (value + index) * (double)coo->entries + index * (double)(coo->rows + 1) +
           value * (double)(coo->rows + coo->columns);
}

/* `bound` is the error that is allowed. */
static double ratio_of(double result, double exact, double bound)
{
    if (isnan(exact))
        return isnan(result) ? 0 : INFINITY;
    if (isinf(exact))
        return result == exact ? 0 : INFINITY;
    double ratio = fabs(result - exact) / bound;
    return isnan(ratio) || isinf(result) ? INFINITY : ratio;
}

double sparse_error_ratio(const struct spmv_coo *coo, const void *result, bool is_double,
                          const double *exact, const double *magnitude)
{
    double eps = is_double ? DBL_EPSILON : FLT_EPSILON;
    /* Products that underflow lose up to the smallest number each, whatever their size. */
    double smallest = is_double ? DBL_TRUE_MIN : FLT_TRUE_MIN;
    double largest = 0;
    int64_t k = 0;
    for (int64_t row = 0; row < coo->rows; row++) {
        int64_t first = k;
        while (k < coo->entries && coo->row[k] == row)
            k++;
        double bound = (double)(k - first + 2) * (eps * magnitude[row] + smallest);
        double value = is_double ? ((const double *)result)[row] : ((const float *)result)[row];
        largest = fmax(largest, ratio_of(value, exact[row], bound));
    }
    return largest;
}
