/* Jumps, procedures, regions of the GPU. */
#include "prefetch/sip/interpreter.h"

enum dm_status interpreter_halt(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    worker->halted = true;
    return DM_OK;
}

enum dm_status interpreter_jump(struct worker *worker, const struct sial_instruction *instruction)
{
    worker->next = instruction->a;
    return DM_OK;
}

enum dm_status interpreter_jump_if_zero(struct worker *worker,
                                        const struct sial_instruction *instruction)
{
    if (worker->stack[--worker->depth] == 0.0)
        worker->next = instruction->a;
    return DM_OK;
}

enum dm_status interpreter_call(struct worker *worker, const struct sial_instruction *instruction)
{
    if (worker->call_count == SIAL_CALLS_MAX)
        return worker_fail(worker, DM_INVALID,
                           "more than %d procedures are active: does one call itself?",
                           SIAL_CALLS_MAX);
    worker->calls[worker->call_count++] =
        (struct active_call){.back = worker->next, .loops = worker->loop_count};
    worker->next = instruction->a;
    return DM_OK;
}

enum dm_status interpreter_return(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    const struct active_call *call = &worker->calls[--worker->call_count];
    interpreter_leave_loops(worker, call->loops);
    worker->next = call->back;
    return DM_OK;
}

enum dm_status interpreter_gpu_on(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    worker->in_gpu_region = true;
    return DM_OK;
}

enum dm_status interpreter_gpu_off(struct worker *worker,
                                   const struct sial_instruction *instruction)
{
    (void)instruction;
    worker->in_gpu_region = false;
    return DM_OK;
}
