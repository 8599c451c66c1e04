/* device_copies.h: a growing list of copies between devices. */
#ifndef DEVICE_COPIES_H
#define DEVICE_COPIES_H

#include "validity.h"

/* Starts from {0}; the owner frees items. */
struct device_copies {
    struct device_copy *items;
    size_t count, capacity;
};

/* Adds what copies `bytes`: few strided runs, or, if not `coalesce`, one copy
 * for each `unit` bytes of an interval. False without memory. */
bool device_copies_add(struct device_copies *copies, int from, int to,
                       const struct intervals *bytes, bool coalesce, int64_t unit);

/* Whether copies of that many bytes can be made; false with the reason. */
bool device_copies_unit_is_valid(bool coalesce, int64_t unit, char reason[PARTITION_REASON]);

/* Says that there was no memory; false. */
bool device_copies_no_memory(char reason[PARTITION_REASON]);

#endif
