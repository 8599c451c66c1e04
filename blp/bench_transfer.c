#include "bench_transfer.h"

#include <string.h>

#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

static const size_t counter_bytes = DIRECT_FLOWS_MAX * TRANSFER_CHUNKS_MAX * sizeof(unsigned);

void transfer_memory_open(struct transfer_memory *memory, size_t bytes, uint64_t seed)
{
    memory->bytes = bytes;
    memory->source = memory_allocate(MEMORY_PINNED, bytes);
    memory->target = memory_allocate(MEMORY_PINNED, bytes);
    memory->device_source = memory_allocate(MEMORY_DEVICE, bytes);
    memory->device_target = memory_allocate(MEMORY_DEVICE, bytes);
    memory->arrived = memory_allocate(MEMORY_DEVICE, counter_bytes);
    check_cuda(cudaStreamCreateWithFlags(&memory->in, cudaStreamNonBlocking));
    check_cuda(cudaStreamCreateWithFlags(&memory->out, cudaStreamNonBlocking));
    random_fill_bytes(memory->source, bytes, seed);
    check_cuda(cudaMemcpy(memory->device_source, memory->source, bytes, cudaMemcpyHostToDevice));
}

void transfer_memory_close(struct transfer_memory *memory)
{
    memory_release(MEMORY_PINNED, memory->source);
    memory_release(MEMORY_PINNED, memory->target);
    memory_release(MEMORY_DEVICE, memory->device_source);
    memory_release(MEMORY_DEVICE, memory->device_target);
    memory_release(MEMORY_DEVICE, memory->arrived);
    check_cuda(cudaStreamDestroy(memory->in));
    check_cuda(cudaStreamDestroy(memory->out));
}

/* ---- what is moved ---- */

static bool several_arrays(const struct transfer *transfer)
{
    return transfer->method == TRANSFER_INTERLEAVED || transfer->method == TRANSFER_PER_ARRAY;
}

static bool panels(const struct transfer *transfer)
{
    return transfer->method == TRANSFER_MEMCPY_2D || transfer->method == TRANSFER_DIRECT_CHUNK;
}

int transfer_arrays(const struct transfer *transfer)
{
    return !several_arrays(transfer) ? 1 : transfer->direction == DIRECTION_BOTH ? 4 : 3;
}

static size_t array_bytes(const struct transfer *transfer)
{
    const size_t unit = 128; /* no smaller, so that each array is aligned for whole requests */
    return transfer->memory->bytes / (size_t)transfer_arrays(transfer) / unit * unit;
}

size_t transfer_bytes(const struct transfer *transfer)
{
    if (several_arrays(transfer))
        return array_bytes(transfer) * (size_t)transfer_arrays(transfer);
    return transfer->memory->bytes * (transfer->direction == DIRECTION_BOTH ? 2 : 1);
}

static struct direct_matrix matrix_of(const struct transfer *transfer)
{
    return (struct direct_matrix){
        .rows = transfer->memory->bytes / TRANSFER_ROW_BYTES,
        .pitch = TRANSFER_ROW_BYTES,
        .panel_bytes = TRANSFER_ROW_BYTES / (size_t)transfer->chunks,
    };
}

/* ---- direct access ---- */

static struct direct_flow flow_of(const struct transfer_memory *memory, bool inward, size_t offset,
                                  size_t piece_bytes, int index)
{
    return (struct direct_flow){
        .from = (inward ? memory->source : memory->device_source) + offset,
        .to = (inward ? memory->device_target : memory->target) + offset,
        .inward = inward,
        .piece_bytes = piece_bytes,
        .arrived = memory->arrived + (size_t)index * TRANSFER_CHUNKS_MAX,
    };
}

