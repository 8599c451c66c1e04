/* Statements that talk to servers or to the other workers. */
#include <stdlib.h>

#include "common/error.h"
#include "prefetch/sip/get.h"
#include "prefetch/sip/interpreter.h"
#include "prefetch/sip/worker_operands.h"

/* What became of puts; `status` is that of the call that reported it. */
static enum dm_status settle_puts(struct worker *worker, enum dm_status status,
                                  const struct put_report *report)
{
    if (status != DM_OK)
        return worker_within(worker, report->statement, status);
    if (report->state == TRANSFER_DONE)
        return DM_OK;
    char name[BLOCK_NAME_BYTES];
    const struct transfer_conflict *conflict = &report->conflict;
    return worker_fail_at(
        worker, report->statement, DM_INVALID,
        "worker %d puts block %s, which worker %d accesses at %s: separate them by a barrier",
        worker->number, worker_block_name(worker, conflict->id.array, conflict->id.number, name),
        conflict->worker, worker_describe(worker, conflict->statement));
}

enum dm_status interpreter_progress(struct worker *worker)
{
    struct put_report report;
    report.statement = worker->current;
    enum dm_status status = transport_progress(worker->transport, &report);
    TRY(settle_puts(worker, status, &report));
    return worker->config->record_events ? get_poll(worker) : DM_OK;
}

enum dm_status interpreter_drain(struct worker *worker)
{
    struct put_report report;
    report.statement = worker->current;
    enum dm_status status = transport_drain(worker->transport, &report);
    return settle_puts(worker, status, &report);
}

enum dm_status interpreter_get(struct worker *worker, const struct sial_instruction *instruction)
{
    TRY(get_statement(worker, instruction->a, instruction->b));
    return interpreter_progress(worker);
}

enum dm_status interpreter_put(struct worker *worker, const struct sial_instruction *instruction)
{
    struct operand_use source = {.operand = instruction->b, .intent = PINNING_READ};
    int array = worker->program->operands[instruction->a].array;
    int64_t number;
    TRY(worker_resolve(worker, instruction->a, &number));
    TRY(operands_find(worker, &source, 1));
    TRY(operands_data(worker, &source, 1, HOST_SLOT));
    double begin_s = worker->config->record_events ? worker_now(worker) : 0.0;
    struct block_id id = {.array = array, .number = number};
    TRY_IN_STATEMENT(worker, transport_put(worker->transport, id, source.tensor.data,
                                           instruction->d == SIAL_ADD, worker->current));
    double end_s = worker->config->record_events ? worker_now(worker) : 0.0;
    TRY(worker_event(worker, PREFETCH_EVENT_PUT, begin_s, end_s, array, number));
    TRY(operands_end(worker, &source, 1, NULL));
    TRY(get_forget(worker, array, number));
    return interpreter_progress(worker);
}

/* ---- arrays ---- */

enum dm_status interpreter_create(struct worker *worker, const struct sial_instruction *instruction)
{
    struct worker_array *array = &worker->arrays[instruction->a];
    if (array->exists)
        return worker_fail(worker, DM_INVALID, "array %s exists already",
                           worker->program->arrays[instruction->a].name);
    array->exists = true;
    return DM_OK;
}

/* What every statement does first that all workers execute together. */
static enum dm_status begin_together(struct worker *worker, double *begin_s)
{
    worker->statement++;
    worker_show(worker);
    TRY(get_forget_all(worker, -1));
    *begin_s = worker_now(worker);
    return interpreter_drain(worker);
}

static enum dm_status end_together(struct worker *worker, double begin_s)
{
    double end_s = worker_now(worker);
    worker->counters->barrier_wait_s += end_s - begin_s;
    return worker_event(worker, PREFETCH_EVENT_BARRIER, begin_s, end_s, -1, -1);
}

static void forget_map(struct worker_array *array)
{
    block_map_destroy(array->map);
    array->map = NULL;
}

enum dm_status interpreter_delete(struct worker *worker, const struct sial_instruction *instruction)
{
    struct worker_array *array = &worker->arrays[instruction->a];
    double begin_s;
    if (!array->exists)
        return worker_fail(worker, DM_INVALID, "array %s does not exist: create it first",
                           worker->program->arrays[instruction->a].name);
    TRY(begin_together(worker, &begin_s));
    TRY_IN_STATEMENT(worker, transport_delete(worker->transport, instruction->a));
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

enum dm_status interpreter_sip_barrier(struct worker *worker,
                                       const struct sial_instruction *instruction)
{
    (void)instruction;
    struct put_report report;
    double begin_s;
    TRY(begin_together(worker, &begin_s));
    report.statement = worker->current;
    enum dm_status status = transport_barrier(worker->transport, &report);
    forget_maps(worker);
    TRY(settle_puts(worker, status, &report));
    return end_together(worker, begin_s);
}

/* transport_flush has a barrier before and one after it. */
enum dm_status interpreter_server_barrier(struct worker *worker,
                                          const struct sial_instruction *instruction)
{
    (void)instruction;
    double begin_s;
    TRY(begin_together(worker, &begin_s));
    TRY_IN_STATEMENT(worker, transport_flush(worker->transport));
    forget_maps(worker);
    return end_together(worker, begin_s);
}

enum dm_status interpreter_collective(struct worker *worker,
                                      const struct sial_instruction *instruction)
{
    double sum, begin_s = worker_now(worker);
    worker_show(worker);
    TRY_IN_STATEMENT(worker,
                     transport_sum(worker->transport, worker->scalars[instruction->b], &sum));
    worker->scalars[instruction->a] += sum;
    return end_together(worker, begin_s);
}

/* ---- the clause nonzero ---- */

/* The list has the blocks that were put before the last barrier; whoever is late still waits in the
 * list's own. */
static enum dm_status make_map(struct worker *worker, int array, struct block_map **map)
{
    const struct sial_array *declared = &worker->program->arrays[array];
    int low[SIAL_RANK_MAX], high[SIAL_RANK_MAX];
    int64_t *numbers;
    size_t count;
    TRY(transport_list(worker->transport, array, &numbers, &count));
    for (int d = 0; d < declared->rank; d++) {
        low[d] = worker->program->indices[declared->indices[d]].low;
        high[d] = worker->program->indices[declared->indices[d]].high;
    }
    enum dm_status status = block_map_create(map, declared->rank, low, high, numbers, count);
    free(numbers);
    return status;
}

enum dm_status interpreter_block_map(struct worker *worker, int array, const struct block_map **map)
{
    struct worker_array *own = &worker->arrays[array];
    double begin_s;
    if (!own->exists)
        return worker_fail(worker, DM_INVALID, "array %s does not exist here: create it first",
                           worker->program->arrays[array].name);
    if (!own->map) {
        TRY(begin_together(worker, &begin_s));
        TRY_IN_STATEMENT(worker, make_map(worker, array, &own->map));
        TRY(end_together(worker, begin_s));
    }
    *map = own->map;
    return DM_OK;
}
