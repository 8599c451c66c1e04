/* methods.h: explicit copies and managed memory as methods of regions/bench.h. */
#ifndef UNIFIED_MEMORY_METHODS_H
#define UNIFIED_MEMORY_METHODS_H

#include <datamotion/unified_memory.h>

#include "common/regions/bench.h"
#include "common/regions/copies.h"

/* Options of both methods below. */
struct execution {
    const char *variant;
    bool is_managed;
    struct benchmark *benchmark;
    struct unified_config managed; /* chunk size and streams are those of copies, too */
    enum copies_version copies;
    size_t budget_bytes; /* of copies; 0: what is free */
};

/* Reports are struct copies_report; of managed memory, whose prefetches stand for copies, only
 * counts are set. Before each run the data are on the host, and after it there is nothing on the
 * device: copies hold device memory during runs only, and managed memory goes back to the host. */
extern const struct bench_method copies_method, managed_method;

/* What moves in a run of managed memory, in a run of its own. */
enum dm_status count_traffic(const struct execution *execution, struct unified_traffic *traffic);

#endif
