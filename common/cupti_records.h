/* cupti_records.h: CUPTI's records of what GPUs did for this process, also for a library or the
 * driver.
 *
 * Only where CUPTI_RECORDS is defined: not on the software GPU, and not where cupti.h was missing
 * when the program was compiled (CUDA 12 and later put it beside cuda.h). The library is loaded at
 * run time, so that programs start where it is missing. CUPTI has one set of callbacks per process,
 * hence one user per program. */
#ifndef COMMON_CUPTI_RECORDS_H
#define COMMON_CUPTI_RECORDS_H

#if !defined(SOFTGPU) && defined(__has_include) && __has_include(<cupti.h>)
#define CUPTI_RECORDS

#include <cupti.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

/* Loads CUPTI and registers who takes the records, one at a time, in a thread of CUPTI's. Once per
 * program. This and the functions below fail with DM_UNAVAILABLE if CUPTI is missing or
 * reports an error. */
enum dm_status cupti_records_open(void (*take)(const CUpti_Activity *record));

/* Which counters of unified memory are on when their records are started. */
enum dm_status cupti_records_configure(CUpti_ActivityUnifiedMemoryCounterConfig *settings,
                                       uint32_t count);

/* Records of these kinds are taken from now on, and lost ones are counted from 0. `kinds` must stay
 * valid until the stop. CUPTI that was opened late, or in a container without the driver's tools
 * device, may accept everything and record nothing: try it first with an operation of known size.
 */
enum dm_status cupti_records_start(const CUpti_ActivityKind *kinds, size_t count);

/* Waits for the device and until all its records were taken, then takes none any more. */
enum dm_status cupti_records_stop(void);

/* How many records CUPTI dropped since the start. */
size_t cupti_records_lost(void);

#endif
#endif
