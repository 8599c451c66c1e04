#include "pricing_speed.h"

#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/error.h"

enum { TIMES_MIN = 3 };
static const double time_min_s = 0.1;
static const double worthwhile = 1.05; /* what more options at once must gain to be tried further */

static enum dm_status best_time(const struct pricing_portfolio *portfolio,
                                const struct pricing_device *device, int count, bool many,
                                struct asian_sums *sums, double *best_s)
{
    double all_s = 0;
    *best_s = INFINITY;
    for (int times = 0; times < TIMES_MIN || all_s < time_min_s; times++) {
        double start_s = clock_now_s();
        TRY(pricing_compute(device, &portfolio->simulation, portfolio->options, count, many, sums));
        double time_s = clock_now_s() - start_s;
        *best_s = fmin(*best_s, time_s);
        all_s += time_s;
    }
    return DM_OK;
}

/* Random values per second with `count` options at once. */
static enum dm_status speed_of(const struct pricing_portfolio *portfolio,
                               const struct pricing_device *device, int count, bool many,
                               double *speed)
{
    const struct asian_simulation *simulation = &portfolio->simulation;
    struct asian_sums *sums = malloc((size_t)count * sizeof *sums);
    double best_s;
    if (!sums)
        return error_no_memory((size_t)count * sizeof *sums);
    enum dm_status status = best_time(portfolio, device, count, many, sums, &best_s);
    free(sums);
    *speed = count * (double)simulation->paths * simulation->steps / best_s;
    return status;
}

/* A GPU is full only with many options: twice as many as long as that pays. */
static enum dm_status speed_of_gpu(const struct pricing_portfolio *portfolio,
                                   const struct pricing_device *device, double *speed)
{
    double best = 0, found;
    TRY(speed_of(portfolio, device, 1, false, &found));
    for (int count = 2; found > worthwhile * best && count <= portfolio->count; count *= 2) {
        best = found;
        TRY(speed_of(portfolio, device, count, false, &found));
    }
    *speed = fmax(best, found);
    return DM_OK;
}

static enum dm_status measure_here(const struct pricing_portfolio *portfolio,
                                   const struct pricing_device *device, int many, double *speed)
{
    if (device->gpu)
        return speed_of_gpu(portfolio, device, speed);
    int count = many < 1 ? 1 : many < portfolio->count ? many : portfolio->count;
    return speed_of(portfolio, device, count, many > 0, speed);
}

enum dm_status pricing_speed_alone(const struct pricing_portfolio *portfolio,
                                   const struct pricing_device *device, int many, double *speed)
{
    for (int image = 1; image <= caf_num_images(); image++) {
        if (image == caf_this_image())
            TRY(measure_here(portfolio, device, many, speed));
        TRY(caf_sync_all());
    }
    return DM_OK;
}
