#include "prefetch/sip/get.h"

#include <stdlib.h>

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

static bool send_request(struct worker *worker, struct table_block *block)
{
    double *target;
    cudaError_t made =
        memory_access(&worker->memory, &block->data, HOST_SLOT, PINNING_WRITE, &target);
    if (made != cudaSuccess)
        return worker_fail_memory(worker);
    struct transport_error error;
    struct block_id id = {.array = block->array, .number = block->number};
    block->transfer = transport_get(worker->transport, id, target, block->instruction, &error);
    return block->transfer || worker_fail_at(worker, block->instruction, "%s", error.text);
}

/* Room has been made. `block` may be NULL: new, else evicted. */
static bool request(struct worker *worker, struct table_block *block, int array, int64_t number,
                    bool ahead)
{
    double begin_s = worker->config->record_events ? worker_now(worker) : 0.0;
    if (!block && !(block = table_add(&worker->table, array, number)))
        return worker_fail_memory(worker);
    if (block->state == FETCH_NONE)
        block->instruction = worker->current;
    if (!table_add_data(&worker->table, block, worker->arrays[array].elements))
        return worker_fail_memory(worker);
    set_state(worker, block, FETCH_HERE);
    block->read = false;
    block->ahead = ahead;
    block->statement = worker->statement;
    if (!send_request(worker, block))
        return false;
    block->state = FETCH_PENDING;
    ++*(ahead ? &worker->counters->prefetches : &worker->counters->gets);
    return !worker->config->record_events ||
           worker_event(worker, SIP_EVENT_REQUEST, begin_s, worker_now(worker), array, number);
}

static size_t bytes_of(const struct worker *worker, int array)
{
    return worker->arrays[array].elements * sizeof(double);
}

static bool request_needed(struct worker *worker, struct table_block *block, int array,
                           int64_t number)
{
    return worker_room(worker, bytes_of(worker, array), worker->statement, true) &&
           request(worker, block, array, number, false);
}

/* ---- prefetching ---- */

/* The operand's block in another iteration of the loop; -1: the array has none there. */
static int64_t block_ahead(const struct worker *worker, int operand, const struct active_loop *loop,
                           const struct index_set *set)
{
    const struct sial_operand *block = &worker->program->operands[operand];
    const struct sial_loop *declared = &worker->program->loops[loop->loop];
    int values[SIAL_MOST_RANK];
    for (int d = 0; d < worker->program->arrays[block->array].rank; d++) {
        values[d] = worker->values[block->indices[d]];
        for (int i = 0; i < declared->count; i++)
            if (declared->indices[i] == block->indices[d])
                values[d] = set->value[i];
    }
    return sial_block_number(worker->program, block->array, values);
}

static bool prefetch(struct worker *worker, int operand, int site, struct active_loop *loop)
{
    int array = worker->program->operands[operand].array;
    const struct worker_site *own = &worker->sites[site];
    struct index_set set;
    while (index_list_ahead(loop->list, own->in_list) < (size_t)own->distance &&
           worker_room(worker, bytes_of(worker, array), loop->first_statement, false) &&
           index_list_prefetch(loop->list, own->in_list, &set)) {
        int64_t number = block_ahead(worker, operand, loop, &set);
        if (number < 0)
            continue; /* the iteration itself will say so */
        struct table_block *block = table_find(&worker->table, array, number);
        if ((!block || block->state == FETCH_EVICTED) &&
            !request(worker, block, array, number, true))
            return false;
    }
    return !worker->failed; /* a where clause may have failed on the way */
}

/* ---- the statement ---- */

static bool note_get(struct worker *worker, struct table_block *block, int site, double get_s)
{
    if (!worker->config->record_waits)
        return true;
    struct sip_result *result = worker->result;
    if (result->wait_count == worker->wait_capacity) {
        size_t capacity = worker->wait_capacity ? 2 * worker->wait_capacity : 256;
        struct sip_wait *waits = realloc(result->waits, capacity * sizeof *waits);
        if (!waits)
            return worker_fail_memory(worker);
        result->waits = waits;
        worker->wait_capacity = capacity;
    }
    int loop = worker->program->sites[site].loop;
    block->wait = (long)result->wait_count;
    result->waits[result->wait_count++] =
        (struct sip_wait){.site = site,
                          .iteration = loop >= 0 ? worker->loop_of[loop]->iteration : 0,
                          .loop_length = loop >= 0 ? 0 : 1,
                          .get_s = get_s};
    return true;
}

bool get_statement(struct worker *worker, int operand, int site)
{
    double begin_s = worker_now(worker), waited_s = worker->counters->block_wait_s;
    int array = worker->program->operands[operand].array;
    int64_t number;
    if (!worker_resolve(worker, operand, &number))
        return false;
    worker->statement++;
    worker_show(worker);
    struct table_block *block = table_find(&worker->table, array, number);
    if (!block || block->state == FETCH_EVICTED) {
        if (!request_needed(worker, block, array, number))
            return false;
        block = table_find(&worker->table, array, number);
    }
    block->got = true;
    block->instruction = worker->current;
    block->statement = worker->statement;
    int loop = worker->program->sites[site].loop;
    if (loop >= 0 && worker->sites[site].distance > 0 &&
        !prefetch(worker, operand, site, worker->loop_of[loop]))
        return false;
    double get_s = worker_now(worker) - begin_s;
    worker->counters->block_wait_s = waited_s + get_s;
    return note_get(worker, block, site, get_s);
}

