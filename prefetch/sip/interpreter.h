/* interpreter.h: executes the instructions of a program, one function per operation.
 *
 * Every function is one of these. It finds its instruction as worker->current and the one to be
 * executed after it as worker->next, which jumps change. */
#ifndef PREFETCH_SIP_INTERPRETER_H
#define PREFETCH_SIP_INTERPRETER_H

#include "prefetch/sip/worker.h"

typedef enum dm_status instruction_action(struct worker *worker,
                                          const struct sial_instruction *instruction);

/* Runs the program to its end. */
enum dm_status interpreter_run(struct worker *worker);

/* Executes the instructions begin .. end - 1, which leave one number on the stack, and takes it
 * from there. Errors are those of `statement`. */
enum dm_status interpreter_evaluate(struct worker *worker, int statement, int begin, int end,
                                    double *result);

/* interpreter_expressions.c */
instruction_action interpreter_push_number, interpreter_push_scalar, interpreter_push_int,
    interpreter_push_index, interpreter_arithmetic, interpreter_divide_int, interpreter_compare,
    interpreter_logic, interpreter_function, interpreter_store_scalar, interpreter_store_int;

/* interpreter_blocks.c */
instruction_action interpreter_push_dot, interpreter_block_statement, interpreter_allocate,
    interpreter_deallocate;

/* interpreter_loops.c */
instruction_action interpreter_loop_begin, interpreter_loop_end, interpreter_loop_exit;

/* interpreter_flow.c */
instruction_action interpreter_halt, interpreter_jump, interpreter_jump_if_zero, interpreter_call,
    interpreter_return, interpreter_gpu_on, interpreter_gpu_off;

/* interpreter_remote.c */
instruction_action interpreter_get, interpreter_put, interpreter_create, interpreter_delete,
    interpreter_sip_barrier, interpreter_server_barrier, interpreter_collective;

/* interpreter_execute.c */
instruction_action interpreter_execute, interpreter_print_string, interpreter_print_number,
    interpreter_print_end;

/* Leaves loops, the innermost first, until that many are left. */
void interpreter_leave_loops(struct worker *worker, int left);

/* Collective: the map of the array's blocks, for the clause nonzero. */
enum dm_status interpreter_block_map(struct worker *worker, int array,
                                     const struct block_map **map);

/* Looks after puts under way, or waits for all of them; fails if one went wrong. */
enum dm_status interpreter_progress(struct worker *worker);
enum dm_status interpreter_drain(struct worker *worker);

#endif
