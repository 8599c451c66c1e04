#include "prefetch/sip/get.h"

#include <stdlib.h>

#include "common/error.h"
#include "prefetch/sip/transport.h"

/* ---- requests ---- */

static struct block_list *list_of(struct worker *worker, const struct table_block *block)
{
    return block->state == FETCH_EVICTED ? &worker->table.evicted : &worker->table.fetched;
}

static void set_state(struct worker *worker, struct table_block *block, enum fetch_state state)
{
    if (block->state != FETCH_NONE)
        list_remove(list_of(worker, block), block);
    block->state = state;
    list_append(list_of(worker, block), block);
}

static enum dm_status send_request(struct worker *worker, struct table_block *block)
{
    double *target;
    struct block_id id = {.array = block->array, .number = block->number};
    TRY_IN_STATEMENT(
        worker, memory_access(&worker->memory, &block->data, HOST_SLOT, PINNING_WRITE, &target));
    enum dm_status status =
        transport_get(worker->transport, id, target, block->instruction, &block->transfer);
    return status == DM_OK ? DM_OK : worker_within(worker, block->instruction, status);
}

/* Room has been made. *block may be NULL: new, else evicted. */
static enum dm_status request(struct worker *worker, struct table_block **requested, int array,
                              int64_t number, bool ahead)
{
    double begin_s = worker->config->record_events ? worker_now(worker) : 0.0;
    if (!*requested)
        TRY_IN_STATEMENT(worker, table_add(&worker->table, array, number, requested));
    struct table_block *block = *requested;
    if (block->state == FETCH_NONE)
        block->instruction = worker->current;
    TRY_IN_STATEMENT(worker, table_add_data(&worker->table, block, worker->arrays[array].elements));
    set_state(worker, block, FETCH_HERE);
    block->read = false;
    block->ahead = ahead;
    block->statement = worker->statement;
    TRY(send_request(worker, block));
    block->state = FETCH_PENDING;
    ++*(ahead ? &worker->counters->prefetches : &worker->counters->gets);
    if (!worker->config->record_events)
        return DM_OK;
    return worker_event(worker, PREFETCH_EVENT_REQUEST, begin_s, worker_now(worker), array, number);
}

static size_t bytes_of(const struct worker *worker, int array)
{
    return worker->arrays[array].elements * sizeof(double);
}

static enum dm_status request_needed(struct worker *worker, struct table_block **block, int array,
                                     int64_t number)
{
    TRY(worker_room(worker, bytes_of(worker, array), worker->statement));
    return request(worker, block, array, number, false);
}

/* ---- prefetching ---- */

/* The operand's block in another iteration of the loop; -1: the array has none there. */
static int64_t block_ahead(const struct worker *worker, int operand, const struct active_loop *loop,
                           const struct index_set *set)
{
    const struct sial_operand *block = &worker->program->operands[operand];
    const struct sial_loop *declared = &worker->program->loops[loop->loop];
    int values[SIAL_RANK_MAX];
    for (int d = 0; d < worker->program->arrays[block->array].rank; d++) {
        values[d] = worker->values[block->indices[d]];
        for (int i = 0; i < declared->count; i++)
            if (declared->indices[i] == block->indices[d])
                values[d] = set->value[i];
    }
    return sial_block_number(worker->program, block->array, values);
}

/* The next block ahead, unless it is requested or here already. */
static enum dm_status prefetch_next(struct worker *worker, int operand,
                                    const struct active_loop *loop, const struct index_set *set)
{
    int array = worker->program->operands[operand].array;
    int64_t number = block_ahead(worker, operand, loop, set);
    if (number < 0)
        return DM_OK; /* the iteration itself will say so */
    struct table_block *block = table_find(&worker->table, array, number);
    if (block && block->state != FETCH_EVICTED)
        return DM_OK;
    return request(worker, &block, array, number, true);
}

static enum dm_status prefetch(struct worker *worker, int operand, int site,
                               struct active_loop *loop)
{
    size_t bytes = bytes_of(worker, worker->program->operands[operand].array);
    const struct worker_site *own = &worker->sites[site];
    struct index_set set;
    while (index_list_ahead(loop->list, own->in_list) < (size_t)own->distance) {
        bool room;
        TRY(worker_room_ahead(worker, bytes, loop->first_statement, &room));
        if (!room || !index_list_prefetch(loop->list, own->in_list, &set))
            break;
        TRY(prefetch_next(worker, operand, loop, &set));
    }
    return worker->failed; /* a where clause may have failed on the way */
}

