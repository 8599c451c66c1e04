/* rdma_engine.h: what the copy engines of this process moved, as CUPTI recorded it: for copies that
 * a library starts, such as an MPI that was given device pointers. */
#ifndef RDMA_RDMA_ENGINE_H
#define RDMA_RDMA_ENGINE_H

#include <stddef.h>

/* NULL if copies are recorded on the current device, else why not, as a sentence without a stop.
 * Tries it with a copy of known size. The text stays valid. */
const char *rdma_engine_complaint(void);

/* Between both, copies are recorded; only after rdma_engine_complaint gave NULL. The end waits for
 * the device and tells what was moved by engines, and what of it the driver copied once more, from
 * or to pageable memory. Ends the program if records were lost. */
struct rdma_engine_bytes {
    size_t engine, driver;
};
void rdma_engine_begin(void);
struct rdma_engine_bytes rdma_engine_end(void);

#endif
