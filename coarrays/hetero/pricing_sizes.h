/* pricing_sizes.h: how many options an image requests at once (Fanfarillo 2016, 7.4.7 to 7.4.9).
 *
 * Four rules: (1) equal time between requests on all images, (2) work near the throughput's maximum
 * on each, (3) little work at a time near the end, (4) few requests. A learning phase finds the
 * options that take each image as long as a request of the image that sets the pace (rule 1); that
 * image's number serves rules 2 and 4. Rule 3 is followed by numbers that were learnt: an image
 * sees from the counter's advance since its last request what share of all options it takes, and
 * requests at most half its share of those that are left (guided self-scheduling). Numbers given by
 * the user stay as they are, as in the thesis. */
#ifndef COARRAYS_HETERO_PRICING_SIZES_H
#define COARRAYS_HETERO_PRICING_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include <datamotion/coarrays.h>

enum {
    PRICING_SAMPLES = 3,     /* options that an image prices one at a time in a learning phase */
    PRICING_PACE_OPTIONS = 2 /* options per request of the image that sets the pace, if its number
                                is not fixed: the thesis's choice for a CPU */
};

/* One image's numbers in one run over all options. Set the members above the line. */
struct pricing_sizes {
    int options; /* handed out in this run */
    int fixed;   /* options per request from the first to the last; 0: learnt */
    int many;    /* 0, or what this image requests instead of learning: its threads are busy only
                    with several options at once */
    int phases;  /* learning phases, spread evenly over the options; 0 if fixed */
    int pace_image;
    struct caf_coarray
        *pace; /* one word per image: the time of its request, 0: not yet published */
    /* ---- */
    int settled;     /* options per request as given or learnt last */
    int phase;       /* learning phases that this image has begun */
    bool learning;   /* the last of them has not ended */
    int samples;     /* options priced one at a time in this phase */
    double option_s; /* shortest time of an option in this phase */
    int last_first;  /* what the last request returned; -1: there was none */
    int last_count;  /* options that it was for */
    int share_left;  /* half this image's share of what was left then; -1: not known yet */
};

/* Makes the coarray of the pace; free it with caf_free. Collective. Statuses are those of the calls
 * of the coarray library. */
enum dm_status pricing_pace_create(struct caf_coarray **pace);

/* Begins a run. Forgets the pace of earlier ones, so images must synchronise between this and the
 * first request. */
enum dm_status pricing_sizes_start(struct pricing_sizes *sizes);

/* Options to request now: 1 or more. */
int pricing_sizes_next(const struct pricing_sizes *sizes);

/* Notes that a request for `count` options returned `first` as the index of the first of them. */
void pricing_sizes_taken(struct pricing_sizes *sizes, int first, int count);

/* Notes that `count` options were priced in time_s, and learns from it. The seconds that it
 * communicated for this are added to *communication_s. */
enum dm_status pricing_sizes_priced(struct pricing_sizes *sizes, int count, double time_s,
                                    double *communication_s);

#endif
