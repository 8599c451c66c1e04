/* summa_fetch.c: how panels come to an image: it gets them, or their owner sends them. */
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "common/harness/exit.h"

#include "summa_internal.h"

/* ---- coarrays ---- */

/* Mapped memory is copied even from the image itself: the product reads a panel many times, and
 * would read it through the bus each time. */
static void get_panel(struct summa *summa, struct summa_operand *operand,
                      const struct summa_panel *panel, int slot)
{
    int owner = summa_owner(operand, panel);
    size_t offset = summa_offset(summa, operand, panel);
    bool is_own = owner == summa->layout.place[operand->along];
    if (is_own && summa->variant != SUMMA_CAF_PIN) {
        operand->use[slot] = operand->block + offset;
        return;
    }
    operand->use[slot] = operand->panel[slot];
    check_caf(accelerated_get(operand->panel[slot], operand->coarray,
                              summa_image(summa, operand, owner), offset * sizeof(double),
                              summa_length(operand, panel) * sizeof(double), summa->copies));
}

void summa_fetch_caf(struct summa *summa, const struct summa_panel *panel, int slot)
{
    for (int o = 0; o < 2; o++)
        get_panel(summa, &summa->operands[o], panel, slot);
}

/* ---- messages ---- */

enum { REQUESTS_AT_START = 8 };

struct requests {
    MPI_Request *all;
    int count;
};

/* The owner's panel goes to host memory and from there to the others of its row or column. */
static void send_panel(struct summa *summa, struct summa_operand *operand,
                       const struct summa_panel *panel, int slot, struct requests *requests)
{
    size_t length = summa_length(operand, panel);
    int parts = summa->layout.grid[operand->along];
    operand->use[slot] = operand->block + summa_offset(summa, operand, panel);
    if (parts == 1)
        return;
    check_cuda(cudaMemcpyAsync(operand->staging[slot], operand->use[slot], length * sizeof(double),
                               cudaMemcpyDeviceToHost, summa->copies));
    check_cuda(cudaStreamSynchronize(summa->copies));
    for (int i = 0; i < parts; i++)
        if (i != summa->layout.place[operand->along])
            check_mpi(MPI_Isend(operand->staging[slot], (int)length, MPI_DOUBLE,
                                summa_image(summa, operand, i) - 1, operand->along, MPI_COMM_WORLD,
                                &requests->all[requests->count++]));
}

static void receive_panel(struct summa *summa, struct summa_operand *operand,
                          const struct summa_panel *panel, int slot, struct requests *requests)
{
    operand->use[slot] = operand->panel[slot];
    check_mpi(MPI_Irecv(operand->staging[slot], (int)summa_length(operand, panel), MPI_DOUBLE,
                        summa_image(summa, operand, summa_owner(operand, panel)) - 1,
                        operand->along, MPI_COMM_WORLD, &requests->all[requests->count++]));
}

static bool is_owner(const struct summa *summa, const struct summa_operand *operand,
                     const struct summa_panel *panel)
{
    return summa_owner(operand, panel) == summa->layout.place[operand->along];
}

void summa_fetch_mpi(struct summa *summa, const struct summa_panel *panel, int slot)
{
    MPI_Request all[REQUESTS_AT_START];
    int most = summa->layout.grid[SUMMA_ROW] + summa->layout.grid[SUMMA_COLUMN];
    struct requests requests = {.all = all};
    if (most > REQUESTS_AT_START)
        requests.all = allocate_or_fail((unsigned long)most, sizeof *requests.all);
    /* Host memory of this slot may still be on its way to the GPU. */
    check_cuda(cudaEventSynchronize(summa->ready[slot]));
    /* Receives first: a message that is expected needs no copy within MPI. */
    for (int o = 0; o < 2; o++)
        if (!is_owner(summa, &summa->operands[o], panel))
            receive_panel(summa, &summa->operands[o], panel, slot, &requests);
    for (int o = 0; o < 2; o++)
        if (is_owner(summa, &summa->operands[o], panel))
            send_panel(summa, &summa->operands[o], panel, slot, &requests);
    check_mpi(MPI_Waitall(requests.count, requests.all, MPI_STATUSES_IGNORE));
    for (int o = 0; o < 2; o++) {
        const struct summa_operand *operand = &summa->operands[o];
        if (!is_owner(summa, operand, panel))
            check_cuda(cudaMemcpyAsync(operand->panel[slot], operand->staging[slot],
                                       summa_length(operand, panel) * sizeof(double),
                                       cudaMemcpyHostToDevice, summa->copies));
    }
    if (requests.all != all)
        free(requests.all);
}
