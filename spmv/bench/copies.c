/* Products of one matrix in one way, in copies that are used round-robin. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/error.h"
#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

#include "spmv/formats/parts.h"
#include "ways.h"

static size_t vector_bytes(const struct spmv_task *task, int64_t elements)
{
    return (size_t)elements * spmv_value_bytes(task->options.precision);
}

void spmv_task_open(struct spmv_task *task, const struct spmv_coo *coo, uint64_t seed)
{
    size_t rows = (size_t)coo->rows, columns = (size_t)coo->columns;
    double *x = allocate_or_fail(columns, sizeof *x);
    task->coo = coo;
    task->exact = allocate_or_fail(rows, sizeof *task->exact);
    task->magnitude = allocate_or_fail(rows, sizeof *task->magnitude);
    if (task->options.precision == SPMV_DOUBLE) {
        random_fill_double(x, columns, seed);
        task->x = x;
    } else {
        float *rounded = task->x = allocate_or_fail(columns, sizeof *rounded);
        random_fill_float(rounded, columns, seed);
        for (size_t j = 0; j < columns; j++)
            x[j] = rounded[j];
    }
    sparse_reference(coo, 1, x, 0, task->exact, task->magnitude);
    if (task->x != x)
        free(x);
}

void spmv_task_close(struct spmv_task *task)
{
    free(task->x);
    free(task->exact);
    free(task->magnitude);
}

size_t spmv_task_bytes(const struct spmv_task *task)
{
    return (size_t)sparse_product_bytes(task->coo, spmv_value_bytes(task->options.precision));
}

/* Memory is near the thread that writes it first, so each writes about what it will read: the rows
 * that a thread computes mostly use elements of x with numbers like theirs. */
static void copy_by_threads(char *to, const char *from, size_t bytes)
{
#pragma omp parallel
    {
        struct sparse_part part = sparse_equal_part((int64_t)bytes);
        memcpy(to + part.first, from + part.first, (size_t)(part.last - part.first));
    }
}

static void open_vectors(struct spmv_copy *copy, const struct spmv_task *task, bool on_device)
{
    enum memory_kind kind = on_device ? MEMORY_DEVICE : MEMORY_PAGEABLE;
    size_t x_bytes = vector_bytes(task, task->coo->columns);
    copy->x = memory_allocate(kind, x_bytes);
    copy->y = memory_allocate(kind, vector_bytes(task, task->coo->rows));
    if (on_device)
        memory_copy(copy->x, task->x, x_bytes);
    else
        copy_by_threads(copy->x, task->x, x_bytes);
}

static void close_vectors(struct spmv_copy *copy, bool on_device)
{
    enum memory_kind kind = on_device ? MEMORY_DEVICE : MEMORY_PAGEABLE;
    memory_release(kind, copy->x);
    memory_release(kind, copy->y);
}

static enum dm_status open_matrix(struct spmv_copies *copies, size_t i)
{
    double start_s = clock_now_s();
    enum dm_status status = copies->way->open(&copies->copy[i], copies->way->kind, copies->task);
    if (copies->way->on_device)
        check_cuda(cudaDeviceSynchronize());
    copies->convert_s = fmin(copies->convert_s, clock_now_s() - start_s);
    return status;
}

/* After an error the copy is not there, and neither are its vectors. */
static enum dm_status open_copy(struct spmv_copies *copies, size_t i)
{
    open_vectors(&copies->copy[i], copies->task, copies->way->on_device);
    enum dm_status status = open_matrix(copies, i);
    /* The first conversion also pays for memory that the system gives for the first time. */
    if (status == DM_OK && i == 0) {
        copies->way->close(&copies->copy[0]);
        status = open_matrix(copies, 0);
    }
    if (status != DM_OK)
        close_vectors(&copies->copy[i], copies->way->on_device);
    return status;
}

enum dm_status spmv_copies_open(struct spmv_copies *copies, const struct spmv_way *way,
                                const struct spmv_task *task, size_t count)
{
    enum dm_status status = DM_OK;
    *copies = (struct spmv_copies){
        .way = way, .task = task, .convert_s = INFINITY, .reformat_s = (double)NAN};
    while (copies->count < count && status == DM_OK) {
        status = open_copy(copies, copies->count);
        copies->count += status == DM_OK;
    }
    if (status != DM_OK)
        spmv_copies_close(copies);
    return status;
}

void spmv_copies_close(struct spmv_copies *copies)
{
    for (size_t i = 0; i < copies->count; i++) {
        copies->way->close(&copies->copy[i]);
        close_vectors(&copies->copy[i], copies->way->on_device);
    }
}

void spmv_copies_multiply(void *copies, size_t turn, cudaStream_t stream)
{
    const struct spmv_copies *all = copies;
    all->way->multiply(&all->copy[turn], stream);
}

/* The product of one copy, on the host. */
static void fetch_product(const struct spmv_copies *copies, size_t i, void *y, size_t bytes)
{
    const struct spmv_copy *copy = &copies->copy[i];
    enum { ALL_ONES = 0xff }; /* a NaN of either precision */
    if (copies->way->on_device)
        check_cuda(cudaMemset(copy->y, ALL_ONES, bytes));
    else
        memset(copy->y, ALL_ONES, bytes);
    copies->way->multiply(copy, NULL);
    memory_copy(y, copy->y, bytes);
}

double spmv_copies_verify(struct spmv_copies *copies, long *wrong)
{
    const struct spmv_task *task = copies->task;
    size_t bytes = vector_bytes(task, task->coo->rows);
    void *y = allocate_or_fail(1, bytes);
    double worst = 0;
    *wrong = 0;
    for (size_t i = 0; i < copies->count; i++) {
        fetch_product(copies, i, y, bytes);
        double ratio = sparse_error_ratio(task->coo, y, task->options.precision == SPMV_DOUBLE,
                                          task->exact, task->magnitude);
        *wrong += !(ratio <= 1);
        worst = fmax(worst, ratio);
    }
    free(y);
    return worst;
}
