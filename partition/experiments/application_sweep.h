/* application_sweep.h: what the command line of partition_applications asks for. */
#ifndef APPLICATION_SWEEP_H
#define APPLICATION_SWEEP_H

#include "common/harness/program.h"

#include "application_jobs.h"

/* All values, most of them targets of options; a mode is one of each. */
struct application_sweep {
    const char *device_list;
    struct option_numbers devices; /* of device_list, when the devices are known */
    struct option_words splits, options;
    struct option_choices htods, resolutions, accesses;
};

/* Finds the devices and looks at every mode, so that a wrong word ends the program before anything
 * is measured. Numbers of devices that are not there are waived and left out. */
void application_sweep_open(struct run *run, struct application_sweep *sweep);

size_t application_sweep_count(const struct application_sweep *sweep);
/* Mode number `index` of application_sweep_count(). */
struct application_mode application_sweep_mode(const struct application_sweep *sweep, size_t index);

/* Reads name[:n[:iterations]]; ends the program with a sentence if it is none. */
struct application_work application_read_work(const char *word);

/* Reads 128, 32x8, 8x8x4, or default (all 0); ends the program with a sentence if it is none. */
void application_read_block(const char *word, int block[3]);

#endif
