#include "common/error_cuda.h"
#include "common/gpu.h"

#include "convert.h"
#include "spmv/formats/device.h"

/* Conversion moves bytes, so the width of the starts is looked at where they are read, and values
 * are words: one kernel each instead of four. */
static __device__ int64_t start_at(const struct sparse_starts &starts, int64_t i)
{
    return starts.is_wide ? ((const int64_t *)starts.offset)[i]
                          : ((const int32_t *)starts.offset)[i];
}

static __device__ int64_t length_of(const struct sparse_starts &starts, int64_t row)
{
    return row < starts.count ? start_at(starts, row + 1) - start_at(starts, row) : 0;
}

/* ---- lengths ---- */

/* Few rows are longer than what is known already, so that few threads meet in an atomic. */
static __global__ void lengths_kernel(struct sparse_starts starts, int64_t padded, int32_t *length,
                                      uint32_t hack_rows, int32_t *longest)
{
    int64_t row = sparse_thread();
    if (row >= padded)
        return;
    int32_t here = (int32_t)length_of(starts, row);
    if (length)
        length[row] = here;
    if (!longest)
        return;
    int32_t *known = &longest[(uint32_t)row / hack_rows];
    if (*(volatile int32_t *)known < here)
        atomicMax(known, here);
}

enum dm_status sparse_convert_lengths(const struct sparse_starts *starts, int64_t padded,
                                      int32_t *length, int64_t hack_rows, int32_t *longest,
                                      cudaStream_t stream)
{
    dm_launch(lengths_kernel, sparse_blocks(padded), SPARSE_THREADS, 0, stream, *starts, padded,
              length, (uint32_t)hack_rows, longest);
    return status_of_cuda(cudaGetLastError());
}

/* Rows that a block counts in its shared memory: enough to make the counters' way to the device's
 * memory worth it. */
enum { COUNTED_ROWS = 16384, COUNTERS = SPARSE_HYB_WIDEST + 1 };