/* ---- the statement ---- */

static enum dm_status lengthen_waits(struct worker *worker)
{
    size_t capacity = worker->wait_capacity ? 2 * worker->wait_capacity : 256;
    struct prefetch_wait *waits = realloc(worker->result->waits, capacity * sizeof *waits);
    if (!waits)
        return error_no_memory(capacity * sizeof *waits);
    worker->result->waits = waits;
    worker->wait_capacity = capacity;
    return DM_OK;
}

static enum dm_status note_get(struct worker *worker, struct table_block *block, int site,
                               double get_s)
{
    if (!worker->config->record_waits)
        return DM_OK;
    struct prefetch_result *result = worker->result;
    if (result->wait_count == worker->wait_capacity)
        TRY_IN_STATEMENT(worker, lengthen_waits(worker));
    int loop = worker->program->sites[site].loop;
    block->wait = (long)result->wait_count;
    result->waits[result->wait_count++] =
        (struct prefetch_wait){.site = site,
                               .iteration = loop >= 0 ? worker->loop_of[loop]->iteration : 0,
                               .loop_length = loop >= 0 ? 0 : 1,
                               .get_s = get_s};
    return DM_OK;
}

enum dm_status get_statement(struct worker *worker, int operand, int site)
{
    double begin_s = worker_now(worker), waited_s = worker->counters->block_wait_s;
    int array = worker->program->operands[operand].array;
    int64_t number;
    TRY(worker_resolve(worker, operand, &number));
    worker->statement++;
    worker_show(worker);
    struct table_block *block = table_find(&worker->table, array, number);
    if (!block || block->state == FETCH_EVICTED)
        TRY(request_needed(worker, &block, array, number));
    block->got = true;
    block->instruction = worker->current;
    block->statement = worker->statement;
    int loop = worker->program->sites[site].loop;
    if (loop >= 0 && worker->sites[site].distance > 0)
        TRY(prefetch(worker, operand, site, worker->loop_of[loop]));
    double get_s = worker_now(worker) - begin_s;
    worker->counters->block_wait_s = waited_s + get_s;
    return note_get(worker, block, site, get_s);
}

/* ---- arrival ---- */

static enum dm_status settle(struct worker *worker, struct table_block *block,
                             enum transfer_state state)
{
    block->transfer = NULL;
    if (state == TRANSFER_DONE) {
        block->state = FETCH_HERE;
        double now_s = worker->config->record_events ? worker_now(worker) : 0.0;
        return worker_event(worker, PREFETCH_EVENT_ARRIVE, now_s, now_s, block->array,
                            block->number);
    }
    block->state = state == TRANSFER_MISSING ? FETCH_MISSING : FETCH_CONFLICT;
    table_remove_data(&worker->table, block);
    return DM_OK;
}

/* Looks whether the block has arrived, or waits for it. */
typedef enum dm_status arrival(struct transport *transport, struct transfer *transfer,
                               enum transfer_state *state, struct transfer_conflict *conflict);

static enum dm_status look(struct worker *worker, struct table_block *block, arrival *arrival,
                           enum transfer_state *state)
{
    enum dm_status status = arrival(worker->transport, block->transfer, state, &block->conflict);
    return status == DM_OK ? DM_OK : worker_within(worker, block->instruction, status);
}

/* *blocked_s: 0 if it was there already. */
static enum dm_status wait_for(struct worker *worker, struct table_block *block, double *blocked_s)
{
    enum transfer_state state;
    double begin_s = worker_now(worker);
    TRY(look(worker, block, transport_test, &state));
    if (state == TRANSFER_PENDING) {
        TRY(look(worker, block, transport_wait, &state));
        double end_s = worker_now(worker);
        *blocked_s = end_s - begin_s;
        worker->counters->block_wait_s += *blocked_s;
        TRY(worker_event(worker, PREFETCH_EVENT_WAIT, begin_s, end_s, block->array, block->number));
    }
    return settle(worker, block, state);
}

