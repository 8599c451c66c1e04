/* Loops: their index sets come from an index list, so that get statements can look ahead. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "prefetch/sip/interpreter.h"

/* A where clause on a set that may still be far away. Side effects are undone; ints are those of
 * the loop's begin, because what the body changes must not change sets that were looked at before.
 */
static bool passes_where(void *context, const struct index_set *set)
{
    struct active_loop *loop = context;
    struct worker *worker = loop->worker;
    const struct sial_loop *declared = &worker->program->loops[loop->loop];
    int values[SIAL_RANK_MAX];
    int64_t *ints = worker->ints;
    for (int i = 0; i < declared->count; i++) {
        values[i] = worker->values[declared->indices[i]];
        worker->values[declared->indices[i]] = set->value[i];
    }
    worker->ints = loop->ints;
    double holds = 1.0; /* an error ends the search here, and then the program */
    interpreter_evaluate(worker, loop->body - 1, declared->where_begin, declared->where_end,
                         &holds);
    worker->ints = ints;
    for (int i = 0; i < declared->count; i++)
        worker->values[declared->indices[i]] = values[i];
    return holds != 0.0;
}

static enum loop_kind kind_of(const struct worker *worker, const struct sial_loop *declared)
{
    bool prunes = declared->where_begin != declared->where_end || declared->nonzero >= 0;
    if (!declared->parallel)
        return LOOP_DO;
    switch (worker->config->pardo) {
    case PREFETCH_PARDO_SEQUENTIAL:
        return LOOP_SEQUENTIAL;
    case PREFETCH_PARDO_STATIC:
        return LOOP_STATIC;
    case PREFETCH_PARDO_BALANCED:
        return LOOP_BALANCED;
    case PREFETCH_PARDO_FRAGMENTED:
        return LOOP_FRAGMENTED;
    default:
        return prunes ? LOOP_BALANCED : LOOP_STATIC;
    }
}

/* Clause nonzero: which of the loop's indices is which dimension of the array. Of a static array
 * all blocks exist. */
static enum dm_status set_map(struct worker *worker, struct loop *source,
                              const struct sial_loop *declared)
{
    const struct sial_operand *operand = &worker->program->operands[declared->nonzero];
    if (worker->program->arrays[operand->array].kind == SIAL_STATIC)
        return DM_OK;
    TRY(interpreter_block_map(worker, operand->array, &source->map));
    for (int d = 0; d < worker->program->arrays[operand->array].rank; d++) {
        source->map_index[d] = -1;
        source->map_fixed[d] = worker->values[operand->indices[d]];
        for (int i = 0; i < declared->count; i++)
            if (declared->indices[i] == operand->indices[d])
                source->map_index[d] = i;
        if (source->map_index[d] < 0 && source->map_fixed[d] == NO_VALUE)
            return worker_fail(worker, DM_INVALID,
                               "index %s of the clause nonzero has no value here",
                               worker->program->indices[operand->indices[d]].name);
    }
    return DM_OK;
}

static enum dm_status copy_ints(struct active_loop *loop)
{
    const struct worker *worker = loop->worker;
    size_t bytes = (size_t)worker->program->int_count * sizeof *loop->ints;
    loop->ints = malloc(bytes ? bytes : 1);
    if (!loop->ints)
        return error_no_memory(bytes);
    memcpy(loop->ints, worker->ints, bytes);
    return DM_OK;
}

static enum dm_status set_source(struct active_loop *loop, const struct sial_loop *declared)
{
    struct worker *worker = loop->worker;
    struct loop *source = &loop->source;
    source->kind = kind_of(worker, declared);
    source->count = declared->count;
    source->worker = worker->number;
    source->workers = worker->workers;
    for (int i = 0; i < declared->count; i++) {
        const struct sial_index *index = &worker->program->indices[declared->indices[i]];
        if (worker->values[declared->indices[i]] != NO_VALUE)
            return worker_fail(worker, DM_INVALID,
                               "index %s has a value already: a loop over it is active",
                               index->name);
        source->low[i] = index->low;
        source->high[i] = index->high;
    }
    if (declared->where_begin != declared->where_end) {
        source->valid = passes_where;
        source->valid_context = loop;
        TRY_IN_STATEMENT(worker, copy_ints(loop));
    }
    return declared->nonzero < 0 ? DM_OK : set_map(worker, source, declared);
}

