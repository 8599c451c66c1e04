/* Super instructions and print. */
#include <inttypes.h>
#include <string.h>

#include "prefetch/sip/interpreter.h"
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
            if (execute->arguments[i].kind != SIAL_ARGUMENT_BLOCK ||
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
                       struct super_argument *argument)
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

static bool fill_value(struct worker *worker, const struct sial_argument *from,
                       struct super_argument *argument)
{
    const struct sial_program *program = worker->program;
    argument->kind = from->kind;
    switch (from->kind) {
    case SIAL_ARGUMENT_SCALAR:
        argument->number = worker->scalars[from->position];
        return true;
    case SIAL_ARGUMENT_NUMBER:
        argument->number = program->numbers[from->position];
        return true;
    case SIAL_ARGUMENT_INT:
        argument->number = (double)worker->ints[from->position];
        return true;
    case SIAL_ARGUMENT_INDEX:
        argument->number = worker->values[from->position];
        return worker->values[from->position] != NO_VALUE ||
               worker_fail(worker, "index %s has no value here: use it within a loop over it",
                           program->indices[from->position].name);
    case SIAL_ARGUMENT_STRING:
        argument->string = program->strings[from->position];
        return true;
    default:
        return true; /* blocks are filled in when their data are here */
    }
}

static void set_prefetch(void *worker_state, int blocks)
{
    struct worker *worker = worker_state;
    for (int i = 0; i < worker->program->site_count; i++)
        worker->sites[i].distance = blocks > 0 ? blocks : 0;
}

static bool call(struct worker *worker, const char *name, struct super_argument *arguments,
                 int count)
{
    const struct super_instruction *instruction = sip_super_instruction(name);
    char error[512] = "";
    struct super_context context = {.seed = worker->config->seed,
                                    .worker = worker->number,
                                    .output = worker->number == 0 ? worker->config->output : NULL,
                                    .set_prefetch = set_prefetch,
                                    .worker_state = worker,
                                    .error = error,
                                    .error_bytes = sizeof error};
    double begin_s = worker_now(worker);
    bool good = instruction->run(arguments, count, &context);
    double end_s = worker_now(worker);
    worker->counters->compute_s += end_s - begin_s;
    return worker_event(worker, SIP_EVENT_COMPUTE, begin_s, end_s, -1, -1) &&
           (good || worker_fail(worker, "%s", error));
}

bool interpreter_execute(struct worker *worker, const struct sial_instruction *instruction)
{
    const struct sial_execute *execute = &worker->program->executes[instruction->a];
    const struct sial_special *special = &worker->program->specials[execute->special];
    struct super_argument arguments[SIAL_MOST_ARGUMENTS] = {0};
    struct operand_use uses[MOST_USES];
    int argument_of[MOST_USES];
    for (int i = 0; i < execute->count; i++)
        if (!fill_value(worker, &execute->arguments[i], &arguments[i]))
            return false;
    int blocks = list_blocks(execute, special->signature, uses, argument_of);
    if (!operands_find(worker, uses, blocks) || !operands_data(worker, uses, blocks, HOST_SLOT))
        return false;
    for (int i = 0; i < blocks; i++)
        fill_block(worker, &uses[i], &arguments[argument_of[i]]);
    if (!call(worker, special->name, arguments, execute->count))
        return false;
    for (int i = 0; i < execute->count; i++)
        if (arguments[i].kind == SIAL_ARGUMENT_SCALAR && special->signature[i] != 'r')
            worker->scalars[execute->arguments[i].position] = arguments[i].number;
    return operands_end(worker, uses, blocks, NULL) && interpreter_progress(worker);
}

/* ---- print ---- */

static FILE *output_of(const struct worker *worker)
{
    return worker->number == 0 ? worker->config->output : NULL;
}

bool interpreter_print_string(struct worker *worker, const struct sial_instruction *instruction)
{
    if (output_of(worker))
        fputs(worker->program->strings[instruction->a], output_of(worker));
    return true;
}

bool interpreter_print_number(struct worker *worker, const struct sial_instruction *instruction)
{
    double x = worker->stack[--worker->depth];
    if (output_of(worker) && instruction->a)
        fprintf(output_of(worker), "%" PRId64, (int64_t)x);
    else if (output_of(worker))
        fprintf(output_of(worker), "%.10g", x);
    return true;
}

bool interpreter_print_end(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    FILE *output = output_of(worker);
    if (!output)
        return true;
    putc('\n', output);
    return (fflush(output) == 0 && !ferror(output)) ||
           worker_fail(worker, "what the program prints cannot be written");
}
