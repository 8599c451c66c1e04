/* application_sweep.h: what the command line of partition_applications asks for. */
#ifndef APPLICATION_SWEEP_H
#define APPLICATION_SWEEP_H

#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "application_jobs.h"

/* The options' values as lists of words. */
struct application_lists {
    const char *devices, *splits, *htod, *resolutions, *access, *options;
};

/* All values; a mode is one of each. */
struct application_sweep {
    struct option_numbers devices;
    struct option_words splits, htods, resolutions, accesses, options;
};

/* Every word is looked at, so that a wrong one ends the program before anything is measured.
 * Numbers of devices that are not there are waived and left out. */
struct application_sweep application_sweep_read(struct run *run,
                                                const struct application_lists *lists);
void application_sweep_free(struct application_sweep *sweep);

size_t application_sweep_count(const struct application_sweep *sweep);
/* Mode number `index` of application_sweep_count(). */
struct application_mode application_sweep_mode(const struct application_sweep *sweep, size_t index);

/* Numbers of devices from a list, `all`: powers of two up to what is there, and that, or `most`:
 * that. Those that are not there are waived as rows of the variant and left out. Release with
 * free(values). */
struct option_numbers application_read_devices(struct run *run, const char *variant,
                                               const char *list);

/* Reads name[:n[:iterations]]; ends the program with a sentence if it is none. */
struct application_work application_read_work(const char *word);

/* Reads 128, 32x8, 8x8x4, or default (all 0); ends the program with a sentence if it is none. */
void application_read_block(const char *word, int block[3]);

#endif
