/* applications.h: the functions of the table in applications.c; see struct application. */
#ifndef PARTITION_APPLICATIONS_H
#define PARTITION_APPLICATIONS_H

#include "application.h"

typedef int application_run_function(const struct application_input *input, void **result,
                                     size_t *result_bytes, struct application_times *times);
typedef int application_reference_function(const struct application_input *input, void **result,
                                           size_t *result_bytes);

application_run_function application_matmul_run, application_matmul_rows_run,
    application_matmul_tiled_run, application_stencil_run, application_stencil9_run,
    application_nbody_run, application_nbody_soft_run, application_stencil3d_run,
    application_conv2d_run, application_reduction_run, application_chain_run,
    application_refine_run, application_histogram_run;

application_reference_function application_matmul_reference, application_stencil_reference,
    application_stencil9_reference, application_nbody_reference, application_nbody_soft_reference,
    application_stencil3d_reference, application_conv2d_reference, application_reduction_reference,
    application_chain_reference, application_refine_reference, application_histogram_reference;

#endif