static int make_flows(const struct transfer *transfer, struct direct_flow *flows)
{
    const struct transfer_memory *memory = transfer->memory;
    const size_t array = array_bytes(transfer), piece = memory->bytes / (size_t)transfer->chunks;
    int count = 0;
    if (several_arrays(transfer)) {
        for (; count < transfer_arrays(transfer); count++)
            flows[count] = flow_of(memory, count < 3, (size_t)count * array, array, count);
        return count;
    }
    if (transfer->direction & DIRECTION_IN) {
        flows[count] = flow_of(memory, true, 0, piece, count);
        count++;
    }
    if (transfer->direction & DIRECTION_OUT) {
        flows[count] = flow_of(memory, false, 0, piece, count);
        count++;
    }
    return count;
}

static struct direct_shape shape_of(const struct transfer *transfer, int flows)
{
    const bool divided = transfer->method == TRANSFER_PER_ARRAY;
    const int blocks = divided ? transfer->blocks / flows : transfer->blocks;
    return (struct direct_shape){
        .flows = flows,
        .blocks = blocks > transfer->out_blocks ? blocks : transfer->out_blocks,
        .threads = transfer->threads,
        .vector_bits = transfer->vector_bits,
        .pieces = transfer->chunks,
    };
}

/* The flows with their blocks, and the shape. */
static struct direct_shape lay_out(const struct transfer *transfer, struct direct_flow *flows)
{
    const int count = make_flows(transfer, flows);
    const struct direct_shape shape = shape_of(transfer, count);
    for (int i = 0; i < count; i++)
        flows[i].blocks = !transfer->out_blocks ? shape.blocks
                          : flows[i].inward     ? transfer->blocks
                                                : transfer->out_blocks;
    return shape;
}

static void copy_directly(const struct transfer *transfer)
{
    struct direct_flow flows[DIRECT_FLOWS_MAX];
    const struct direct_shape shape = lay_out(transfer, flows);
    const struct direct_matrix matrix = matrix_of(transfer);
    if (transfer->method == TRANSFER_INTERLEAVED)
        check_cuda(direct_copy_interleaved(&shape, flows, 0));
    else if (transfer->method == TRANSFER_DIRECT_CHUNK)
        check_cuda(direct_copy_panels(&shape, flows, &matrix, 0));
    else
        check_cuda(direct_copy(&shape, flows, 0));
    check_cuda(cudaStreamSynchronize(0));
}

/* ---- copy engines ---- */

static void copy_chunk(const struct transfer *transfer, bool in, long chunk)
{
    const struct transfer_memory *memory = transfer->memory;
    const size_t bytes = memory->bytes / (size_t)transfer->chunks, offset = (size_t)chunk * bytes;
    const enum cudaMemcpyKind kind = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    char *to = (in ? memory->device_target : memory->target) + offset;
    const char *from = (in ? memory->source : memory->device_source) + offset;
    if (transfer->direction == DIRECTION_BOTH)
        check_cuda(cudaMemcpyAsync(to, from, bytes, kind, in ? memory->in : memory->out));
    else
        check_cuda(cudaMemcpy(to, from, bytes, kind));
}

static void copy_panel(const struct transfer *transfer, bool in, long panel)
{
    const struct transfer_memory *memory = transfer->memory;
    const struct direct_matrix matrix = matrix_of(transfer);
    const enum cudaMemcpyKind kind = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    const size_t width = matrix.panel_bytes, apart = (size_t)panel * width;
    const size_t packed = apart * matrix.rows;
    const size_t to_pitch = in ? width : matrix.pitch, from_pitch = in ? matrix.pitch : width;
    char *to = in ? memory->device_target + packed : memory->target + apart;
    const char *from = in ? memory->source + apart : memory->device_source + packed;
    if (transfer->direction == DIRECTION_BOTH)
        check_cuda(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, matrix.rows, kind,
                                     in ? memory->in : memory->out));
    else
        check_cuda(cudaMemcpy2D(to, to_pitch, from, from_pitch, width, matrix.rows, kind));
}

