/* bench_versions.h: the versions of Cui's chapter 4 as one method of bench.h, and their
 * rows. Source: Cui, 4.3.5 to 4.3.7. */
#ifndef BLP_BENCH_VERSIONS_H
#define BLP_BENCH_VERSIONS_H

#include "common/harness/record.h"
#include "common/regions/copies.h"
#include "common/regions/bench.h"
#include "common/regions/link.h"

#include "blp.h"

enum blp_bench_version {
    BLP_BENCH_SYNC,        /* pipeline's naive */
    BLP_BENCH_ASYNC,       /* pipeline's streams */
    BLP_BENCH_UM,          /* managed memory, on demand */
    BLP_BENCH_UM_PREFETCH, /* managed memory, prefetched in both directions on streams */
    BLP_BENCH_BLP,         /* whole arrays on the device */
    BLP_BENCH_BLP_BUFFER,  /* ring buffers within a budget */
    BLP_BENCH_BLP_DYNAMIC, /* tasks, copies included, from a queue */
    BLP_BENCH_VERSIONS
};

/* Options of blp_bench_method. */
struct blp_bench_execution {
    enum blp_bench_version version;
    struct copies_options chunks; /* of the first four; the budget of sync and async */
    struct blp_options blp;       /* of the others */
    int blocks_per_sm;            /* that blp.blocks was made of; 0: left to blp */
    bool beside_a_loop;           /* find out what share of its core a run leaves free */
    /* Managed memory on the software GPU: the rest of the device's memory is allocated during a
     * run. 0, and always with CUDA: all of it is there. */
    size_t capacity_bytes;
};

/* Managed memory may be executed with less device memory than it has. */
bool blp_bench_can_oversubscribe(void);

/* Reports are struct blp_bench_report. A run of managed memory begins with all pages on the host,
 * where they are brought again afterwards. */
extern const struct bench_method blp_bench_method;

struct blp_bench_report {
    struct copies_report pipeline; /* of the first four versions */
    struct blp_report blp;         /* of the others */
    /* The next two are from untimed runs, when the plan was opened. */
    size_t managed_bytes; /* the most on the device at once, of managed memory */
    double free_share;    /* blp_bench_free_share, mean of several runs; NaN if not asked for */
};

/* The columns of blp_bench_record, ended by {0}. */
extern const struct column blp_bench_columns[];

/* Whether a configuration of a persistent kernel came to be the same as one before it, as the
 * library chose what was left to it. */
bool blp_bench_is_repeated(const struct bench_configuration *configurations, size_t number);

/* A row per repetition of a measured configuration, or one that says why there is none. kernel_s:
 * kernel_seconds of its region. */
void blp_bench_record(struct run *run, const struct bench_configuration *configuration,
                      const char *dataset, const struct link_rates *link, double kernel_s);

#endif
