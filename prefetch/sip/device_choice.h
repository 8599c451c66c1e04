/* device_choice.h: host or GPU for one operation on blocks, by measured cost (Peshne 2018, 1.1
 * and 3.5: which is faster depends on the size of the blocks, on the GPU and on the transfers).
 *
 * The cost of a device is what the operation took there before, the median of the newest times of
 * operations of the same kind and about the same work (a power of two), plus the transfer of the
 * operands that are not there, from the measured latency and rate of copies. What was not tried
 * three times is tried, on the host first: the first time warms up. The device that looks slower is
 * tried again after 8 operations, then after 16 and so on up to 512: a choice that disturbed times
 * made is corrected, and a right one costs one operation in 512 in the long run. */
#ifndef PREFETCH_SIP_DEVICE_CHOICE_H
#define PREFETCH_SIP_DEVICE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

#include "common/gpu.h"

enum choice_device { CHOICE_HOST, CHOICE_GPU };

enum choice_operation {
    CHOICE_FILL,
    CHOICE_COPY,
    CHOICE_SUM,
    CHOICE_CONTRACT,
    CHOICE_DOT,
    CHOICE_SCALE,
    CHOICE_SPECIAL,
    CHOICE_OPERATIONS
};

struct device_choice;

/* Measures the latency and rate of copies between page-locked host memory and the current GPU, both
 * ways (a few ms). On error *choice is NULL. */
enum dm_status device_choice_create(struct device_choice **choice);
void device_choice_destroy(struct device_choice *choice);

/* work: floating-point operations, or elements for operations without any. to_gpu_bytes: operands
 * that only the host has (needed if the GPU computes); to_host_bytes: operands that only the GPU
 * has (needed if the host computes). */
enum choice_device device_choice_decide(struct device_choice *choice,
                                        enum choice_operation operation, double work,
                                        size_t to_gpu_bytes, int to_gpu_blocks,
                                        size_t to_host_bytes, int to_host_blocks);

/* What an operation took, without transfers, in s. The second time replaces the first, during which
 * workspaces grew and libraries were loaded; of the last five the median counts, so that a single
 * disturbed one does not. Times that are negative or no numbers are ignored. */
void device_choice_learn(struct device_choice *choice, enum choice_operation operation, double work,
                         enum choice_device device, double time_s);

/* The expected cost in s; NaN if never tried. For reports and tests. */
double device_choice_cost(const struct device_choice *choice, enum choice_operation operation,
                          double work, enum choice_device device, size_t transfer_bytes,
                          int transfer_blocks);

/* Decisions so far for a device. */
uint64_t device_choice_count(const struct device_choice *choice, enum choice_device device);

#endif
