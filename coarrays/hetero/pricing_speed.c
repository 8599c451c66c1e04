#include "pricing_speed.h"

#include <math.h>
#include <stdlib.h>

#include "../bench/images.h"
#include "clock.h"

enum { LEAST_TIMES = 3, GPU_OPTIONS = 8 };
static const double least_s = 0.1;

static double time_of(const struct pricing_portfolio *portfolio,
                      const struct pricing_device *device, int count, bool many,
                      struct asian_sums *sums)
{
    double start_s = clock_now_s();
    pricing_compute(device, &portfolio->simulation, portfolio->options, count, many, sums);
    return clock_now_s() - start_s;
}

static double measure_here(const struct pricing_portfolio *portfolio,
                           const struct pricing_device *device, int many)
{
    int wanted = many > 0 ? many : device->gpu ? GPU_OPTIONS : 1;
    int count = wanted < portfolio->count ? wanted : portfolio->count;
    struct asian_sums *sums = allocate_or_fail((size_t)count, sizeof *sums);
    double best_s = INFINITY, all_s = 0;
    for (int times = 0; times < LEAST_TIMES || all_s < least_s; times++) {
        double time_s = time_of(portfolio, device, count, many > 0, sums);
        best_s = fmin(best_s, time_s);
        all_s += time_s;
    }
    free(sums);
    return count * (double)portfolio->simulation.paths * portfolio->simulation.steps / best_s;
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
