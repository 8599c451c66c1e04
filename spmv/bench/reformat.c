/* Conversion on the device, timed and verified. */
#include <math.h>

#include "common/clock.h"
#include "common/statistics.h"

#include "ways.h"

/* The first one also pays for kernels that are loaded and memory that is given for the first time.
 */
enum { TIMES = 3 };

static double convert(struct spmv_matrix *matrix, enum spmv_format format,
                      const struct spmv_matrix *csr)
{
    double start_s = clock_now_s();
    enum dm_status status = spmv_matrix_convert_device(matrix, format, csr, NULL);
    return status == DM_OK ? clock_now_s() - start_s : (double)NAN;
}

/* With the vectors of the copies, of which one gives its place to the matrix. */
static long wrong_products(const struct spmv_copies *copies, struct spmv_matrix *matrix)
{
    struct spmv_copies one = *copies;
    long wrong;
    one.count = 1;
    one.copy[0].matrix = matrix;
    spmv_copies_verify(&one, &wrong);
    return wrong;
}

void spmv_copies_reformat(struct spmv_copies *copies, const struct spmv_matrix *csr, bool check)
{
    double times_s[TIMES];
    for (int i = 0; i < TIMES; i++) {
        struct spmv_matrix matrix;
        times_s[i] = convert(&matrix, (enum spmv_format)copies->way->kind, csr);
        if (isnan(times_s[i]))
            return;
        if (check && i == TIMES - 1)
            copies->reformat_errors = wrong_products(copies, &matrix);
        spmv_matrix_release(&matrix);
    }
    statistics_sort(times_s, TIMES);
    copies->reformat_s = statistics_median(times_s, TIMES).median;
}
