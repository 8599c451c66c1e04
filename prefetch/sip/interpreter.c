#include "prefetch/sip/interpreter.h"

#include "common/error.h"

static instruction_action *const actions[SIAL_OPERATIONS] = {
    [SIAL_HALT] = interpreter_halt,
    [SIAL_PUSH_NUMBER] = interpreter_push_number,
    [SIAL_PUSH_SCALAR] = interpreter_push_scalar,
    [SIAL_PUSH_INT] = interpreter_push_int,
    [SIAL_PUSH_INDEX] = interpreter_push_index,
    [SIAL_PUSH_DOT] = interpreter_push_dot,
    [SIAL_PLUS] = interpreter_arithmetic,
    [SIAL_MINUS] = interpreter_arithmetic,
    [SIAL_TIMES] = interpreter_arithmetic,
    [SIAL_DIVIDE] = interpreter_arithmetic,
    [SIAL_DIVIDE_INT] = interpreter_divide_int,
    [SIAL_NEGATE] = interpreter_function,
    [SIAL_SQUARE_ROOT] = interpreter_function,
    [SIAL_ABSOLUTE] = interpreter_function,
    [SIAL_TRUNCATE] = interpreter_function,
    [SIAL_LESS] = interpreter_compare,
    [SIAL_LESS_EQUAL] = interpreter_compare,
    [SIAL_GREATER] = interpreter_compare,
    [SIAL_GREATER_EQUAL] = interpreter_compare,
    [SIAL_EQUAL] = interpreter_compare,
    [SIAL_NOT_EQUAL] = interpreter_compare,
    [SIAL_AND] = interpreter_logic,
    [SIAL_OR] = interpreter_logic,
    [SIAL_NOT] = interpreter_function,
    [SIAL_STORE_SCALAR] = interpreter_store_scalar,
    [SIAL_STORE_INT] = interpreter_store_int,
    [SIAL_COLLECTIVE] = interpreter_collective,
    [SIAL_BLOCK_FILL] = interpreter_block_statement,
    [SIAL_BLOCK_COPY] = interpreter_block_statement,
    [SIAL_BLOCK_SUM] = interpreter_block_statement,
    [SIAL_BLOCK_CONTRACT] = interpreter_block_statement,
    [SIAL_BLOCK_SCALE] = interpreter_block_statement,
    [SIAL_ALLOCATE] = interpreter_allocate,
    [SIAL_DEALLOCATE] = interpreter_deallocate,
    [SIAL_CREATE] = interpreter_create,
    [SIAL_DELETE] = interpreter_delete,
    [SIAL_GET] = interpreter_get,
    [SIAL_PUT] = interpreter_put,
    [SIAL_LOOP_BEGIN] = interpreter_loop_begin,
    [SIAL_LOOP_END] = interpreter_loop_end,
    [SIAL_LOOP_EXIT] = interpreter_loop_exit,
    [SIAL_JUMP] = interpreter_jump,
    [SIAL_JUMP_IF_ZERO] = interpreter_jump_if_zero,
    [SIAL_CALL] = interpreter_call,
    [SIAL_RETURN] = interpreter_return,
    [SIAL_EXECUTE] = interpreter_execute,
    [SIAL_PRINT_STRING] = interpreter_print_string,
    [SIAL_PRINT_NUMBER] = interpreter_print_number,
    [SIAL_PRINT_END] = interpreter_print_end,
    [SIAL_SIP_BARRIER] = interpreter_sip_barrier,
    [SIAL_SERVER_BARRIER] = interpreter_server_barrier,
    [SIAL_GPU_ON] = interpreter_gpu_on,
    [SIAL_GPU_OFF] = interpreter_gpu_off,
};

static enum dm_status execute_next(struct worker *worker)
{
    const struct sial_instruction *instruction = &worker->program->instructions[worker->next++];
    return actions[instruction->operation](worker, instruction);
}

enum dm_status interpreter_run(struct worker *worker)
{
    while (!worker->halted) {
        worker->counters->instructions++;
        worker->current = worker->next;
        TRY(execute_next(worker));
    }
    return DM_OK;
}

enum dm_status interpreter_evaluate(struct worker *worker, int statement, int begin, int end,
                                    double *result)
{
    int current = worker->current, next = worker->next;
    enum dm_status status = DM_OK;
    worker->current = statement;
    for (worker->next = begin; status == DM_OK && worker->next < end;)
        status = execute_next(worker);
    worker->current = current;
    worker->next = next;
    if (status == DM_OK)
        *result = worker->stack[--worker->depth];
    return status;
}
