#include "pricing_speed.h"

#include <math.h>
#include <stdlib.h>

#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/exit.h"

enum { TIMES_MIN = 3 };
static const double time_min_s = 0.1;
static const double worthwhile = 1.05; /* what more options at once must gain to be tried further */

static double time_of(const struct pricing_portfolio *portfolio,
                      const struct pricing_device *device, int count, bool many,
                      struct asian_sums *sums)
{
    double start_s = clock_now_s();
    check_status(
        pricing_compute(device, &portfolio->simulation, portfolio->options, count, many, sums));
    return clock_now_s() - start_s;
}

/* Random values per second with `count` options at once. */
static double speed_of(const struct pricing_portfolio *portfolio,
                       const struct pricing_device *device, int count, bool many)
{
    struct asian_sums *sums = allocate_or_fail((size_t)count, sizeof *sums);
    double best_s = INFINITY, all_s = 0;
    for (int times = 0; times < TIMES_MIN || all_s < time_min_s; times++) {
        double time_s = time_of(portfolio, device, count, many, sums);
        best_s = fmin(best_s, time_s);
        all_s += time_s;
    }
    free(sums);
    return count * (double)portfolio->simulation.paths * portfolio->simulation.steps / best_s;
}

/* A GPU is full only with many options: twice as many as long as that pays. */
static double speed_of_gpu(const struct pricing_portfolio *portfolio,
                           const struct pricing_device *device)
{
    double best = 0, speed = speed_of(portfolio, device, 1, false);
    for (int count = 2; speed > worthwhile * best && count <= portfolio->count; count *= 2) {
        best = speed;
        speed = speed_of(portfolio, device, count, false);
    }
    return fmax(best, speed);
}

static double measure_here(const struct pricing_portfolio *portfolio,
                           const struct pricing_device *device, int many)
{
    if (device->gpu)
        return speed_of_gpu(portfolio, device);
    int count = many < 1 ? 1 : many < portfolio->count ? many : portfolio->count;
    return speed_of(portfolio, device, count, many > 0);
}

double pricing_speed_alone(const struct pricing_portfolio *portfolio,
                           const struct pricing_device *device, int many)
{
    double speed = 0;
    for (int image = 1; image <= caf_num_images(); image++) {
        if (image == caf_this_image())
            speed = measure_here(portfolio, device, many);
        check_caf(caf_sync_all());
    }
    return speed;
}
