/* pricing.h: a portfolio of Asian options, priced by several images that take options from image 1
 * as they get ready (Fanfarillo 2016, 7.4.2 to 7.4.9). */
#ifndef COARRAYS_HETERO_PRICING_H
#define COARRAYS_HETERO_PRICING_H

#include <stdbool.h>

#include "asian.h"
#include "asian_device.h"
#include "pricing_log.h"
#include "pricing_sizes.h"
#include "tasks_counter.h"

/* What is to be priced: equal on all images. */
struct pricing_portfolio {
    struct asian_simulation simulation;
    int count;
    int distinct; /* option i is option i % distinct: only these are checked */
    struct asian_option *options;
};

/* What this image computes with: `threads` of the CPU, or a GPU, if that is not NULL. */
struct pricing_device {
    int threads;
    struct asian_device *gpu;
};

/* How options get to the images. */
enum pricing_way {
    PRICING_BOSS,     /* messages to a thread of image 1, one option per request */
    PRICING_FETCH_ADD /* an atomic fetch-and-add on a counter of image 1 */
};

/* What this image did in one run. The run's time is the largest busy_s of all images. */
struct pricing_account {
    double busy_s; /* from the common start until it learnt that no option is left */
    double wait_s; /* from then on until all images had */
    double communication_s;
    int requests;
};

/* One way of handing out `left` options, which are named in `list`, from start to end. */
struct pricing_job {
    const struct pricing_portfolio *portfolio;
    struct pricing_device device;
    enum pricing_way way;
    const int *list;
    int left;
    struct pricing_sizes sizes;
    struct pricing_log *log; /* NULL: none */
    /* The caller's arrays, an element per option of the portfolio. */
    struct asian_sums *sums; /* set by the image that prices it; before: what the log has */
    int *priced;             /* how often this image did */
    struct pricing_account account;
    /* Inside. */
    void *boss;
    struct tasks_counter counter;
    struct asian_option *request; /* the options of one request */
    struct asian_sums *request_sums;
};

/* Makes what the job needs, when the members up to `priced` are set. Collective, as all of these.
 * DM_NO_MEMORY, or as the call of MPI or the coarray library that failed. */
enum dm_status pricing_open(struct pricing_job *job);
void pricing_close(struct pricing_job *job);

/* No option has been handed out. To be called before each run. */
enum dm_status pricing_reset(struct pricing_job *job);

/* Prices all options and fills `account`. Errors of the device, of the log, of MPI and of the
 * coarray library; afterwards only pricing_close is left. */
enum dm_status pricing_run(struct pricing_job *job);

/* sums[i] of options[i] for all i < count by the device, by this image alone. `many`: a CPU has one
 * thread per option. DM_NO_MEMORY, or an error of the device. */
enum dm_status pricing_compute(const struct pricing_device *device,
                               const struct asian_simulation *simulation,
                               const struct asian_option *options, int count, bool many,
                               struct asian_sums *sums);

#endif
