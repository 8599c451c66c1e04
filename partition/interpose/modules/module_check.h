/* module_check.h: whether a data base is of the module that the program loads. */
#ifndef MODULE_CHECK_H
#define MODULE_CHECK_H

#include <datamotion/partition.h>

#include "modules.h"

/* DM_INVALID: it is not, or the module cannot be read; DM_NO_MEMORY. */
enum dm_status module_check(const struct partition_database *database, const struct image *image);

#endif
