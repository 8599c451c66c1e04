#include "prefetch/sip/worker_operands.h"

#include "prefetch/sip/get.h"

/* ---- blocks ---- */

struct table_block *operands_add_own(struct worker *worker, int array, int64_t number)
{
    size_t elements = worker->arrays[array].elements;
    if (!worker_room(worker, elements * sizeof(double), worker->statement, true))
        return NULL;
    struct table_block *block = table_add(&worker->table, array, number);
    if (block && table_add_data(&worker->table, block, elements))
        return block;
    worker_fail_memory(worker);
    return NULL;
}

static struct table_block *find_static(struct worker *worker, int array, int64_t number)
{
    struct table_block *block = table_find(&worker->table, array, number);
    return block ? block : operands_add_own(worker, array, number);
}

static struct table_block *find_local(struct worker *worker, int array, int64_t number)
{
    struct table_block *block = table_find(&worker->table, array, number);
    char name[BLOCK_NAME_BYTES];
    if (!block)
        worker_fail(worker, "block %s is not allocated: allocate it first",
                    worker_block_name(worker, array, number, name));
    return block;
}

static struct table_block *read_temp(struct worker *worker, int array, int64_t number)
{
    struct table_block *block = worker->arrays[array].current;
    char name[BLOCK_NAME_BYTES], current[BLOCK_NAME_BYTES];
    if (block && block->number == number)
        return block;
    worker_block_name(worker, array, number, name);
    if (!block)
        worker_fail(worker, "block %s of a temp array is read before one was written", name);
    else
        worker_fail(worker,
                    "block %s is not the current one of its temp array, which is %s: a temp array "
                    "has one block at a time",
                    name, worker_block_name(worker, array, block->number, current));
    return NULL;
}

/* The block that this statement still reads goes when it ends. */
static struct table_block *replace_temp(struct worker *worker, struct table_block *old,
                                        int64_t number)
{
    struct table_block *block = operands_add_own(worker, old->array, number);
    if (block) {
        old->older = worker->replaced;
        worker->replaced = old;
    }
    return block;
}

static struct table_block *reuse_temp(struct worker *worker, struct table_block *block,
                                      int64_t number)
{
    if (memory_renew(&worker->memory, &block->data) != cudaSuccess) {
        worker_fail_memory(worker);
        return NULL;
    }
    table_rename(&worker->table, block, number);
    return block;
}

static struct table_block *write_temp(struct worker *worker, int array, int64_t number)
{
    struct table_block *old = worker->arrays[array].current, *block = old;
    if (!old)
        block = operands_add_own(worker, array, number);
    else if (old->number != number)
        block = old->statement == worker->statement ? replace_temp(worker, old, number)
                                                    : reuse_temp(worker, old, number);
    if (block)
        worker->arrays[array].current = block;
    return block;
}

static struct table_block *find(struct worker *worker, int array, int64_t number,
                                enum pinning_intent intent)
{
    switch (worker->program->arrays[array].kind) {
    case SIAL_STATIC:
        return find_static(worker, array, number);
    case SIAL_LOCAL:
        return find_local(worker, array, number);
    case SIAL_TEMP:
        return intent == PINNING_WRITE ? write_temp(worker, array, number)
                                     : read_temp(worker, array, number);
    default:
        if (intent == PINNING_READ)
            return get_read(worker, array, number);
        worker_fail(worker, "array %s is on the servers: change it by put or prepare",
                    worker->program->arrays[array].name);
        return NULL;
    }
}

bool operands_find(struct worker *worker, struct operand_use *uses, int count)
{
    worker->statement++;
    worker_show(worker);
    for (int i = 0; i < count; i++) {
        struct operand_use *use = &uses[i];
        int64_t number;
        if (!worker_resolve(worker, use->operand, &number))
            return false;
        int array = worker->program->operands[use->operand].array;
        use->block = find(worker, array, number, use->intent);
        if (!use->block)
            return false;
        use->block->statement = worker->statement;
        for (int j = 0; j < i; j++)
            if (uses[j].block == use->block && use->intent == PINNING_WRITE)
                use->intent = PINNING_UPDATE; /* its old data are read before */
    }
    return true;
}

/* ---- data ---- */

bool operands_data(struct worker *worker, struct operand_use *uses, int count, int slot)
{
    for (int i = 0; i < count; i++) {
        struct operand_use *use = &uses[i];
        double *data;
        cudaError_t error =
            memory_access(&worker->memory, &use->block->data, slot, use->intent, &data);
        if (error != cudaSuccess) {
            char name[BLOCK_NAME_BYTES];
            worker_block_name(worker, use->block->array, use->block->number, name);
            return worker_fail(worker, "block %s cannot be had %s: %s", name,
                               slot == HOST_SLOT ? "in host memory" : "on the GPU",
                               cudaGetErrorString(error));
        }
        use->tensor = worker->shapes[use->operand];
        use->tensor.data = data;
    }
    return true;
}

bool operands_end(struct worker *worker, struct operand_use *uses, int count, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < count && stream && error == cudaSuccess; i++)
        error = memory_set_busy(&uses[i].block->data, stream);
    while (worker->replaced) {
        struct table_block *block = worker->replaced;
        worker->replaced = block->older;
        table_remove(&worker->table, block);
    }
    return error == cudaSuccess || worker_fail(worker, "%s", cudaGetErrorString(error));
}
