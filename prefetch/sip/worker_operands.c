#include "prefetch/sip/worker_operands.h"

#include "common/error.h"
#include "prefetch/sip/get.h"

/* ---- blocks ---- */

enum dm_status operands_add_own(struct worker *worker, int array, int64_t number,
                                struct table_block **block)
{
    size_t elements = worker->arrays[array].elements;
    TRY(worker_room(worker, elements * sizeof(double), worker->statement));
    TRY_IN_STATEMENT(worker, table_add(&worker->table, array, number, block));
    TRY_IN_STATEMENT(worker, table_add_data(&worker->table, *block, elements));
    return DM_OK;
}

static enum dm_status find_static(struct worker *worker, int array, int64_t number,
                                  struct table_block **block)
{
    *block = table_find(&worker->table, array, number);
    return *block ? DM_OK : operands_add_own(worker, array, number, block);
}

static enum dm_status find_local(struct worker *worker, int array, int64_t number,
                                 struct table_block **block)
{
    char name[BLOCK_NAME_BYTES];
    *block = table_find(&worker->table, array, number);
    if (*block)
        return DM_OK;
    return worker_fail(worker, DM_INVALID, "block %s is not allocated: allocate it first",
                       worker_block_name(worker, array, number, name));
}

static enum dm_status read_temp(struct worker *worker, int array, int64_t number,
                                struct table_block **block)
{
    char name[BLOCK_NAME_BYTES], current[BLOCK_NAME_BYTES];
    *block = worker->arrays[array].current;
    if (*block && (*block)->number == number)
        return DM_OK;
    worker_block_name(worker, array, number, name);
    if (!*block)
        return worker_fail(worker, DM_INVALID,
                           "block %s of a temp array is read before one was written", name);
    return worker_fail(worker, DM_INVALID,
                       "block %s is not the current one of its temp array, which is %s: a temp "
                       "array has one block at a time",
                       name, worker_block_name(worker, array, (*block)->number, current));
}

/* The block that this statement still reads goes when it ends. */
static enum dm_status replace_temp(struct worker *worker, struct table_block *old, int64_t number,
                                   struct table_block **block)
{
    TRY(operands_add_own(worker, old->array, number, block));
    old->older = worker->replaced;
    worker->replaced = old;
    return DM_OK;
}

static enum dm_status reuse_temp(struct worker *worker, struct table_block *block, int64_t number)
{
    TRY_IN_STATEMENT(worker, memory_renew(&worker->memory, &block->data));
    table_rename(&worker->table, block, number);
    return DM_OK;
}

static enum dm_status write_temp(struct worker *worker, int array, int64_t number,
                                 struct table_block **block)
{
    struct table_block *old = worker->arrays[array].current;
    *block = old;
    if (!old)
        TRY(operands_add_own(worker, array, number, block));
    else if (old->number != number && old->statement == worker->statement)
        TRY(replace_temp(worker, old, number, block));
    else if (old->number != number)
        TRY(reuse_temp(worker, old, number));
    worker->arrays[array].current = *block;
    return DM_OK;
}

static enum dm_status find(struct worker *worker, int array, int64_t number,
                           enum pinning_intent intent, struct table_block **block)
{
    switch (worker->program->arrays[array].kind) {
    case SIAL_STATIC:
        return find_static(worker, array, number, block);
    case SIAL_LOCAL:
        return find_local(worker, array, number, block);
    case SIAL_TEMP:
        return intent == PINNING_WRITE ? write_temp(worker, array, number, block)
                                       : read_temp(worker, array, number, block);
    default:
        if (intent == PINNING_READ)
            return get_read(worker, array, number, block);
        return worker_fail(worker, DM_INVALID,
                           "array %s is on the servers: change it by put or prepare",
                           worker->program->arrays[array].name);
    }
}

enum dm_status operands_find(struct worker *worker, struct operand_use *uses, int count)
{
    worker->statement++;
    worker_show(worker);
    for (int i = 0; i < count; i++) {
        struct operand_use *use = &uses[i];
        int64_t number;
        TRY(worker_resolve(worker, use->operand, &number));
        int array = worker->program->operands[use->operand].array;
        TRY(find(worker, array, number, use->intent, &use->block));
        use->block->statement = worker->statement;
        for (int j = 0; j < i; j++)
            if (uses[j].block == use->block && use->intent == PINNING_WRITE)
                use->intent = PINNING_UPDATE; /* its old data are read before */
    }
    return DM_OK;
}

/* ---- data ---- */

static enum dm_status fail_data(struct worker *worker, const struct operand_use *use, int slot,
                                enum dm_status status)
{
    char name[BLOCK_NAME_BYTES];
    worker_block_name(worker, use->block->array, use->block->number, name);
    return worker_fail(worker, status, "block %s cannot be had %s: %s", name,
                       slot == HOST_SLOT ? "in host memory" : "on the GPU", dm_message());
}

enum dm_status operands_data(struct worker *worker, struct operand_use *uses, int count, int slot)
{
    for (int i = 0; i < count; i++) {
        struct operand_use *use = &uses[i];
        double *data;
        enum dm_status status =
            memory_access(&worker->memory, &use->block->data, slot, use->intent, &data);
        if (status != DM_OK)
            return fail_data(worker, use, slot, status);
        use->tensor = worker->shapes[use->operand];
        use->tensor.data = data;
    }
    return DM_OK;
}

enum dm_status operands_end(struct worker *worker, struct operand_use *uses, int count,
                            cudaStream_t stream)
{
    enum dm_status status = DM_OK;
    for (int i = 0; i < count && stream && status == DM_OK; i++)
        status = memory_set_busy(&uses[i].block->data, stream);
    while (worker->replaced) {
        struct table_block *block = worker->replaced;
        worker->replaced = block->older;
        table_remove(&worker->table, block);
    }
    return status == DM_OK ? DM_OK : worker_within(worker, worker->current, status);
}
