/* Super instructions and print. */
#include <inttypes.h>
#include <string.h>

#include "common/error.h"
#include "prefetch/sip/interpreter.h"
#include "prefetch/sip/super_internal.h"
#include "prefetch/sip/worker_operands.h"

static enum pinning_intent intent_of(char letter)
{
    return letter == 'w' ? PINNING_WRITE : letter == 'u' ? PINNING_UPDATE : PINNING_READ;
}

/* What is read first, so that a temp block may be made from another one of its array. */
static int list_blocks(const struct sial_execute *execute, const char *signature,
                       struct operand_use *uses, int *argument_of)
{
    int count = 0;
    for (int written = 0; written <= 1; written++) {
        for (int i = 0; i < execute->count; i++) {
            enum pinning_intent intent = intent_of(signature[i]);
            if (execute->arguments[i].kind != PREFETCH_ARGUMENT_BLOCK ||
                (intent == PINNING_WRITE) != (written == 1))
                continue;
            argument_of[count] = i;
            uses[count++] =
                (struct operand_use){.operand = execute->arguments[i].position, .intent = intent};
        }
    }
    return count;
}

static void fill_block(const struct worker *worker, const struct operand_use *use,
                       struct prefetch_argument *argument)
{
    const struct sial_operand *operand = &worker->program->operands[use->operand];
    argument->block.data = use->tensor.data;
    argument->block.rank = use->tensor.rank;
    for (int d = 0; d < use->tensor.rank; d++) {
        argument->block.extent[d] = use->tensor.extent[d];
        argument->block.segment[d] = worker->values[operand->indices[d]];
    }
    argument->block.number = use->block->number;
    argument->block.array = worker->program->arrays[operand->array].name;
}

static enum dm_status fill_value(struct worker *worker, const struct sial_argument *from,
                                 struct prefetch_argument *argument)
{
    const struct prefetch_program *program = worker->program;
    argument->kind = from->kind;
    switch (from->kind) {
    case PREFETCH_ARGUMENT_SCALAR:
        argument->number = worker->scalars[from->position];
        break;
    case PREFETCH_ARGUMENT_NUMBER:
        argument->number = program->numbers[from->position];
        break;
    case PREFETCH_ARGUMENT_INT:
        argument->number = (double)worker->ints[from->position];
        break;
    case PREFETCH_ARGUMENT_INDEX:
        if (worker->values[from->position] == NO_VALUE)
            return worker_fail_value(worker, from->position);
        argument->number = worker->values[from->position];
        break;
    case PREFETCH_ARGUMENT_STRING:
        argument->string = program->strings[from->position];
        break;
    case PREFETCH_ARGUMENT_BLOCK:
        break; /* is filled in when its data are here */
    }
    return DM_OK;
}

static void set_prefetch(void *worker_state, int blocks)
{
    struct worker *worker = worker_state;
    for (int i = 0; i < worker->program->site_count; i++)
        worker->sites[i].distance = blocks > 0 ? blocks : 0;
}

static enum dm_status call(struct worker *worker, const char *name,
                           struct prefetch_argument *arguments, int count)
{
    const struct prefetch_instruction *instruction = super_find(name);
    struct prefetch_context context = {.seed = worker->config->seed,
                                       .worker = worker->number,
                                       .output =
                                           worker->number == 0 ? worker->config->output : NULL,
                                       .set_prefetch = set_prefetch,
                                       .worker_state = worker};
    double begin_s = worker_now(worker);
    TRY_IN_STATEMENT(worker, instruction->run(arguments, count, &context));
    double end_s = worker_now(worker);
    worker->counters->compute_s += end_s - begin_s;
    return worker_event(worker, PREFETCH_EVENT_COMPUTE, begin_s, end_s, -1, -1);
}

enum dm_status interpreter_execute(struct worker *worker,
                                   const struct sial_instruction *instruction)
{
    const struct sial_execute *execute = &worker->program->executes[instruction->a];
    const struct sial_special *special = &worker->program->specials[execute->special];
    struct prefetch_argument arguments[SIAL_ARGUMENTS_MAX] = {0};
    struct operand_use uses[USES_MAX];
    int argument_of[USES_MAX];
    for (int i = 0; i < execute->count; i++)
        TRY(fill_value(worker, &execute->arguments[i], &arguments[i]));
    int blocks = list_blocks(execute, special->signature, uses, argument_of);
    TRY(operands_find(worker, uses, blocks));
    TRY(operands_data(worker, uses, blocks, HOST_SLOT));
    for (int i = 0; i < blocks; i++)
        fill_block(worker, &uses[i], &arguments[argument_of[i]]);
    TRY(call(worker, special->name, arguments, execute->count));
    for (int i = 0; i < execute->count; i++)
        if (arguments[i].kind == PREFETCH_ARGUMENT_SCALAR && special->signature[i] != 'r')
            worker->scalars[execute->arguments[i].position] = arguments[i].number;
    TRY(operands_end(worker, uses, blocks, NULL));
    return interpreter_progress(worker);
}

/* ---- print ---- */

static FILE *output_of(const struct worker *worker)
{
    return worker->number == 0 ? worker->config->output : NULL;
}

enum dm_status interpreter_print_string(struct worker *worker,
                                        const struct sial_instruction *instruction)
{
    if (output_of(worker))
        fputs(worker->program->strings[instruction->a], output_of(worker));
    return DM_OK;
}

enum dm_status interpreter_print_number(struct worker *worker,
                                        const struct sial_instruction *instruction)
{
    double x = worker->stack[--worker->depth];
    if (output_of(worker) && instruction->a)
        fprintf(output_of(worker), "%" PRId64, (int64_t)x);
    else if (output_of(worker))
        fprintf(output_of(worker), "%.10g", x);
    return DM_OK;
}

enum dm_status interpreter_print_end(struct worker *worker,
                                     const struct sial_instruction *instruction)
{
    (void)instruction;
    FILE *output = output_of(worker);
    if (!output)
        return DM_OK;
    putc('\n', output);
    if (fflush(output) == 0 && !ferror(output))
        return DM_OK;
    return worker_fail(worker, DM_FAILED, "what the program prints cannot be written");
}
