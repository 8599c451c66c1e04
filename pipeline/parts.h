/* parts.h: a loop on several GPUs of one host, each of which executes a part of its iterations. */
#ifndef PIPELINE_PARTS_H
#define PIPELINE_PARTS_H

#include "common/regions/copies.h"

struct parts;

/* Plans of `gpus` >= 2 GPUs, from the current one on, with these options each. Errors are those of
 * copies_open; DM_INVALID also: fewer GPUs, or a region that cannot be divided. */
enum dm_status parts_open(struct parts **parts, const struct dm_region *region, int gpus,
                          const struct copies_options *options);

/* The region of the first GPU: what it takes is what the others do. */
struct dm_region parts_first(const struct dm_region *region, int gpus);

/* Executes all rounds: on the calling thread for the current GPU, on one thread each for the
 * others. Sums of all GPUs, but for the time, and chunk size and streams, which are those of one.
 */
enum dm_status parts_run(struct parts *parts, struct copies_report *report);

/* NULL is taken. */
void parts_close(struct parts *parts);

#endif
