/* Statements that talk to servers or to the other workers. */
#include <stdlib.h>

#include "prefetch/sip/get.h"
#include "prefetch/sip/interpreter.h"
#include "prefetch/sip/worker_operands.h"

bool interpreter_put_state(struct worker *worker, enum transfer_state state, int statement,
                           const struct transfer_conflict *conflict,
                           const struct transport_error *error)
{
    if (state == TRANSFER_DONE)
        return true;
    if (state != TRANSFER_CONFLICT)
        return worker_fail_at(worker, statement, "%s", error->text);
    char name[BLOCK_NAME_BYTES];
    return worker_fail_at(
        worker, statement,
        "worker %d puts block %s, which worker %d accesses at %s: separate them by a barrier",
        worker->number, worker_block_name(worker, conflict->id.array, conflict->id.number, name),
        conflict->worker, worker_describe(worker, conflict->statement));
}

bool interpreter_progress(struct worker *worker)
{
    int statement = worker->current;
    struct transfer_conflict conflict;
    struct transport_error error;
    enum transfer_state state =
        transport_progress(worker->transport, &statement, &conflict, &error);
    return interpreter_put_state(worker, state, statement, &conflict, &error) &&
           (!worker->config->record_events || get_poll(worker));
}

bool interpreter_get(struct worker *worker, const struct sial_instruction *instruction)
{
    return get_statement(worker, instruction->a, instruction->b) && interpreter_progress(worker);
}

bool interpreter_put(struct worker *worker, const struct sial_instruction *instruction)
{
    struct operand_use source = {.operand = instruction->b, .intent = PINNING_READ};
    int array = worker->program->operands[instruction->a].array;
    int64_t number;
    if (!worker_resolve(worker, instruction->a, &number) || !operands_find(worker, &source, 1) ||
        !operands_data(worker, &source, 1, HOST_SLOT))
        return false;
    double begin_s = worker->config->record_events ? worker_now(worker) : 0.0;
    struct transport_error error;
    struct block_id id = {.array = array, .number = number};
    if (!transport_put(worker->transport, id, source.tensor.data, instruction->d == SIAL_ADD,
                       worker->current, &error))
        return worker_fail(worker, "%s", error.text);
    double end_s = worker->config->record_events ? worker_now(worker) : 0.0;
    return worker_event(worker, SIP_EVENT_PUT, begin_s, end_s, array, number) &&
           operands_end(worker, &source, 1, NULL) && get_forget(worker, array, number) &&
           interpreter_progress(worker);
}

/* ---- arrays ---- */

bool interpreter_create(struct worker *worker, const struct sial_instruction *instruction)
{
    struct worker_array *array = &worker->arrays[instruction->a];
    if (array->exists)
        return worker_fail(worker, "array %s exists already",
                           worker->program->arrays[instruction->a].name);
    array->exists = true;
    return true;
}

/* What every statement does first that all workers execute together. */
static bool begin_together(struct worker *worker, double *begin_s)
{
    int statement = worker->current;
    struct transfer_conflict conflict;
    struct transport_error error;
    worker->statement++;
    worker_show(worker);
    if (!get_forget_all(worker, -1))
        return false;
    *begin_s = worker_now(worker);
    enum transfer_state state = transport_drain(worker->transport, &statement, &conflict, &error);
    return interpreter_put_state(worker, state, statement, &conflict, &error);
}

static bool end_together(struct worker *worker, double begin_s)
{
    double end_s = worker_now(worker);
    worker->counters->barrier_wait_s += end_s - begin_s;
    return worker_event(worker, SIP_EVENT_BARRIER, begin_s, end_s, -1, -1);
}

static void forget_map(struct worker_array *array)
{
    block_map_destroy(array->map);
    array->map = NULL;
}

bool interpreter_delete(struct worker *worker, const struct sial_instruction *instruction)
{
    struct worker_array *array = &worker->arrays[instruction->a];
    struct transport_error error;
    double begin_s;
    if (!array->exists)
        return worker_fail(worker, "array %s does not exist: create it first",
                           worker->program->arrays[instruction->a].name);
    if (!begin_together(worker, &begin_s))
        return false;
    if (!transport_delete(worker->transport, instruction->a, &error))
        return worker_fail(worker, "%s", error.text);
    array->exists = false;
    forget_map(array);
    return end_together(worker, begin_s);
}

/* ---- barriers ---- */

static void forget_maps(struct worker *worker)
{
    for (int i = 0; i < worker->program->array_count; i++)
        forget_map(&worker->arrays[i]);
}

bool interpreter_sip_barrier(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    int statement = worker->current;
    struct transfer_conflict conflict;
    struct transport_error error;
    double begin_s;
    if (!begin_together(worker, &begin_s))
        return false;
    enum transfer_state state =
        transport_barrier(worker->transport, NULL, &statement, &conflict, &error);
    forget_maps(worker);
    return interpreter_put_state(worker, state, statement, &conflict, &error) &&
           end_together(worker, begin_s);
}

/* transport_flush has a barrier before and one after it. */
bool interpreter_server_barrier(struct worker *worker, const struct sial_instruction *instruction)
{
    (void)instruction;
    struct transport_error error;
    double begin_s;
    if (!begin_together(worker, &begin_s))
        return false;
    if (!transport_flush(worker->transport, &error))
        return worker_fail(worker, "%s", error.text);
    forget_maps(worker);
    return end_together(worker, begin_s);
}

bool interpreter_collective(struct worker *worker, const struct sial_instruction *instruction)
{
    struct transport_error error;
    double sum, begin_s = worker_now(worker);
    worker_show(worker);
    if (!transport_sum(worker->transport, worker->scalars[instruction->b], &sum, &error))
        return worker_fail(worker, "%s", error.text);
    worker->scalars[instruction->a] += sum;
    return end_together(worker, begin_s);
}

/* ---- the clause nonzero ---- */

static struct block_map *make_map(struct worker *worker, int array, const int64_t *numbers,
                                  size_t count)
{
    const struct sial_array *declared = &worker->program->arrays[array];
    int low[SIAL_MOST_RANK], high[SIAL_MOST_RANK];
    for (int d = 0; d < declared->rank; d++) {
        low[d] = worker->program->indices[declared->indices[d]].low;
        high[d] = worker->program->indices[declared->indices[d]].high;
    }
    struct block_map *map = block_map_create(declared->rank, low, high, numbers, count);
    if (!map)
        worker_fail_memory(worker);
    return map;
}

/* The list has the blocks that were put before the last barrier; whoever is late still waits in the
 * list's own. */
const struct block_map *interpreter_block_map(struct worker *worker, int array)
{
    struct worker_array *own = &worker->arrays[array];
    int64_t *numbers = NULL;
    size_t count = 0;
    struct transport_error error;
    double begin_s;
    if (!own->exists) {
        worker_fail(worker, "array %s does not exist here: create it first",
                    worker->program->arrays[array].name);
        return NULL;
    }
    if (own->map)
        return own->map;
    if (!begin_together(worker, &begin_s))
        return NULL;
    if (!transport_list(worker->transport, array, &numbers, &count, &error)) {
        worker_fail(worker, "%s", error.text);
        return NULL;
    }
    own->map = make_map(worker, array, numbers, count);
    free(numbers);
    return own->map && end_together(worker, begin_s) ? own->map : NULL;
}