/* ---- arrival ---- */

static bool settle(struct worker *worker, struct table_block *block, enum transfer_state state,
                   const struct transport_error *error)
{
    block->transfer = NULL;
    switch (state) {
    case TRANSFER_DONE:
        block->state = FETCH_HERE;
        double now_s = worker->config->record_events ? worker_now(worker) : 0.0;
        return worker_event(worker, SIP_EVENT_ARRIVE, now_s, now_s, block->array, block->number);
    case TRANSFER_MISSING:
    case TRANSFER_CONFLICT:
        block->state = state == TRANSFER_MISSING ? FETCH_MISSING : FETCH_CONFLICT;
        table_remove_data(&worker->table, block);
        return true;
    default:
        return worker_fail_at(worker, block->instruction, "%s", error->text);
    }
}

/* *blocked_s: 0 if it was there already. */
static bool wait_for(struct worker *worker, struct table_block *block, double *blocked_s)
{
    struct transport_error error;
    double begin_s = worker_now(worker);
    enum transfer_state state =
        transport_test(worker->transport, block->transfer, &block->conflict, &error);
    if (state == TRANSFER_PENDING) {
        state = transport_wait(worker->transport, block->transfer, &block->conflict, &error);
        double end_s = worker_now(worker);
        *blocked_s = end_s - begin_s;
        worker->counters->block_wait_s += *blocked_s;
        if (!worker_event(worker, SIP_EVENT_WAIT, begin_s, end_s, block->array, block->number))
            return false;
    }
    return settle(worker, block, state, &error);
}

bool get_poll(struct worker *worker)
{
    struct transport_error error;
    for (struct table_block *block = worker->table.fetched.oldest; block; block = block->newer) {
        if (block->state != FETCH_PENDING)
            continue;
        enum transfer_state state =
            transport_test(worker->transport, block->transfer, &block->conflict, &error);
        if (state != TRANSFER_PENDING && !settle(worker, block, state, &error))
            return false;
    }
    return true;
}

static bool fail_unavailable(struct worker *worker, const struct table_block *block)
{
    char name[BLOCK_NAME_BYTES];
    worker_block_name(worker, block->array, block->number, name);
    if (block->state == FETCH_MISSING)
        return worker_fail_at(worker, block->instruction, "block %s was never put", name);
    return worker_fail_at(
        worker, block->instruction,
        "worker %d gets block %s, which worker %d puts at %s: separate them by a barrier",
        worker->number, name, block->conflict.worker,
        worker_describe(worker, block->conflict.statement));
}

static bool fail_not_got(struct worker *worker, int array, int64_t number)
{
    char name[BLOCK_NAME_BYTES];
    bool served = worker->program->arrays[array].kind == SIAL_SERVED;
    return worker_fail(worker, "block %s is not here: %s it before it is read",
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

struct table_block *get_read(struct worker *worker, int array, int64_t number)
{
    struct table_block *block = table_find(&worker->table, array, number);
    if (!block || !block->got) {
        fail_not_got(worker, array, number);
        return NULL;
    }
    block->statement = worker->statement;
    if (block->state == FETCH_EVICTED && !request_needed(worker, block, array, number))
        return NULL;
    double blocked_s = 0.0;
    if (block->state == FETCH_PENDING && !wait_for(worker, block, &blocked_s))
        return NULL;
    if (block->state != FETCH_HERE) {
        fail_unavailable(worker, block);
        return NULL;
    }
    count_access(worker, block, blocked_s, blocked_s == 0.0);
    return block;
}

/* ---- the end of copies ---- */

/* Nothing may be in flight into memory that is given back. */
static bool let_go(struct worker *worker, struct table_block *block)
{
    double blocked_s;
    if (block->state == FETCH_PENDING && !wait_for(worker, block, &blocked_s))
        return false;
    worker->counters->unused_prefetches += block->ahead && !block->read;
    block->ahead = false;
    return true;
}

bool get_evict(struct worker *worker, struct table_block *block)
{
    if (!let_go(worker, block))
        return false;
    if (block->state != FETCH_HERE)
        return true; /* it has no data, and what is known of it must not be forgotten */
    table_remove_data(&worker->table, block);
    set_state(worker, block, FETCH_EVICTED);
    return true;
}

static bool forget(struct worker *worker, struct table_block *block)
{
    if (!let_go(worker, block))
        return false;
    table_remove(&worker->table, block);
    return true;
}

bool get_forget(struct worker *worker, int array, int64_t number)
{
    struct table_block *block = table_find(&worker->table, array, number);
    return !block || forget(worker, block);
}

static bool forget_list(struct worker *worker, const struct block_list *list, int array)
{
    for (struct table_block *block = list->oldest, *newer; block; block = newer) {
        newer = block->newer;
        if ((array < 0 || block->array == array) && !forget(worker, block))
            return false;
    }
    return true;
}

bool get_forget_all(struct worker *worker, int array)
{
    return forget_list(worker, &worker->table.evicted, array) &&
           forget_list(worker, &worker->table.fetched, array);
}
