/* unified_counters.h: how much managed memory moved, and how often somebody waited for it.
 *
 * The software GPU counts by itself. With CUDA, CUPTI's records of unified memory are summed up;
 * recording costs time, so a run that is counted is not one that is timed. */
#ifndef UNIFIED_COUNTERS_H
#define UNIFIED_COUNTERS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What happened between unified_counters_begin and unified_counters_end, on the current device. */
struct unified_traffic {
    bool known; /* false: the numbers are 0 and mean nothing */
    unsigned long long bytes_to_device;
    unsigned long long bytes_from_device;
    unsigned long long device_faults; /* CUDA: groups of faults on a page; software GPU: faults */
    unsigned long long host_faults;
    unsigned long long evictions; /* pieces that left a full device; their size is the driver's */
};

/* Starts to count. The device must be idle. */
void unified_counters_begin(void);

/* Waits for the device and stops to count. */
void unified_counters_end(struct unified_traffic *traffic);

/* NULL if unified_traffic.known is true on this machine, else why not, in one sentence. Known after
 * the first unified_counters_begin. */
const char *unified_counters_complaint(void);

#ifdef __cplusplus
}
#endif
#endif
