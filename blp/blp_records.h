/* blp_records.h: a kernel's trace, from the device's memory to the user's. */
#ifndef BLP_RECORDS_H
#define BLP_RECORDS_H

#include "blp_trace.h"
#include "blp_work.h"

/* Replaces the entries of `trace` by those of the last kernel, which has ended. */
void blp_read_records(const struct blp_work *work, struct blp_trace *trace);

#endif
