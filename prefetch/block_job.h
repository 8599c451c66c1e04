/* block_job.h: an operation on blocks of one size, for host and GPU alike. */
#ifndef PREFETCH_BLOCK_JOB_H
#define PREFETCH_BLOCK_JOB_H

#include "common/harness/program.h"
#include "prefetch/sip/device_choice.h"
#include "prefetch/sip/tensor.h"

enum { TARGET, A, B, BLOCKS };

/* Blocks by their labels; "" as the second operand: there is none. */
struct operation {
    const char *name;
    const char *labels[BLOCKS];
    enum choice_operation kind;
    void (*reference)(size_t s, double *c, const double *a, const double *b);
};

/* contract, matmul and scale, ended by {0}. */
extern const struct operation block_operations[];

/* Where the time of one execution went; NaN: not on the GPU. */
struct parts {
    double kernel_s, h2d_s, d2h_s;
    bool on_gpu;
};

enum { BEGIN, ARRIVED, COMPUTED, RETURNED, EVENTS };

/* Blocks in page-locked host memory and on the GPU. */
struct block_job {
    const struct operation *operation;
    int segment;
    double work;
    struct tensor host[BLOCKS], gpu[BLOCKS];
    double *expected;                 /* the right result, with -c */
    struct tensor_device *devices[2]; /* by enum choice_device */
    struct device_choice *choice;
    cudaEvent_t events[EVENTS];
};

/* Random operands; memory of the open scope. Ends the program with a sentence if it cannot, as all
 * here. */
void block_job_open(const struct run *run, struct block_job *job, const struct operation *operation,
                    int segment);
void block_job_close(struct block_job *job);

/* With transfers, the operands are copied to the GPU first, and the result back. */
struct parts block_job_on_host(const struct block_job *job);
struct parts block_job_on_gpu(const struct block_job *job, bool with_transfers);
/* Where the run time's choice says, with transfers; it learns the time without them. */
struct parts block_job_chosen(const struct block_job *job);

/* Bytes of all blocks. */
size_t block_job_bytes(const struct block_job *job);

/* Fills the result with no numbers, on host and GPU; then, elements of the host's that are wrong.
 */
void block_job_spoil(const struct block_job *job);
long block_job_wrong(const struct block_job *job);

#endif
