/* application_modes.h: ways to run an application, as the command line of partition_applications
 * names them. */
#ifndef APPLICATION_MODES_H
#define APPLICATION_MODES_H

#include <datamotion/partition_interpose.h>

/* The words for enum partition_htod, partition_resolution and partition_access; ended by NULL. */
extern const char *const application_htods[], *const application_resolutions[],
                                                  *const application_accesses[];

/* The words are those of the command line. */
struct application_mode {
    int devices;
    const char *split; /* dimensions; "default": what the data base says */
    const char *htod, *resolution, *access;
    const char *options; /* "-", or whole, no-coalesce, no-cache, thesis-grid, spans, joined by + */
};

/* The settings of a mode; ends the program with a sentence at a word that means nothing. What the
 * mode does not name is as the environment has it. */
struct partition_settings application_mode_settings(const struct application_mode *mode);

/* The program as it is, without partitioning. */
struct partition_settings application_mode_off(void);

#endif
