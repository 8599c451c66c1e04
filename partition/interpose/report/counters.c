/* counters.c: statistics of the run time. */
#include "counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tell.h"

struct partition_statistics counters;

void partition_statistics(struct partition_statistics *statistics)
{
    *statistics = counters;
}

void partition_statistics_reset(void)
{
    counters = (struct partition_statistics){0};
}

void counters_add_copy(int from, int to, uint64_t bytes)
{
    enum { PAIRS = sizeof counters.pair_bytes / sizeof *counters.pair_bytes };
    counters.d2d_bytes += bytes;
    counters.d2d_copies++;
    if (from < PAIRS && to < PAIRS)
        counters.pair_bytes[from][to] += bytes;
}

static void write_counters(FILE *file)
{
#define SECONDS(name) fprintf(file, #name " %.9f\n", counters.name)
#define COUNT(name)   fprintf(file, #name " %" PRIu64 "\n", counters.name)
    SECONDS(kernel_s);
    SECONDS(sync_comm_s);
    SECONDS(dep_calc_s);
    SECONDS(interval_s);
    SECONDS(delin_s);
    SECONDS(dr_create_s);
    SECONDS(partition_s);
    SECONDS(gather_interval_s);
    COUNT(htod_bytes);
    COUNT(dtoh_bytes);
    COUNT(d2d_bytes);
    COUNT(htod_copies);
    COUNT(dtoh_copies);
    COUNT(d2d_copies);
    COUNT(allocated_bytes);
    COUNT(requested_bytes);
    COUNT(launches);
    COUNT(one_device);
    COUNT(kl_created);
    COUNT(aa_created);
    COUNT(dr_created);
#undef SECONDS
#undef COUNT
}

static void write_at_exit(void)
{
    const char *name = getenv("PARTITION_STATISTICS");
    if (!name || !*name)
        return;
    bool to_stderr = !strcmp(name, "-");
    FILE *file = to_stderr ? stderr : fopen(name, "w");
    if (!file) {
        tell("cannot write the statistics to %s", name);
        return;
    }
    write_counters(file);
    if (!to_stderr && fclose(file))
        tell("cannot write the statistics to %s", name);
}

void counters_at_exit(void)
{
    static bool registered;
    if (!registered)
        registered = !atexit(write_at_exit);
}
