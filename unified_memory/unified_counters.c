/* unified_counters.c: totals that are too small to be true. */
#include "unified_counters.h"

void unified_counters_require(struct unified_traffic *traffic, size_t to_device, size_t from_device)
{
    if (traffic->bytes_to_device < to_device || traffic->bytes_from_device < from_device)
        traffic->known = false;
}
