#include "to_csc.h"

#include "common/error_cuda.h"
#include "common/gpu.h"

#include "spmv/formats/device.h"

static __device__ int digit_of(int32_t column, int shift)
{
    return column >> shift & (SPARSE_DIGITS - 1);
}

static __global__ void count_digits_kernel(const int32_t *column, int64_t entries, int64_t runs,
                                           int shift, int64_t *counts)
{
    int64_t run = sparse_thread(), first = run * SPARSE_DIGIT_RUN;
    if (run >= runs)
        return;
    int32_t count[SPARSE_DIGITS] = {};
    for (int64_t k = first; k < first + SPARSE_DIGIT_RUN && k < entries; k++)
        count[digit_of(column[k], shift)]++;
    for (int digit = 0; digit < SPARSE_DIGITS; digit++)
        counts[digit * runs + run] = count[digit];
}

enum dm_status sparse_convert_count_digits(const int32_t *column, int64_t entries, int shift,
                                           int64_t *counts, cudaStream_t stream)
{
    int64_t runs = sparse_digit_runs(entries);
    dm_launch(count_digits_kernel, sparse_blocks(runs), SPARSE_THREADS, 0, stream, column, entries,
              runs, shift, counts);
    return status_of_cuda(cudaGetLastError());
}

template <class Word>
static __global__ void move_kernel(struct sparse_triples from, struct sparse_triples to,
                                   int64_t entries, int64_t runs, int shift, const int64_t *place)
{
    int64_t run = sparse_thread(), first = run * SPARSE_DIGIT_RUN;
    if (run >= runs)
        return;
    int64_t next[SPARSE_DIGITS];
    for (int digit = 0; digit < SPARSE_DIGITS; digit++)
        next[digit] = place[digit * runs + run];
    for (int64_t k = first; k < first + SPARSE_DIGIT_RUN && k < entries; k++) {
        int32_t column = from.column[k];
        int64_t at = next[digit_of(column, shift)]++;
        to.row[at] = from.row[k];
        to.column[at] = column;
        ((Word *)to.value)[at] = ((const Word *)from.value)[k];
    }
}

enum dm_status sparse_convert_move(const struct sparse_triples *from,
                                   const struct sparse_triples *to, enum spmv_precision precision,
                                   int64_t entries, int shift, const int64_t *place,
                                   cudaStream_t stream)
{
    int64_t runs = sparse_digit_runs(entries);
    if (precision == SPMV_DOUBLE)
        dm_launch(move_kernel<uint64_t>, sparse_blocks(runs), SPARSE_THREADS, 0, stream, *from, *to,
                  entries, runs, shift, place);
    else
        dm_launch(move_kernel<uint32_t>, sparse_blocks(runs), SPARSE_THREADS, 0, stream, *from, *to,
                  entries, runs, shift, place);
    return status_of_cuda(cudaGetLastError());
}

/* The first entry of the column or of one behind it. */
static __global__ void find_columns_kernel(const int32_t *column, int64_t entries,
                                           struct sparse_starts starts)
{
    int64_t wanted = sparse_thread(), low = 0, high = entries;
    if (wanted > starts.count)
        return;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (column[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (starts.is_wide)
        ((int64_t *)starts.offset)[wanted] = low;
    else
        ((int32_t *)starts.offset)[wanted] = (int32_t)low;
}

enum dm_status sparse_convert_find_columns(const int32_t *column, int64_t entries,
                                           struct sparse_starts *starts, cudaStream_t stream)
{
    dm_launch(find_columns_kernel, sparse_blocks(starts->count + 1), SPARSE_THREADS, 0, stream,
              column, entries, *starts);
    return status_of_cuda(cudaGetLastError());
}