static void copy_by_engine(const struct transfer *transfer)
{
    for (long chunk = 0; chunk < transfer->chunks; chunk++) {
        if (transfer->direction & DIRECTION_IN)
            (panels(transfer) ? copy_panel : copy_chunk)(transfer, true, chunk);
        if (transfer->direction & DIRECTION_OUT)
            (panels(transfer) ? copy_panel : copy_chunk)(transfer, false, chunk);
    }
    check_cuda(cudaStreamSynchronize(transfer->memory->in));
    check_cuda(cudaStreamSynchronize(transfer->memory->out));
}

double transfer_run(const struct transfer *transfer)
{
    double start_s = clock_now_s();
    if (transfer->method < TRANSFER_DIRECT)
        copy_by_engine(transfer);
    else
        copy_directly(transfer);
    return clock_now_s() - start_s;
}

/* ---- verification ---- */

/* Where word i of the matrix in host memory lies among the packed panels. */
static size_t packed_word(const struct direct_matrix *matrix, size_t i)
{
    const size_t row = i / (matrix->pitch / 4), column = i % (matrix->pitch / 4);
    const size_t width = matrix->panel_bytes / 4;
    return column / width * width * matrix->rows + row * width + column % width;
}

/* `result` is a copy of what lies on the device (inward), or in host memory. */
static long wrong_words(const struct transfer *transfer, const char *result, bool inward,
                        size_t begin_byte, size_t end_byte)
{
    const uint32_t *is = (const uint32_t *)result;
    const uint32_t *source = (const uint32_t *)transfer->memory->source;
    const struct direct_matrix matrix = matrix_of(transfer);
    const bool moved = panels(transfer);
    long wrong = 0;
    for (size_t i = begin_byte / 4; i < end_byte / 4; i++) {
        size_t packed = moved ? packed_word(&matrix, i) : i;
        wrong += inward ? is[packed] != source[i] : is[i] != source[packed];
    }
    return wrong;
}

static long wrong_counters(const struct transfer *transfer)
{
    static unsigned counters[DIRECT_FLOWS_MAX * TRANSFER_CHUNKS_MAX];
    struct direct_flow flows[DIRECT_FLOWS_MAX];
    const struct direct_shape shape = lay_out(transfer, flows);
    const struct direct_matrix matrix = matrix_of(transfer);
    long wrong = 0;
    if (transfer->method < TRANSFER_DIRECT || transfer->method == TRANSFER_INTERLEAVED)
        return 0;
    check_cuda(
        cudaMemcpy(counters, transfer->memory->arrived, counter_bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < shape.flows; i++)
        for (long piece = 0; piece < shape.pieces; piece++)
            wrong += counters[i * TRANSFER_CHUNKS_MAX + piece] !=
                     (panels(transfer) ? direct_strips(&matrix) : direct_raises(&shape, &flows[i]));
    return wrong;
}

void transfer_clear(const struct transfer *transfer)
{
    const struct transfer_memory *memory = transfer->memory;
    check_cuda(cudaMemset(memory->device_target, 0, memory->bytes));
    check_cuda(cudaMemset(memory->arrived, 0, counter_bytes));
    check_cuda(cudaDeviceSynchronize());
    memset(memory->target, 0, memory->bytes);
}

long transfer_errors(const struct transfer *transfer)
{
    const struct transfer_memory *memory = transfer->memory;
    const size_t inward = several_arrays(transfer) ? 3 * array_bytes(transfer) : memory->bytes;
    const size_t outward = several_arrays(transfer) ? inward : 0;
    long wrong = wrong_counters(transfer);
    if (transfer->direction & DIRECTION_OUT)
        wrong +=
            wrong_words(transfer, memory->target, false, outward, outward + array_bytes(transfer));
    if (transfer->direction & DIRECTION_IN) {
        check_cuda(cudaMemcpy(memory->target, memory->device_target, memory->bytes,
                              cudaMemcpyDeviceToHost));
        wrong += wrong_words(transfer, memory->target, true, 0, inward);
    }
    return wrong;
}