enum dm_status get_poll(struct worker *worker)
{
    enum transfer_state state;
    for (struct table_block *block = worker->table.fetched.oldest; block; block = block->newer) {
        if (block->state != FETCH_PENDING)
            continue;
        TRY(look(worker, block, transport_test, &state));
        if (state != TRANSFER_PENDING)
            TRY(settle(worker, block, state));
    }
    return DM_OK;
}

static enum dm_status fail_unavailable(struct worker *worker, const struct table_block *block)
{
    char name[BLOCK_NAME_BYTES];
    worker_block_name(worker, block->array, block->number, name);
    if (block->state == FETCH_MISSING)
        return worker_fail_at(worker, block->instruction, DM_INVALID, "block %s was never put",
                              name);
    return worker_fail_at(
        worker, block->instruction, DM_INVALID,
        "worker %d gets block %s, which worker %d puts at %s: separate them by a barrier",
        worker->number, name, block->conflict.worker,
        worker_describe(worker, block->conflict.statement));
}

static enum dm_status fail_not_got(struct worker *worker, int array, int64_t number)
{
    char name[BLOCK_NAME_BYTES];
    bool served = worker->program->arrays[array].kind == SIAL_SERVED;
    return worker_fail(worker, DM_INVALID, "block %s is not here: %s it before it is read",
                       worker_block_name(worker, array, number, name), served ? "request" : "get");
}

static void count_access(struct worker *worker, struct table_block *block, double blocked_s,
                         bool hit)
{
    worker->counters->accesses++;
    worker->counters->hits += hit;
    if (block->wait >= 0)
        worker->result->waits[block->wait].wait_s = blocked_s;
    block->wait = -1;
    block->read = true;
    set_state(worker, block, FETCH_HERE); /* as the most recently used */
}

enum dm_status get_read(struct worker *worker, int array, int64_t number, struct table_block **read)
{
    struct table_block *block = table_find(&worker->table, array, number);
    if (!block || !block->got)
        return fail_not_got(worker, array, number);
    block->statement = worker->statement;
    if (block->state == FETCH_EVICTED)
        TRY(request_needed(worker, &block, array, number));
    double blocked_s = 0.0;
    if (block->state == FETCH_PENDING)
        TRY(wait_for(worker, block, &blocked_s));
    if (block->state != FETCH_HERE)
        return fail_unavailable(worker, block);
    count_access(worker, block, blocked_s, blocked_s == 0.0);
    *read = block;
    return DM_OK;
}

/* ---- the end of copies ---- */

/* Nothing may be in flight into memory that is given back. */
static enum dm_status let_go(struct worker *worker, struct table_block *block)
{
    double blocked_s;
    if (block->state == FETCH_PENDING)
        TRY(wait_for(worker, block, &blocked_s));
    worker->counters->unused_prefetches += block->ahead && !block->read;
    block->ahead = false;
    return DM_OK;
}

enum dm_status get_evict(struct worker *worker, struct table_block *block)
{
    TRY(let_go(worker, block));
    if (block->state != FETCH_HERE)
        return DM_OK; /* it has no data, and what is known of it must not be forgotten */
    table_remove_data(&worker->table, block);
    set_state(worker, block, FETCH_EVICTED);
    return DM_OK;
}

static enum dm_status forget(struct worker *worker, struct table_block *block)
{
    TRY(let_go(worker, block));
    table_remove(&worker->table, block);
    return DM_OK;
}

enum dm_status get_forget(struct worker *worker, int array, int64_t number)
{
    struct table_block *block = table_find(&worker->table, array, number);
    return block ? forget(worker, block) : DM_OK;
}

static enum dm_status forget_list(struct worker *worker, const struct block_list *list, int array)
{
    for (struct table_block *block = list->oldest, *newer; block; block = newer) {
        newer = block->newer;
        if (array < 0 || block->array == array)
            TRY(forget(worker, block));
    }
    return DM_OK;
}

enum dm_status get_forget_all(struct worker *worker, int array)
{
    TRY(forget_list(worker, &worker->table.evicted, array));
    return forget_list(worker, &worker->table.fetched, array);
}
