/* predict.h: how long a round takes, by measured rates of copies and of computing. */
#ifndef BLP_PREDICT_H
#define BLP_PREDICT_H

#include <datamotion/blp_work.h>

/* Seconds of a round of work that is laid out. Computing counts if compute->blocks[0] is not 0. */
double predict_s(const struct blp_work *work, const struct blp_rates *rates,
                 const struct blp_compute *compute);

#endif
