/* Jumps, procedures, regions of the GPU. */
#include "prefetch/sip/interpreter.h"

bool interpreter_halt(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    worker->halted = true;
    return true;
}

bool interpreter_jump(struct worker *worker, const struct sial_instruction *instruction)
{
    worker->next = instruction->a;
    return true;
}

bool interpreter_jump_if_zero(struct worker *worker, const struct sial_instruction *instruction)
{
    if (worker->stack[--worker->depth] == 0.0)
        worker->next = instruction->a;
    return true;
}

bool interpreter_call(struct worker *worker, const struct sial_instruction *instruction)
{
    if (worker->call_count == SIAL_MOST_CALLS)
        return worker_fail(worker, "more than %d procedures are active: does one call itself?",
                           SIAL_MOST_CALLS);
    worker->calls[worker->call_count++] =
        (struct active_call){.back = worker->next, .loops = worker->loop_count};
    worker->next = instruction->a;
    return true;
}

bool interpreter_return(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    const struct active_call *call = &worker->calls[--worker->call_count];
    interpreter_leave_loops(worker, call->loops);
    worker->next = call->back;
    return true;
}

bool interpreter_gpu_on(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    worker->in_gpu_region = true;
    return true;
}

bool interpreter_gpu_off(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    worker->in_gpu_region = false;
    return true;
}
