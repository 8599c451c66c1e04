/* settings.h: the settings of the next virtual GPU. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <datamotion/partition_interpose.h>

/* What partition_configure() said last, else what the environment says. DM_INVALID if a variable of
 * the environment makes no sense. */
enum dm_status settings_now(struct partition_settings *settings);

#endif
