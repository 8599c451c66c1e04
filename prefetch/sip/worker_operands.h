/* worker_operands.h: the blocks that one statement names, from the table to data on a device.
 *
 *   static  all blocks exist, zero
 *   temp    one block of the array at a time; writing another one replaces it
 *   local   from allocate to deallocate, zero at first
 *   distributed, served   fetched copies, to read
 */
#ifndef PREFETCH_SIP_WORKER_OPERANDS_H
#define PREFETCH_SIP_WORKER_OPERANDS_H

#include "prefetch/sip/worker.h"

struct operand_use {
    int operand;
    enum pinning_intent intent;
    struct table_block *block;
    struct tensor tensor;
};

enum { USES_MAX = SIAL_ARGUMENTS_MAX };

/* Begins a statement: finds the blocks; waits for fetched ones; makes and replaces temp ones. What
 * is read comes before what is written, because a temp block may be replaced by one that is made
 * from it. */
enum dm_status operands_find(struct worker *worker, struct operand_use *uses, int count);

/* Brings their data to the slot; the tensors have the pointers there. */
enum dm_status operands_data(struct worker *worker, struct operand_use *uses, int count, int slot);

/* Ends the statement. stream: of the work that uses the data; NULL: it is done. */
enum dm_status operands_end(struct worker *worker, struct operand_use *uses, int count,
                            cudaStream_t stream);

/* A new block of this worker's own, within the memory limit. */
enum dm_status operands_add_own(struct worker *worker, int array, int64_t number,
                                struct table_block **block);

#endif
