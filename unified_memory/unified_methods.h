/* unified_methods.h: explicit copies and managed memory as methods of bench.h. */
#ifndef UNIFIED_METHODS_H
#define UNIFIED_METHODS_H

#include "common/regions/bench.h"

#include "unified_bench.h"

/* Options of both methods. */
struct unified_execution {
    const struct unified_version *version;
    struct benchmark *benchmark;
    struct copies_options options;
    bool oversubscribe;
};

/* Reports are struct copies_report. Before each run the data are on the host, and after it there
 * is nothing on the device: explicit versions hold device memory during runs only, and managed
 * memory goes back to the host. */
extern const struct bench_method unified_explicit_method, unified_managed_method;

/* What moves in a run of managed memory, in a run of its own. */
void unified_count_traffic(const struct unified_execution *execution,
                           struct unified_traffic *traffic);

#endif
