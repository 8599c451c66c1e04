#include <stdlib.h>

#include "coarrays/bench/images.h"
#include "common/clock.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"

#include "summa_internal.h"

static bool uses_messages(const struct summa *summa)
{
    return summa->variant == SUMMA_MPI || summa->variant == SUMMA_MPI_PINNED;
}

static enum accelerated_kind kind_of(enum summa_variant variant)
{
    return variant == SUMMA_CAF_PIN  ? ACCELERATED_MAPPED
           : variant == SUMMA_CAF_UM ? ACCELERATED_MANAGED
                                     : ACCELERATED_DEVICE;
}

/* Panels and C. */
static enum memory_kind gpu_memory(const struct summa *summa)
{
    return summa->variant == SUMMA_CAF_UM ? MEMORY_MANAGED : MEMORY_DEVICE;
}

static enum memory_kind host_memory(const struct summa *summa)
{
    return summa->variant == SUMMA_MPI ? MEMORY_PAGEABLE : MEMORY_PINNED;
}

/* ---- memory ---- */

/* Blocks differ by a row or column, coarrays are of equal size everywhere. */
static size_t largest_block(const struct summa_layout *layout)
{
    size_t rows = (size_t)(layout->order / layout->grid[SUMMA_ROW] + 1);
    return rows * (size_t)(layout->order / layout->grid[SUMMA_COLUMN] + 1);
}

static size_t panel_bytes(const struct summa *summa, const struct summa_operand *operand)
{
    return (size_t)summa->layout.block * (size_t)operand->lines * sizeof(double);
}

static void create_operand(struct summa *summa, int along, const double *values)
{
    const struct summa_layout *layout = &summa->layout;
    struct summa_operand *operand = &summa->operands[along == SUMMA_ROW];
    size_t bytes = (size_t)summa_count(layout, SUMMA_ROW) *
                   (size_t)summa_count(layout, SUMMA_COLUMN) * sizeof(double);
    *operand = (struct summa_operand){
        .along = along,
        .lines = summa_count(layout, along == SUMMA_ROW ? SUMMA_COLUMN : SUMMA_ROW)};
    if (uses_messages(summa)) {
        operand->block = memory_allocate(MEMORY_DEVICE, bytes);
    } else {
        check_caf(accelerated_allocate(&operand->coarray, largest_block(layout) * sizeof(double),
                                       kind_of(summa->variant)));
        operand->block = accelerated_memory(operand->coarray);
    }
    check_cuda(cudaMemcpy(operand->block, values, bytes, cudaMemcpyDefault));
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        operand->panel[slot] = memory_allocate(gpu_memory(summa), panel_bytes(summa, operand));
        if (uses_messages(summa))
            operand->staging[slot] =
                memory_allocate(host_memory(summa), panel_bytes(summa, operand));
    }
}

static void destroy_operand(const struct summa *summa, struct summa_operand *operand)
{
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        memory_release(gpu_memory(summa), operand->panel[slot]);
        if (uses_messages(summa))
            memory_release(host_memory(summa), operand->staging[slot]);
    }
    if (operand->coarray)
        check_caf(accelerated_free(operand->coarray));
    else
        memory_release(MEMORY_DEVICE, operand->block);
}

struct summa *summa_create(enum summa_variant variant, const struct summa_layout *layout,
                           const double *a, const double *b)
{
    struct summa *summa = allocate_or_fail(1, sizeof *summa);
    *summa = (struct summa){.variant = variant, .layout = *layout};
    create_operand(summa, SUMMA_COLUMN, a);
    create_operand(summa, SUMMA_ROW, b);
    summa->c = memory_allocate(gpu_memory(summa), largest_block(layout) * sizeof(double));
    /* NaN: memory that is used again may hold the right C of a product before. The streams do not
     * wait for it by themselves. */
    check_cuda(cudaMemset(summa->c, 0xff, largest_block(layout) * sizeof(double)));
    check_cuda(cudaDeviceSynchronize());
    check_cuda(cudaStreamCreateWithFlags(&summa->copies, cudaStreamNonBlocking));
    check_cuda(cudaStreamCreateWithFlags(&summa->products, cudaStreamNonBlocking));
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        check_cuda(cudaEventCreateWithFlags(&summa->ready[slot], cudaEventDisableTiming));
        check_cuda(cudaEventCreateWithFlags(&summa->done[slot], cudaEventDisableTiming));
    }
    check_cuda(summa_product_open(&summa->product, summa->products));
    return summa;
}

void summa_destroy(struct summa *summa)
{
    summa_product_close(summa->product);
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        check_cuda(cudaEventDestroy(summa->ready[slot]));
        check_cuda(cudaEventDestroy(summa->done[slot]));
    }
    check_cuda(cudaStreamDestroy(summa->copies));
    check_cuda(cudaStreamDestroy(summa->products));
    for (int o = 0; o < 2; o++)
        destroy_operand(summa, &summa->operands[o]);
    memory_release(gpu_memory(summa), summa->c);
    free(summa);
}

/* ---- the product ---- */

static void fetch(struct summa *summa, const struct summa_panel *panel, int slot)
{
    check_cuda(cudaStreamWaitEvent(summa->copies, summa->done[slot], 0));
    if (uses_messages(summa))
        summa_fetch_mpi(summa, panel, slot);
    else
        summa_fetch_caf(summa, panel, slot);
    check_cuda(cudaEventRecord(summa->ready[slot], summa->copies));
}

static void multiply_panel(struct summa *summa, const struct summa_panel *panel, int slot)
{
    check_cuda(cudaStreamWaitEvent(summa->products, summa->ready[slot], 0));
    check_cuda(summa_product_start(summa->product, summa_count(&summa->layout, SUMMA_ROW),
                                   summa_count(&summa->layout, SUMMA_COLUMN),
                                   panel->end - panel->begin, summa->operands[0].use[slot],
                                   summa->operands[1].use[slot], panel->begin > 0, summa->c));
    check_cuda(cudaEventRecord(summa->done[slot], summa->products));
}

/* From here on the other images, if there are any, may get A and B. Messages need no such
 * agreement. */
static void begin_segment(struct summa *summa)
{
    struct accelerated *coarrays[] = {summa->operands[0].coarray, summa->operands[1].coarray};
    bool is_alone = summa->layout.grid[SUMMA_ROW] * summa->layout.grid[SUMMA_COLUMN] == 1;
    if (!uses_messages(summa) && !is_alone)
        check_caf(accelerated_sync(2, coarrays));
}

double summa_run(struct summa *summa, bool multiply)
{
    double start_s = clock_now_s();
    begin_segment(summa);
    struct summa_panel panel = summa_panel(&summa->layout, 0);
    fetch(summa, &panel, 0);
    for (int slot = 0; panel.begin < summa->layout.order; slot = !slot) {
        struct summa_panel next = summa_panel(&summa->layout, panel.end);
        if (multiply)
            multiply_panel(summa, &panel, slot);
        if (next.begin < summa->layout.order)
            fetch(summa, &next, !slot);
        panel = next;
    }
    check_cuda(cudaStreamSynchronize(summa->copies));
    check_cuda(cudaStreamSynchronize(summa->products));
    return clock_now_s() - start_s;
}

void summa_result(const struct summa *summa, double *c)
{
    size_t elements = (size_t)summa_count(&summa->layout, SUMMA_ROW) *
                      (size_t)summa_count(&summa->layout, SUMMA_COLUMN);
    check_cuda(cudaMemcpy(c, summa->c, elements * sizeof *c, cudaMemcpyDefault));
}
