/* link.h: what the link between host and device can do, and the bound that follows from it. */
#ifndef COMMON_REGIONS_LINK_H
#define COMMON_REGIONS_LINK_H

#include <datamotion/region.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rates in byte/s of page-locked copies, and the time that a call costs. */
struct link_rates {
    double to_device;      /* one large copy in */
    double from_device;    /* one large copy out */
    double both;           /* sum of both directions, both busy */
    double both_to_device; /* copies in have this part of `both` */
    double call_s;         /* host time to enqueue one copy, kernel or event, mean */
    double operation_s;    /* device time of a copy or kernel with hardly anything to do, mean, when
                              they follow one another on a stream */
};

/* Measures the current device's link with copies of `bytes`: the best rates of several, median
 * times of calls. DM_NO_MEMORY: no page-locked or device memory for two copies of that length. */
enum dm_status link_measure(struct link_rates *link, size_t bytes);

/* The same of several devices at the same time: links[i] is what the link of devices[i] carries in
 * a direction, or in both, while those of all others are as busy. Of the samples that one counts in
 * which the slowest device was over first. The page-locked memory is obtained with the current
 * device, as that of a loop which devices share. DM_INVALID: no devices, or one that is not there.
 */
enum dm_status link_measure_together(struct link_rates *links, const int *devices, int count,
                                     size_t bytes);

/* The minimum of time in s for so many bytes in and out: both directions as long as there are bytes
 * for both, then the rest in one direction alone. */
double link_time_s(const struct link_rates *link, double in, double out);

/* No execution of one round in chunks of that size can take less: the first chunk's copy in and the
 * last chunk's copy out, which are alone; between them, whatever is longer, all other copies or all
 * kernels. kernel_s: time of all kernels of a round. Source: Cui, 3.4.1 (a speedup of at most 2, at
 * perfect overlap), with both directions told apart. */
double link_bound_s(const struct link_rates *link, const struct dm_region *region, double kernel_s,
                    long chunk_size);

#ifdef __cplusplus
}
#endif
#endif
