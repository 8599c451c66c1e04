/* counters.h: what partition_statistics() tells. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <datamotion/partition_interpose.h>

extern struct partition_statistics counters;

/* Writes the statistics at the program's end to the file that
 * PARTITION_STATISTICS names. */
void counters_at_exit(void);

/* One copy of that many bytes from device to device. */
void counters_add_copy(int from, int to, uint64_t bytes);

#endif
