/* wait.h: how the host waits for a persistent kernel. */
#ifndef BLP_WAIT_H
#define BLP_WAIT_H

#include <cuda_runtime.h>

#include <datamotion/status.h>

/* Until `done`, an event that does not make cudaEventSynchronize sleep, has come. *progress, which
 * the kernel writes, has come to about `end` by then; start_s: when it began, by clock_now_s. The
 * host sleeps but for the last fraction of a millisecond, whose length it guesses. */
enum dm_status wait_asleep(cudaEvent_t done, const volatile unsigned *progress, double end,
                           double start_s);

#endif
