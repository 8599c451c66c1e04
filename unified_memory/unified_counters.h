/* unified_counters.h: how much managed memory moved, and how often somebody waited for it.
 *
 * The software GPU counts by itself. With CUDA, CUPTI's records of unified memory are summed up;
 * recording costs time, so a run that is counted is not one that is timed. The driver drops records
 * in silence when its queue is full (seen on an H200: bytes and faults of 1 GiB in one run are too
 * many), hence one run for each, and totals that are compared with what must have moved. */
#ifndef UNIFIED_COUNTERS_H
#define UNIFIED_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum unified_counted { UNIFIED_COUNT_BYTES, UNIFIED_COUNT_FAULTS };

/* What happened between unified_counters_begin and unified_counters_end, on the current device. */
struct unified_traffic {
    bool known; /* bytes and evictions are; false: they mean nothing */
    unsigned long long bytes_to_device;
    unsigned long long bytes_from_device;
    unsigned long long evictions; /* pieces that left a full device; their size is the driver's */
    bool faults_known;
    unsigned long long device_faults; /* CUDA: groups of faults on a page; software GPU: faults */
    unsigned long long host_faults;   /* CUDA: those recorded, there may have been more */
};

/* Starts to count: with CUDA only what is asked for, on the software GPU everything. The device
 * must be idle. */
void unified_counters_begin(enum unified_counted counted);

/* Waits for the device and stops to count. */
void unified_counters_end(struct unified_traffic *traffic);

/* At least so many bytes must have moved. If fewer were recorded, records were lost, and how many
 * bytes moved is not known. */
void unified_counters_require(struct unified_traffic *traffic, size_t to_device,
                              size_t from_device);

/* NULL if traffic can be counted on this machine, else why not, in one sentence. Known after
 * the first unified_counters_begin. */
const char *unified_counters_complaint(void);

#ifdef __cplusplus
}
#endif
#endif