static __global__ void count_lengths_kernel(struct sparse_starts starts, int32_t *rows_of)
{
    __shared__ int32_t here[COUNTERS];
    for (int i = threadIdx.x; i < COUNTERS; i += SPARSE_THREADS)
        here[i] = 0;
    __syncthreads();
    int64_t first = (int64_t)blockIdx.x * COUNTED_ROWS;
    for (int64_t row = first + threadIdx.x; row < first + COUNTED_ROWS && row < starts.count;
         row += SPARSE_THREADS) {
        int64_t length = length_of(starts, row);
        atomicAdd(&here[length < COUNTERS - 1 ? length : COUNTERS - 1], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < COUNTERS; i += SPARSE_THREADS)
        if (here[i] > 0)
            atomicAdd(&rows_of[i], here[i]);
}

enum dm_status sparse_convert_count_lengths(const struct sparse_starts *starts, int32_t *rows_of,
                                            cudaStream_t stream)
{
    unsigned blocks = (unsigned)((starts->count + COUNTED_ROWS - 1) / COUNTED_ROWS);
    dm_launch(count_lengths_kernel, blocks, SPARSE_THREADS, 0, stream, *starts, rows_of);
    return status_of_cuda(cudaGetLastError());
}

static __global__ void rests_kernel(struct sparse_starts starts, int64_t width, int64_t *rest)
{
    int64_t row = sparse_thread();
    if (row > starts.count)
        return;
    int64_t length = length_of(starts, row);
    rest[row] = length > width ? length - width : 0;
}

enum dm_status sparse_convert_rests(const struct sparse_starts *starts, int64_t width,
                                    int64_t *rest, cudaStream_t stream)
{
    dm_launch(rests_kernel, sparse_blocks(starts->count + 1), SPARSE_THREADS, 0, stream, *starts,
              width, rest);
    return status_of_cuda(cudaGetLastError());
}

/* ---- places: one thread block per piece of CSR, whose tile tells the rows it is in ---- */

/* The row that entry k of the piece is in: the last one that begins there or before. */
static __device__ int32_t row_of(const struct sparse_starts &starts, struct sparse_csr_piece piece,
                                 int64_t k)
{
    int32_t low = piece.row, high = piece.rows > 0 ? piece.row + piece.rows - 1 : piece.row;
    while (low < high) {
        int32_t middle = high - (high - low) / 2;
        if (start_at(starts, middle) <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static __global__ void rows_kernel(const struct sparse_csr_piece *pieces,
                                   struct sparse_starts starts, int32_t *row)
{
    struct sparse_csr_piece piece = pieces[blockIdx.x];
    for (int i = threadIdx.x; i < piece.entries; i += SPARSE_THREADS)
        row[piece.first + i] = row_of(starts, piece, piece.first + i);
}

enum dm_status sparse_convert_rows(const struct sparse_csr_device *csr, int32_t *row,
                                   cudaStream_t stream)
{
    dm_launch(rows_kernel, (unsigned)csr->piece_count, SPARSE_THREADS, 0, stream, csr->pieces,
              csr->starts, row);
    return status_of_cuda(cudaGetLastError());
}

template <class Word>
static __device__ void place(const struct sparse_rectangles &to, int32_t row, int64_t j,
                             int32_t column, Word value)
{
    if (j < to.width) {
        uint32_t hack = (uint32_t)row / to.hack_rows, r = (uint32_t)row % to.hack_rows;
        int64_t first = to.starts.offset ? start_at(to.starts, hack) : 0;
        int64_t at = first + j * to.hack_rows + r;
        to.column[at] = column;
        ((Word *)to.value)[at] = value;
    } else {
        int64_t at = to.rest_start[row] + j - to.width;
        to.rest.row[at] = row;
        to.rest.column[at] = column;
        ((Word *)to.rest.value)[at] = value;
    }
}

template <class Word>
static __global__ void place_kernel(const struct sparse_csr_piece *pieces,
                                    struct sparse_starts starts, const int32_t *column,
                                    const Word *value, struct sparse_rectangles to)
{
    struct sparse_csr_piece piece = pieces[blockIdx.x];
    for (int i = threadIdx.x; i < piece.entries; i += SPARSE_THREADS) {
        int64_t k = piece.first + i;
        int32_t row = row_of(starts, piece, k);
        place(to, row, k - start_at(starts, row), column[k], value[k]);
    }
}

enum dm_status sparse_convert_place(const struct sparse_csr_device *csr,
                                    enum spmv_precision precision,
                                    const struct sparse_rectangles *to, cudaStream_t stream)
{
    if (precision == SPMV_DOUBLE)
        dm_launch(place_kernel<uint64_t>, (unsigned)csr->piece_count, SPARSE_THREADS, 0, stream,
                  csr->pieces, csr->starts, csr->column, (const uint64_t *)csr->value, *to);
    else
        dm_launch(place_kernel<uint32_t>, (unsigned)csr->piece_count, SPARSE_THREADS, 0, stream,
                  csr->pieces, csr->starts, csr->column, (const uint32_t *)csr->value, *to);
    return status_of_cuda(cudaGetLastError());
}

static __global__ void starts_kernel(struct sparse_starts starts, const int64_t *offset)
{
    int64_t i = sparse_thread();
    if (i > starts.count)
        return;
    if (starts.is_wide)
        ((int64_t *)starts.offset)[i] = offset[i];
    else
        ((int32_t *)starts.offset)[i] = (int32_t)offset[i];
}

enum dm_status sparse_convert_starts(struct sparse_starts *starts, const int64_t *offset,
                                     cudaStream_t stream)
{
    dm_launch(starts_kernel, sparse_blocks(starts->count + 1), SPARSE_THREADS, 0, stream, *starts,
              offset);
    return status_of_cuda(cudaGetLastError());
}
