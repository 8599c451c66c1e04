/* batch.h: how many operations a sample times together, so that neither the clock nor the start of
 * the images counts. */
#ifndef COARRAYS_BENCH_BATCH_H
#define COARRAYS_BENCH_BATCH_H

/* Sets *times, the number of operations that `sample` does, to the smallest for which a sample
 * takes at least about BATCH_S, or to 1 if one operation takes that long. `sample` returns the time
 * of one operation, 0 on images that only wait. Collective; not part of the measurement. */
#define BATCH_S 0.5e-3
void batch_calibrate(double (*sample)(void *), void *context, int *times);

#endif
