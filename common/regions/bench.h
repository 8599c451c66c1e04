/* bench.h: many ways to execute regions, measured interleaved and verified.
 *
 * A configuration is a way to execute a benchmark's region: a method (naive copies, streams, ring
 * buffers, managed memory, a persistent kernel ...) with its options. Configurations that belong
 * together are measured in one call, so that a drift of the machine hits them alike. */
#ifndef COMMON_REGIONS_BENCH_H
#define COMMON_REGIONS_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "common/harness/measure.h"
#include "common/workloads/benchmark.h"

struct run; /* program.h */

/* How a region is executed. */
struct bench_method {
    /* Prepares, untimed. Fails for lack of memory or because options and region do not go together:
     * then there are no measurements of it. DM_FAILED and DM_LOST end the program. */
    enum dm_status (*open)(const struct dm_region *region, const void *options, void **plan);
    /* Executes all rounds and fills *report and *time_s. */
    enum dm_status (*run)(void *plan, void *report, double *time_s);
    void (*close)(void *plan);
    size_t report_bytes;
};

struct bench_configuration {
    const char *variant;
    struct benchmark *benchmark;
    const struct bench_method *method;
    const void *options; /* of the method */

    /* From here on set by bench_measure; zero before. */
    char *reason;      /* why it cannot be executed; NULL: it was, and the rest is valid */
    bool used_known;   /* whether used_bytes is */
    size_t used_bytes; /* device memory in use while only this plan is open and after its first run,
                          context included and less what others had in use: memory.h */
    struct subject subject; /* its times */
    long errors;            /* wrong elements after the last run; 0 with -c 0 */

    void *plan; /* while it is open */
    size_t plan_bytes;
    void *reports; /* of each run in measure(), warm-up included */
    size_t report_count, report_capacity;
};

/* Opens, measures and verifies (unless -c 0) each configuration that can be executed. Plans stay
 * open together while there is device memory for them; each is run once after it was opened,
 * untimed. Verification runs the plan once more, with results overwritten by NaN before. */
void bench_measure(struct run *run, struct bench_configuration *configurations, size_t count);

/* The report of a repetition that measure() kept. */
const void *bench_report(const struct bench_configuration *configuration, size_t repetition);

/* Releases times, reports and reasons. */
void bench_free(struct bench_configuration *configurations, size_t count);

#endif
