/* reasons.h: why something does not run on all devices. */
#ifndef REASONS_H
#define REASONS_H

#include <stdbool.h>

#include <datamotion/partition_interpose.h>

/* Room for a reason that is kept; "" stands for none. */
enum { REASON_BYTES = 256 };

/* Keeps the sentence of this thread's last failure. */
void reasons_keep(char kept[REASON_BYTES]);

/* Notes the reason for partition_last_reason() and, unless `quiet`, tells it once for each kernel
 * and reason. */
void reasons_tell(const char *kernel, const char *reason, bool quiet);

#endif
