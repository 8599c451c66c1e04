/* course.h: when searches of a batch have found what is good enough. */
#ifndef TUNER_COURSE_H
#define TUNER_COURSE_H

#include <stddef.h>

/* Fills `trials`, ascending, with the trials of each search until it found that share of the best
 * speed; `samples` where it did not, *unmet times. course: of a batch (tuner_batch_result). */
void course_trials(const double *course, size_t searches, size_t samples, double share,
                   double *trials, size_t *unmet);

#endif
