/* bench_versions.h: the versions of Cui's chapter 4 as one method of bench.h, and their
 * rows. Source: Cui, 4.3.5 to 4.3.7. */
#ifndef BENCH_VERSIONS_H
#define BENCH_VERSIONS_H

#include "common/harness/record.h"
#include "common/regions/copies.h"
#include "common/regions/bench.h"
#include "common/regions/link.h"

#include <datamotion/blp.h>

enum version {
    VERSION_SYNC,        /* copies by the host, one after the other */
    VERSION_ASYNC,       /* the same, on streams */
    VERSION_GRAPH,       /* async as a CUDA graph */
    VERSION_UM,          /* managed memory, on demand */
    VERSION_UM_PREFETCH, /* managed memory, prefetched in both directions on streams */
    VERSION_BLP,         /* whole arrays on the device */
    VERSION_BLP_BUFFER,  /* ring buffers within a budget */
    VERSION_BLP_DYNAMIC, /* tasks, copies included, from a queue */
    VERSION_BLP_HYBRID,  /* whole arrays; blocks or engines copy, by measured rates */
    VERSION_BLP_ENGINE_IN,
    VERSION_BLP_ENGINE_OUT,
    VERSION_BLP_ENGINES, /* both ways */
    VERSIONS
};

/* Options of version_method. */
struct version_execution {
    enum version version;
    struct copies_options chunks; /* of the first five; the budget of sync and async */
    struct blp_options blp;       /* of the others */
    int blocks_per_sm;            /* that blp.blocks was made of; 0: left to blp */
    bool beside_a_loop;           /* find out what share of its core a run leaves free */
    /* Managed memory on the software GPU: the rest of the device's memory is allocated during a
     * run. 0, and always with CUDA: all of it is there. */
    size_t capacity_bytes;
};

/* Managed memory may be executed with less device memory than it has. */
bool can_oversubscribe(void);

/* Reports are struct version_report. A run of managed memory begins with all pages on the host,
 * where they are brought again afterwards. */
extern const struct bench_method version_method;

struct version_report {
    struct copies_report copies; /* of the first five versions */
    struct blp_report blp;       /* of the others */
    /* The next two are from untimed runs, when the plan was opened. */
    size_t managed_bytes; /* maximum on the device at once, of managed memory */
    double free_share;    /* companion_free_share, mean of several runs; NaN if not requested */
};

/* The columns of record_version, ended by {0}. */
extern const struct column version_columns[];

/* Whether a configuration of a persistent kernel came to be the same as one before it, as the
 * library chose what was left to it. */
bool version_is_repeated(const struct bench_configuration *configurations, size_t number);

/* What bounds an execution: the link's rates, and kernel_seconds of its region. */
struct version_limits {
    struct link_rates link;
    double kernel_s;
};

/* A row per repetition of a measured configuration, or one that says why there is none. */
void record_version(struct run *run, const struct bench_configuration *configuration,
                    const char *dataset, const struct version_limits *limits);

#endif
