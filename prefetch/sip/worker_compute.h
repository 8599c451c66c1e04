/* worker_compute.h: one operation on blocks, on the host or the GPU. */
#ifndef PREFETCH_SIP_WORKER_COMPUTE_H
#define PREFETCH_SIP_WORKER_COMPUTE_H

#include "prefetch/sip/worker_operands.h"

struct computation {
    enum sial_operation operation; /* SIAL_BLOCK_..., SIAL_PUSH_DOT */
    enum tensor_mode mode;
    double alpha, beta;
    double dot;                 /* the result of SIAL_PUSH_DOT */
    struct operand_use uses[3]; /* sources, then the target, if there is one */
    int count;
};

/* Finds the operands, decides where to compute, computes there. */
enum dm_status compute(struct worker *worker, struct computation *computation);

#endif
