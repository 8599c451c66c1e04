/* pricing_setting.h: what all runs over a portfolio have in common. */
#ifndef COARRAYS_BENCH_PRICING_SETTING_H
#define COARRAYS_BENCH_PRICING_SETTING_H

#include "coarrays/hetero/pricing.h"
#include "common/harness/program.h"

/* What the user requests. */
struct pricing_wish {
    int64_t options, paths, steps;
    int64_t distinct;   /* options that differ; 0: all */
    int64_t gpu_images; /* the last images, fewer than all */
    int64_t multi;      /* options per request of the last CPU image where it has one thread each */
    struct option_numbers
        threads;     /* of the CPU images; no list: each its part of the host's cores */
    const char *log; /* NULL: none */
};

struct pricing_setting {
    struct pricing_portfolio portfolio;
    struct pricing_device device;
    const char *threads;       /* text */
    int *list, left;           /* options that are not in the log */
    bool *is_done;             /* those that are */
    struct asian_sums *logged; /* and their sums */
    struct pricing_log *log;
    struct asian_sums *expected; /* NULL: unchecked */
    long wrong_prices;
    struct caf_coarray *pace;
    int multi_image; /* the last CPU image */
    int multi;       /* on it the options per request with one thread each, elsewhere 0 */
    double ratio;    /* throughput of this image to that of the first */
    double maximum, maximum_multi; /* throughput of all images, each alone; and if the last CPU
                                      image has one thread per option */
};

/* Checks what is wished for (one sentence ends the job), reads the log, prices all options for the
 * check and measures each image alone. Collective. */
struct pricing_setting pricing_setting_create(struct run *run, const struct pricing_wish *wish);
void pricing_setting_destroy(struct pricing_setting *setting);

/* A run over the options that are left, for pricing_open; its arrays are memory of scope.h. They
 * are handed out by the boss, or by fetch-and-add, then so many per request of the first CPU image
 * (0: learnt, in that many phases). `mth`: the last CPU image has one thread per option. */
struct pricing_job pricing_setting_job(const struct pricing_setting *setting, bool by_boss,
                                       bool mth, int per_request, int phases);

#endif
