/* device_copies.h: a growing list of copies between devices. */
#ifndef DEVICE_COPIES_H
#define DEVICE_COPIES_H

#include "intervals.h"

/* Starts from {0}; the owner frees items. */
struct device_copies {
    struct partition_copy *items;
    size_t count, capacity;
};

/* Adds what copies `bytes`: few strided runs, or, if not `coalesce`, one copy for each `unit` bytes
 * of a range. DM_NO_MEMORY. */
enum dm_status device_copies_add(struct device_copies *copies, int from, int to,
                                 const struct partition_intervals *bytes, bool coalesce,
                                 int64_t unit);

/* DM_INVALID: copies of that many bytes cannot be made. */
enum dm_status device_copies_check_unit(bool coalesce, int64_t unit);

#endif
