/* interpose_settings.h: the settings of the next virtual GPU. */
#ifndef INTERPOSE_SETTINGS_H
#define INTERPOSE_SETTINGS_H

#include "partition/partition.h"

/* What partition_configure() said last, else what the environment says. False,
 * with the reason, if a variable of the environment makes no sense. */
bool settings_now(struct partition_settings *settings, char reason[PARTITION_REASON]);

#endif
