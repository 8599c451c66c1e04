/* parts.h: a loop on several GPUs of one host, each of which executes a part of its iterations. */
#ifndef PIPELINE_PARTS_H
#define PIPELINE_PARTS_H

#include "common/regions/copies.h"
#include "common/regions/link.h"

struct parts;

/* Plans of `gpus` >= 2 GPUs, from the current one on, with these options each. Errors are those of
 * copies_open; DM_INVALID also: fewer GPUs, or a region that cannot be divided. */
enum dm_status parts_open(struct parts **parts, const struct dm_region *region, int gpus,
                          const struct copies_options *options);

/* How many parts there are: fewer than GPUs where there are fewer iterations. */
int parts_count(const struct dm_region *region, int gpus);

/* The region of part `number`. What the first one takes is what the others do. */
struct dm_region parts_region(const struct dm_region *region, int gpus, int number);

/* No execution can take less, with chunks of that size on each GPU: the longest of the parts'
 * bounds. links: of the GPUs, measured together; kernel_s: of all iterations, on one GPU. NAN where
 * there are fewer parts than GPUs, as the links were measured with all of them busy. */
double parts_bound_s(const struct link_rates *links, const struct dm_region *region, int gpus,
                     double kernel_s, long chunk_size);

/* Executes all rounds: on the calling thread for the current GPU, on one thread each for the
 * others. Sums of all GPUs, but for the time, and chunk size and streams, which are those of one.
 */
enum dm_status parts_run(struct parts *parts, struct copies_report *report);

/* NULL is taken. */
void parts_close(struct parts *parts);

#endif
