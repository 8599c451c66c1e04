/* summa_fetch.c: how panels come to an image: it gets them, or their owner sends them. */
#include <mpi.h>

#include "common/error_cuda.h"

#include "summa_internal.h"

/* ---- coarrays ---- */

/* Mapped memory is copied even from the image itself: the product reads a panel many times, and
 * would read it through the bus each time. */
static enum dm_status get_panel(struct summa *summa, struct summa_operand *operand,
                                const struct summa_panel *panel, int slot)
{
    int owner = summa_owner(operand, panel);
    size_t offset = summa_offset(summa, operand, panel);
    bool is_own = owner == summa->layout.place[operand->along];
    if (is_own && summa->variant != SUMMA_CAF_PIN) {
        operand->use[slot] = operand->block + offset;
        return DM_OK;
    }
    operand->use[slot] = operand->panel[slot];
    return accelerated_get(operand->panel[slot], operand->coarray,
                           summa_image(summa, operand, owner), offset * sizeof(double),
                           summa_length(operand, panel) * sizeof(double), summa->copies);
}

enum dm_status summa_fetch_caf(struct summa *summa, const struct summa_panel *panel, int slot)
{
    for (int o = 0; o < 2; o++)
        TRY(get_panel(summa, &summa->operands[o], panel, slot));
    return DM_OK;
}

/* ---- messages ---- */

/* The owner's panel goes to host memory and from there to the others of its row or column. */
static enum dm_status send_panel(struct summa *summa, struct summa_operand *operand,
                                 const struct summa_panel *panel, int slot)
{
    size_t length = summa_length(operand, panel);
    int parts = summa->layout.grid[operand->along];
    operand->use[slot] = operand->block + summa_offset(summa, operand, panel);
    if (parts == 1)
        return DM_OK;
    TRY_CUDA(cudaMemcpyAsync(operand->staging[slot], operand->use[slot], length * sizeof(double),
                             cudaMemcpyDeviceToHost, summa->copies));
    TRY_CUDA(cudaStreamSynchronize(summa->copies));
    for (int i = 0; i < parts; i++)
        if (i != summa->layout.place[operand->along])
            TRY_MPI(MPI_Isend(operand->staging[slot], (int)length, MPI_DOUBLE,
                              summa_image(summa, operand, i) - 1, operand->along, MPI_COMM_WORLD,
                              &summa->requests[summa->request_count++]));
    return DM_OK;
}

static enum dm_status receive_panel(struct summa *summa, struct summa_operand *operand,
                                    const struct summa_panel *panel, int slot)
{
    operand->use[slot] = operand->panel[slot];
    return status_of_mpi(
        MPI_Irecv(operand->staging[slot], (int)summa_length(operand, panel), MPI_DOUBLE,
                  summa_image(summa, operand, summa_owner(operand, panel)) - 1, operand->along,
                  MPI_COMM_WORLD, &summa->requests[summa->request_count++]));
}

static bool is_owner(const struct summa *summa, const struct summa_operand *operand,
                     const struct summa_panel *panel)
{
    return summa_owner(operand, panel) == summa->layout.place[operand->along];
}

enum dm_status summa_fetch_mpi(struct summa *summa, const struct summa_panel *panel, int slot)
{
    summa->request_count = 0;
    /* Host memory of this slot may still be on its way to the GPU. */
    TRY_CUDA(cudaEventSynchronize(summa->ready[slot]));
    /* Receives first: a message that is expected needs no copy within MPI. */
    for (int o = 0; o < 2; o++)
        if (!is_owner(summa, &summa->operands[o], panel))
            TRY(receive_panel(summa, &summa->operands[o], panel, slot));
    for (int o = 0; o < 2; o++)
        if (is_owner(summa, &summa->operands[o], panel))
            TRY(send_panel(summa, &summa->operands[o], panel, slot));
    TRY_MPI(MPI_Waitall(summa->request_count, summa->requests, MPI_STATUSES_IGNORE));
    for (int o = 0; o < 2; o++) {
        const struct summa_operand *operand = &summa->operands[o];
        if (!is_owner(summa, operand, panel))
            TRY_CUDA(cudaMemcpyAsync(operand->panel[slot], operand->staging[slot],
                                     summa_length(operand, panel) * sizeof(double),
                                     cudaMemcpyHostToDevice, summa->copies));
    }
    return DM_OK;
}