static enum dm_status open_loop(struct active_loop *loop)
{
    struct worker *worker = loop->worker;
    TRY(set_source(loop, &worker->program->loops[loop->loop]));
    struct index_source source = loop_source(&loop->source);
    TRY_IN_STATEMENT(
        worker, index_list_open(&loop->list, &source, worker->sites_of_loop[loop->loop], NULL));
    return DM_OK;
}

/* How long the loop was is known now. */
static void complete_waits(struct worker *worker, const struct active_loop *loop)
{
    struct prefetch_result *result = worker->result;
    for (size_t i = loop->first_wait; i < result->wait_count; i++)
        if (worker->program->sites[result->waits[i].site].loop == loop->loop)
            result->waits[i].loop_length = loop->iteration + 1;
}

static void leave_loop(struct worker *worker)
{
    struct active_loop *loop = &worker->loops[--worker->loop_count];
    const struct sial_loop *declared = &worker->program->loops[loop->loop];
    complete_waits(worker, loop);
    for (int i = 0; i < declared->count; i++)
        worker->values[declared->indices[i]] = NO_VALUE;
    index_list_close(loop->list);
    free(loop->ints);
    worker->loop_of[loop->loop] = NULL;
}

void interpreter_leave_loops(struct worker *worker, int left)
{
    while (worker->loop_count > left)
        leave_loop(worker);
}

/* Gives the indices their next values and goes to the body, or past the end. */
static enum dm_status advance(struct worker *worker)
{
    struct active_loop *loop = &worker->loops[worker->loop_count - 1];
    const struct sial_loop *declared = &worker->program->loops[loop->loop];
    struct index_set set;
    bool more = index_list_update(loop->list, &set);
    if (worker->failed != DM_OK)
        return worker->failed; /* of a where clause */
    if (!more) {
        worker->next = declared->end;
        leave_loop(worker);
        return DM_OK;
    }
    for (int i = 0; i < declared->count; i++)
        worker->values[declared->indices[i]] = set.value[i];
    loop->iteration++;
    loop->first_statement = worker->statement + 1;
    worker->next = loop->body;
    return DM_OK;
}

enum dm_status interpreter_loop_begin(struct worker *worker,
                                      const struct sial_instruction *instruction)
{
    if (worker->loop_count == SIAL_NESTED_MAX)
        return worker_fail(worker, DM_INVALID, "more than %d loops are active", SIAL_NESTED_MAX);
    struct active_loop *loop = &worker->loops[worker->loop_count];
    *loop = (struct active_loop){.worker = worker,
                                 .loop = instruction->a,
                                 .body = worker->next,
                                 .iteration = -1,
                                 .first_wait = worker->result->wait_count};
    enum dm_status status = open_loop(loop);
    if (status != DM_OK) {
        free(loop->ints);
        return status;
    }
    worker->loop_of[loop->loop] = loop;
    worker->loop_count++;
    return advance(worker);
}

enum dm_status interpreter_loop_end(struct worker *worker,
                                    const struct sial_instruction *instruction)
{
    (void)instruction;
    return advance(worker);
}

enum dm_status interpreter_loop_exit(struct worker *worker,
                                     const struct sial_instruction *instruction)
{
    const struct active_loop *loop = worker->loop_of[instruction->a];
    worker->next = worker->program->loops[instruction->a].end;
    interpreter_leave_loops(worker, (int)(loop - worker->loops));
    return DM_OK;
}
