/* engine.h: what the copy engines of this process moved, as CUPTI recorded it: for copies that a
 * library starts, such as an MPI that was given device pointers. */
#ifndef RDMA_ENGINE_H
#define RDMA_ENGINE_H

#include <stddef.h>

#include <datamotion/status.h>

/* DM_OK if copies are recorded on the current device, else DM_UNAVAILABLE. Tries it with a copy of
 * known size. */
enum dm_status engine_check(void);

/* Between both, copies are recorded; only after engine_check gave DM_OK. The end waits for the
 * device and tells what was moved by engines, and what of it the driver copied a second time, from
 * or to pageable memory. Ends the program if records were lost. */
struct engine_bytes {
    size_t engine, driver;
};
void engine_begin(void);
struct engine_bytes engine_end(void);

#endif
