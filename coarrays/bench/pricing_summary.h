/* pricing_summary.h: what all images together did in one run over all options. */
#ifndef COARRAYS_BENCH_PRICING_SUMMARY_H
#define COARRAYS_BENCH_PRICING_SUMMARY_H

#include "coarrays/hetero/pricing.h"

struct pricing_summary {
    double wait_s, communication_s; /* the largest of all images */
    double first_communication_s;   /* of image 2, if there is one */
    double last_communication_s;    /* of the last image */
    long requests;                  /* of all images */
    int last_per_request;           /* options per request of the last image, as learnt */
};

/* Collective, with the same result everywhere. */
struct pricing_summary pricing_summarize(const struct pricing_job *job);

#endif
