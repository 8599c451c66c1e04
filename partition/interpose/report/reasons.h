/* reasons.h: says why something did not run on all devices. */
#ifndef REASONS_H
#define REASONS_H

#include "partition/partition.h"

/* Notes the reason for partition_last_reason() and, unless `quiet`, writes one
 * line for each kernel and reason. */
void reasons_tell(const char *kernel, const char *reason, bool quiet);

#endif
