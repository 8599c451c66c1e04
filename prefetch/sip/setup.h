/* setup.h: what follows from a program and its configuration before anything runs; the same on all
 * ranks. */
#ifndef PREFETCH_SIP_SETUP_H
#define PREFETCH_SIP_SETUP_H

#include <datamotion/prefetch.h>

#include "prefetch/sial/bytecode.h"

/* The file that errors without a statement name. */
const char *setup_file(const struct prefetch_program *program);

/* Fills in what the configuration leaves open: workers and servers by `ranks`, the wait limit. */
enum dm_status setup_complete(struct prefetch_config *config, int ranks);

/* Lengths of segments by index kind: configured, else the program's own, else the default. */
void setup_segments(const struct prefetch_program *program, const struct prefetch_config *config,
                    int segments[SIAL_INDEX_KINDS]);

/* Blocks that a site is ahead. */
int setup_distance(const struct prefetch_program *program, const struct prefetch_config *config,
                   const struct sial_site *site);

/* All that prefetch_check finds but the split. */
enum dm_status setup_check(const struct prefetch_program *program,
                           const struct prefetch_config *config);

#endif
