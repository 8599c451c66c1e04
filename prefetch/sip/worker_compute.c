#include "prefetch/sip/worker_compute.h"

#include "common/error_cuda.h"
#include "prefetch/sip/interpreter.h"

static cudaError_t apply(struct tensor_device *device, struct computation *computation)
{
    const struct tensor *first = &computation->uses[0].tensor;
    const struct tensor *second = &computation->uses[1].tensor;
    const struct tensor *target = &computation->uses[computation->count - 1].tensor;
    double alpha = computation->alpha;
    switch (computation->operation) {
    case SIAL_BLOCK_FILL:
        return tensor_fill(device, target, computation->mode, alpha);
    case SIAL_BLOCK_SCALE:
        return tensor_scale(device, target, alpha);
    case SIAL_BLOCK_COPY:
        return tensor_copy(device, target, computation->mode, alpha, first);
    case SIAL_BLOCK_SUM:
        return tensor_sum(device, target, computation->mode, alpha, first, computation->beta,
                          second);
    case SIAL_BLOCK_CONTRACT:
        return tensor_contract(device, target, computation->mode, alpha, first, second);
    default:
        return tensor_dot(device, first, second, &computation->dot);
    }
}

/* ---- where ---- */

static enum choice_operation choice_of(const struct computation *computation)
{
    switch (computation->operation) {
    case SIAL_BLOCK_FILL:
        return CHOICE_FILL;
    case SIAL_BLOCK_SCALE:
        return CHOICE_SCALE;
    case SIAL_BLOCK_COPY:
        return CHOICE_COPY;
    case SIAL_BLOCK_SUM:
        return CHOICE_SUM;
    case SIAL_BLOCK_CONTRACT:
        return CHOICE_CONTRACT;
    default:
        return CHOICE_DOT;
    }
}

static double work_of(const struct worker *worker, const struct computation *computation)
{
    const struct operand_use *uses = computation->uses;
    if (computation->operation != SIAL_BLOCK_CONTRACT)
        return (double)uses[0].block->data.elements;
    return tensor_contract_flops(&worker->shapes[uses[2].operand], &worker->shapes[uses[0].operand],
                                 &worker->shapes[uses[1].operand]);
}

/* Operands that the slot has not got, each block once. */
static size_t missing_bytes(const struct computation *computation, int slot, int *blocks)
{
    size_t bytes = 0;
    for (int i = 0; i < computation->count; i++) {
        const struct operand_use *use = &computation->uses[i];
        const struct block_data *data = &use->block->data;
        bool counted = i > 0 && use->block == computation->uses[i - 1].block;
        bool lacks = data->newest != 0 && !(data->newest & 1u << slot);
        if (use->intent == PINNING_WRITE || counted || !lacks)
            continue;
        bytes += data->elements * sizeof(double);
        ++*blocks;
    }
    return bytes;
}

static int choose_slot(struct worker *worker, const struct computation *computation, double work)
{
    if (!worker->gpu || !worker->in_gpu_region)
        return HOST_SLOT;
    if (!worker->choice)
        return GPU_SLOT;
    int to_gpu = 0, to_host = 0;
    size_t to_gpu_bytes = missing_bytes(computation, GPU_SLOT, &to_gpu);
    size_t to_host_bytes = missing_bytes(computation, HOST_SLOT, &to_host);
    enum choice_device device = device_choice_decide(worker->choice, choice_of(computation), work,
                                                     to_gpu_bytes, to_gpu, to_host_bytes, to_host);
    return device == CHOICE_GPU ? GPU_SLOT : HOST_SLOT;
}

/* ---- there ---- */

static enum dm_status run(struct worker *worker, struct computation *computation, int slot)
{
    struct tensor_device *device = slot == GPU_SLOT ? worker->gpu : worker->host;
    cudaError_t error = apply(device, computation);
    if (error == cudaSuccess && slot == GPU_SLOT && worker->choice)
        error = cudaStreamSynchronize(tensor_stream(device));
    ++*(slot == GPU_SLOT ? &worker->counters->gpu_operations : &worker->counters->host_operations);
    if (error == cudaSuccess)
        return DM_OK;
    return worker_within(worker, worker->current,
                         error_cuda(error, "an operation on blocks", __FILE__, __LINE__));
}

static void learn(struct worker *worker, const struct computation *computation, double work,
                  int slot, double time_s)
{
    if (worker->choice && worker->in_gpu_region)
        device_choice_learn(worker->choice, choice_of(computation), work,
                            slot == GPU_SLOT ? CHOICE_GPU : CHOICE_HOST, time_s);
}

enum dm_status compute(struct worker *worker, struct computation *computation)
{
    struct operand_use *uses = computation->uses;
    int count = computation->count;
    TRY(operands_find(worker, uses, count));
    double begin_s = worker_now(worker);
    double work = worker->choice ? work_of(worker, computation) : 0.0;
    int slot = choose_slot(worker, computation, work);
    TRY(operands_data(worker, uses, count, slot));
    double there_s = worker->choice ? worker_now(worker) : begin_s;
    TRY(run(worker, computation, slot));
    double end_s = worker_now(worker);
    learn(worker, computation, work, slot, end_s - there_s);
    worker->counters->compute_s += end_s - begin_s;
    const struct table_block *target = uses[count - 1].block;
    TRY(worker_event(worker, PREFETCH_EVENT_COMPUTE, begin_s, end_s, target->array,
                     target->number));
    TRY(operands_end(worker, uses, count, slot == GPU_SLOT ? tensor_stream(worker->gpu) : NULL));
    return interpreter_progress(worker);
}
