/* pricing_log.h: a file of priced options, from which a run that was killed goes on.
 *
 *     asian options 64 paths 16384 steps 64 seed 1
 *     17 0x1.8p+13 0x1.2p+18 0x1.7p+13 0x1.1p+18 8d2f90a1c4b35e67
 *
 * The first line says what is priced. Each further line has an option's number, its sums exactly,
 * and a checksum of the first line and these; lines that are cut, damaged or of other options are
 * as if they were not there. A line is appended by one write() when its option has been priced, so
 * a killed process loses none that it has finished. (A host that loses its power may: nothing is
 * forced to disk.) Images of a host share a file; hosts have one each, or one in common on a shared
 * file system. Two runs may use one file at once: each prices what the other has not finished
 * before it starts. */
#ifndef COARRAYS_HETERO_PRICING_LOG_H
#define COARRAYS_HETERO_PRICING_LOG_H

#include <stdbool.h>

#include "asian.h"

struct pricing_log;

/* Opens the file for a portfolio of `options`, creating it if there is none. sums[i] and is_done[i]
 * of the options that it, or a file of another host, has are set, equally on all images; others
 * are left alone. DM_INVALID if the file is of other options, DM_FAILED if it cannot be used: on
 * all images, with the sentence of the first that could not. Collective. `path` must stay valid. */
enum dm_status pricing_log_open(struct pricing_log **log, const char *path, int options,
                                const struct asian_simulation *simulation, struct asian_sums *sums,
                                bool *is_done);

/* Appends an option. DM_FAILED, as when the disk is full. */
enum dm_status pricing_log_append(struct pricing_log *log, int option,
                                  const struct asian_sums *sums);

/* Every image closes its own. What was appended has been written before. */
void pricing_log_close(struct pricing_log *log);

#endif
