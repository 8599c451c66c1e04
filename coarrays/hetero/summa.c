#include <stdlib.h>

#include "common/clock.h"
#include "common/error_cuda.h"

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

static enum dm_status create_operand(struct summa *summa, int along, const double *values)
{
    const struct summa_layout *layout = &summa->layout;
    struct summa_operand *operand = &summa->operands[along == SUMMA_ROW];
    size_t bytes = (size_t)summa_count(layout, SUMMA_ROW) *
                   (size_t)summa_count(layout, SUMMA_COLUMN) * sizeof(double);
    *operand = (struct summa_operand){
        .along = along,
        .lines = summa_count(layout, along == SUMMA_ROW ? SUMMA_COLUMN : SUMMA_ROW)};
    if (uses_messages(summa)) {
        TRY(memory_obtain(MEMORY_DEVICE, bytes, (void **)&operand->block));
    } else {
        TRY(accelerated_allocate(&operand->coarray, largest_block(layout) * sizeof(double),
                                 kind_of(summa->variant)));
        operand->block = accelerated_memory(operand->coarray);
    }
    TRY_CUDA(cudaMemcpy(operand->block, values, bytes, cudaMemcpyDefault));
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        size_t panel = panel_bytes(summa, operand);
        TRY(memory_obtain(gpu_memory(summa), panel, (void **)&operand->panel[slot]));
        if (uses_messages(summa))
            TRY(memory_obtain(host_memory(summa), panel, (void **)&operand->staging[slot]));
    }
    return DM_OK;
}

static void destroy_operand(const struct summa *summa, struct summa_operand *operand)
{
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        memory_give_back(gpu_memory(summa), operand->panel[slot]);
        memory_give_back(host_memory(summa), operand->staging[slot]);
    }
    if (operand->coarray)
        accelerated_free(operand->coarray);
    else
        memory_give_back(MEMORY_DEVICE, operand->block);
}

static enum dm_status create_product(struct summa *summa, const double *a, const double *b)
{
    size_t bytes = largest_block(&summa->layout) * sizeof(double);
    size_t images = (size_t)(summa->layout.grid[SUMMA_ROW] + summa->layout.grid[SUMMA_COLUMN]);
    summa->requests = malloc(images * sizeof *summa->requests);
    if (!summa->requests)
        return error_no_memory(images * sizeof *summa->requests);
    TRY(create_operand(summa, SUMMA_COLUMN, a));
    TRY(create_operand(summa, SUMMA_ROW, b));
    TRY(memory_obtain(gpu_memory(summa), bytes, (void **)&summa->c));
    /* NaN: memory that is used again may hold the right C of a product before. The streams do not
     * wait for it by themselves. */
    TRY_CUDA(cudaMemset(summa->c, 0xff, bytes));
    TRY_CUDA(cudaDeviceSynchronize());
    TRY_CUDA(cudaStreamCreateWithFlags(&summa->copies, cudaStreamNonBlocking));
    TRY_CUDA(cudaStreamCreateWithFlags(&summa->products, cudaStreamNonBlocking));
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        TRY_CUDA(cudaEventCreateWithFlags(&summa->ready[slot], cudaEventDisableTiming));
        TRY_CUDA(cudaEventCreateWithFlags(&summa->done[slot], cudaEventDisableTiming));
    }
    return status_of_cuda(summa_product_open(&summa->product, summa->products));
}

enum dm_status summa_create(struct summa **summa, enum summa_variant variant,
                            const struct summa_layout *layout, const double *a, const double *b)
{
    struct summa *created = malloc(sizeof *created);
    if (!created)
        return error_no_memory(sizeof *created);
    *created = (struct summa){.variant = variant, .layout = *layout};
    enum dm_status status = create_product(created, a, b);
    if (status == DM_OK)
        *summa = created;
    else
        summa_destroy(created);
    return status;
}

void summa_destroy(struct summa *summa)
{
    if (!summa)
        return;
    summa_product_close(summa->product);
    for (int slot = 0; slot < SUMMA_SLOTS; slot++) {
        if (summa->ready[slot])
            cudaEventDestroy(summa->ready[slot]);
        if (summa->done[slot])
            cudaEventDestroy(summa->done[slot]);
    }
    if (summa->copies)
        cudaStreamDestroy(summa->copies);
    if (summa->products)
        cudaStreamDestroy(summa->products);
    for (int o = 0; o < 2; o++)
        destroy_operand(summa, &summa->operands[o]);
    memory_give_back(gpu_memory(summa), summa->c);
    free(summa->requests);
    free(summa);
}

/* ---- the product ---- */

static enum dm_status fetch(struct summa *summa, const struct summa_panel *panel, int slot)
{
    TRY_CUDA(cudaStreamWaitEvent(summa->copies, summa->done[slot], 0));
    TRY(uses_messages(summa) ? summa_fetch_mpi(summa, panel, slot)
                             : summa_fetch_caf(summa, panel, slot));
    return status_of_cuda(cudaEventRecord(summa->ready[slot], summa->copies));
}

static enum dm_status multiply_panel(struct summa *summa, const struct summa_panel *panel, int slot)
{
    TRY_CUDA(cudaStreamWaitEvent(summa->products, summa->ready[slot], 0));
    TRY_CUDA(summa_product_start(summa->product, summa_count(&summa->layout, SUMMA_ROW),
                                 summa_count(&summa->layout, SUMMA_COLUMN),
                                 panel->end - panel->begin, summa->operands[0].use[slot],
                                 summa->operands[1].use[slot], panel->begin > 0, summa->c));
    return status_of_cuda(cudaEventRecord(summa->done[slot], summa->products));
}

/* From here on the other images, if there are any, may get A and B. Messages need no such
 * agreement. */
static enum dm_status begin_segment(struct summa *summa)
{
    struct accelerated *coarrays[] = {summa->operands[0].coarray, summa->operands[1].coarray};
    bool is_alone = summa->layout.grid[SUMMA_ROW] * summa->layout.grid[SUMMA_COLUMN] == 1;
    if (uses_messages(summa) || is_alone)
        return DM_OK;
    return accelerated_sync(2, coarrays);
}

enum dm_status summa_run(struct summa *summa, bool multiply, double *time_s)
{
    double start_s = clock_now_s();
    TRY(begin_segment(summa));
    struct summa_panel panel = summa_panel(&summa->layout, 0);
    TRY(fetch(summa, &panel, 0));
    for (int slot = 0; panel.begin < summa->layout.order; slot = !slot) {
        struct summa_panel next = summa_panel(&summa->layout, panel.end);
        if (multiply)
            TRY(multiply_panel(summa, &panel, slot));
        if (next.begin < summa->layout.order)
            TRY(fetch(summa, &next, !slot));
        panel = next;
    }
    TRY_CUDA(cudaStreamSynchronize(summa->copies));
    TRY_CUDA(cudaStreamSynchronize(summa->products));
    *time_s = clock_now_s() - start_s;
    return DM_OK;
}

enum dm_status summa_result(const struct summa *summa, double *c)
{
    size_t elements = (size_t)summa_count(&summa->layout, SUMMA_ROW) *
                      (size_t)summa_count(&summa->layout, SUMMA_COLUMN);
    return status_of_cuda(cudaMemcpy(c, summa->c, elements * sizeof *c, cudaMemcpyDefault));
}
