/* offload.h: loops of OpenACC and OpenMP (offload/) as a method of bench.h. */
#ifndef PIPELINE_OFFLOAD_H
#define PIPELINE_OFFLOAD_H

#include "common/regions/bench.h"

#include "rows.h"

enum offload_model { OFFLOAD_OPENACC, OFFLOAD_OPENMP, OFFLOAD_MODELS };

/* DM_OK if the benchmark has a loop of that model and the loops can run on a GPU here. They are in
 * a shared object beside the program, ../pipeline/offload-openacc.so or -openmp.so, or in the
 * folder that DATAMOTION_OFFLOAD names. DM_UNAVAILABLE, with the reason, if not. */
enum dm_status offload_check(enum offload_model model, const struct benchmark *benchmark);

/* Options are a struct execution whose benchmark is set, chunk size and queues those of copies.
 * Reports are struct copies_report. Two methods, one for each model. */
extern const struct bench_method offload_methods[OFFLOAD_MODELS];

#endif
