/* blp_bandwidth: what copy blocks can move, beside the copy engines. */
#include <stdlib.h>
#include <string.h>

#include "common/harness/option_lists.h"
#include "common/harness/program.h"

#include "bench_transfer.h"

enum { WARP = 32, TRANSFERS_MOST = 1000 };

static const struct variant variants[] = {
    [BLP_BENCH_MEMCPY] = {"memcpy", "cudaMemcpy, one call per chunk"},
    [BLP_BENCH_MEMCPY_2D] = {"memcpy2d", "cudaMemcpy2D, one call per panel of columns"},
    [BLP_BENCH_DIRECT] = {"direct", "copy blocks, contiguous; each chunk is published by a flag"},
    [BLP_BENCH_DIRECT_CHUNK] = {"direct-chunk", "copy blocks, panels as memcpy2d, in tiles"},
    [BLP_BENCH_INTERLEAVED] = {"interleaved", "copy blocks, a thread the same index of all arrays"},
    [BLP_BENCH_PER_ARRAY] = {"per-array", "copy blocks, a block one of the arrays"},
    [BLP_BENCH_METHODS] = {0},
};

static const struct column columns[] = {
    {"bytes", COLUMN_PARAMETER, "moved by one sample, both directions together"},
    {"direction", COLUMN_PARAMETER, "in: host to device; out: device to host; both at once"},
    {"chunks", COLUMN_PARAMETER, "pieces in which the bytes of a direction are moved"},
    {"blocks", COLUMN_PARAMETER, "copy blocks of each direction; interleaved, per-array: of all"},
    {"threads", COLUMN_PARAMETER, "threads of these blocks together"},
    {"vector_bits", COLUMN_PARAMETER, "bits of one load or store: 32 or 128"},
    {"arrays", COLUMN_PARAMETER, "arrays that the bytes belong to"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes / time_s, in 10^9 byte/s"},
    {0},
};

static const char *direction_list = "in,out,both", *chunk_list = "1", *bits_list = "32,128";
static const char *thread_list = "1024,2048,3072,4096,8192,12288";
static int64_t block_threads = 1024;
static const struct program_option options[] = {
    {"directions", OPTION_TEXT, &direction_list, "LIST", "of in, out, both", 0, 0},
    {"chunks", OPTION_TEXT, &chunk_list, "LIST", "powers of two up to 1024", 0, 0},
    {"copy-threads", OPTION_TEXT, &thread_list, "LIST",
     "copy threads; multiples of --block-threads, or of 32 if below", 0, 0},
    {"block-threads", OPTION_INTEGER, &block_threads, "N",
     "threads of a copy block, a multiple of 32; fewer copy threads make one block", WARP, 1024},
    {"vector-bits", OPTION_TEXT, &bits_list, "LIST", "of 32, 128", 0, 0},
    {0},
};

/* What the options ask for. */
struct sweep {
    enum blp_bench_direction directions[3];
    size_t direction_count;
    struct option_numbers chunks, threads, bits;
};

struct transfers {
    struct blp_bench_transfer of[TRANSFERS_MOST];
    size_t count;
};

static const char *const direction_names[] = {"", "in", "out", "both"};

static enum blp_bench_direction read_direction(const char *at, size_t length)
{
    for (int i = BLP_BENCH_IN; i <= BLP_BENCH_BOTH; i++)
        if (strlen(direction_names[i]) == length && !strncmp(direction_names[i], at, length))
            return (enum blp_bench_direction)i;
    fail("--directions %s: in, out and both are the directions", direction_list);
}

static void read_directions(struct sweep *sweep)
{
    const char *at = direction_list;
    for (sweep->direction_count = 0; sweep->direction_count < 3;) {
        size_t length = strcspn(at, ",");
        sweep->directions[sweep->direction_count++] = read_direction(at, length);
        if (!at[length])
            return;
        at += length + 1;
    }
    fail("--directions %s: each direction once", direction_list);
}

static void check_threads(long threads)
{
    if (threads % WARP || (threads > block_threads && threads % block_threads))
        fail("--copy-threads: %ld is neither a multiple of the %ld threads of a block nor, below "
             "that, of %d",
             threads, (long)block_threads, WARP);
}

static struct sweep read_sweep(const struct run *run)
{
    struct sweep sweep;
    read_directions(&sweep);
    sweep.chunks = option_read_numbers("chunks", chunk_list, 1, BLP_BENCH_CHUNKS_MOST);
    sweep.threads = option_read_numbers("copy-threads", thread_list, WARP, 1 << 20);
    sweep.bits = option_read_numbers("vector-bits", bits_list, 32, 128);
    if (block_threads % WARP)
        fail("--block-threads %ld is not a multiple of %d", (long)block_threads, WARP);
    for (size_t i = 0; i < sweep.chunks.count; i++)
        if (sweep.chunks.values[i] & (sweep.chunks.values[i] - 1))
            fail("--chunks: %ld is not a power of two", sweep.chunks.values[i]);
    for (size_t i = 0; i < sweep.threads.count; i++)
        check_threads(sweep.threads.values[i]);
    for (size_t i = 0; i < sweep.bits.count; i++)
        if (sweep.bits.values[i] != 32 && sweep.bits.values[i] != 128)
            fail("--vector-bits: %ld is neither 32 nor 128", sweep.bits.values[i]);
    if (run->settings.size < BLP_BENCH_ROW_BYTES || run->settings.size % BLP_BENCH_ROW_BYTES)
        fail("-s %zu is not a multiple of 16K, a row of the matrix", run->settings.size);
    return sweep;
}

static void free_sweep(struct sweep *sweep)
{
    free(sweep->chunks.values);
    free(sweep->threads.values);
    free(sweep->bits.values);
}

static void add(struct transfers *transfers, struct blp_bench_transfer transfer)
{
    if (transfers->count == TRANSFERS_MOST)
        fail("the lists make more than %d configurations", TRANSFERS_MOST);
    transfers->of[transfers->count++] = transfer;
}

static void add_direct(struct transfers *transfers, const struct sweep *sweep,
                       struct blp_bench_transfer transfer)
{
    const bool per_array = transfer.method == BLP_BENCH_PER_ARRAY;
    for (size_t t = 0; t < sweep->threads.count; t++)
        for (size_t b = 0; b < sweep->bits.count; b++) {
            long threads = sweep->threads.values[t];
            transfer.threads = (int)(threads < block_threads ? threads : block_threads);
            transfer.blocks = (int)(threads / transfer.threads);
            transfer.vector_bits = (int)sweep->bits.values[b];
            if (!per_array || transfer.blocks % blp_bench_arrays(&transfer) == 0)
                add(transfers, transfer);
        }
}

static void add_method(struct transfers *transfers, const struct sweep *sweep,
                       struct blp_bench_transfer transfer)
{
    const bool arrays = transfer.method >= BLP_BENCH_INTERLEAVED;
    for (size_t d = 0; d < sweep->direction_count; d++) {
        transfer.direction = sweep->directions[d];
        if (arrays && transfer.direction == BLP_BENCH_OUT)
            continue;
        for (size_t c = 0; c < (arrays ? 1 : sweep->chunks.count); c++) {
            transfer.chunks = arrays ? 1 : sweep->chunks.values[c];
            if (transfer.method < BLP_BENCH_DIRECT)
                add(transfers, transfer);
            else
                add_direct(transfers, sweep, transfer);
        }
    }
}

static void record(struct run *run, const struct blp_bench_transfer *transfer,
                   const struct subject *subject, long errors)
{
    const bool direct = transfer->method >= BLP_BENCH_DIRECT;
    const size_t bytes = blp_bench_bytes(transfer);
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            integer((int64_t)bytes),
            text(direction_names[transfer->direction]),
            integer(transfer->chunks),
            direct ? integer(transfer->blocks) : none(),
            direct ? integer((int64_t)transfer->blocks * transfer->threads) : none(),
            direct ? integer(transfer->vector_bits) : none(),
            integer(blp_bench_arrays(transfer)),
            real(1e-9 * (double)bytes / subject->times_s[i]),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], errors);
    }
}

static double sample(void *transfer)
{
    return blp_bench_transfer(transfer);
}

static long count_errors(const struct blp_bench_transfer *transfer)
{
    blp_bench_transfer_clear(transfer);
    blp_bench_transfer(transfer);
    return blp_bench_transfer_errors(transfer);
}

static void measure_all(struct run *run, struct transfers *transfers)
{
    struct subject *subjects = allocate_or_fail(transfers->count, sizeof *subjects);
    for (size_t i = 0; i < transfers->count; i++)
        subjects[i] = (struct subject){.variant = variants[transfers->of[i].method].name,
                                       .sample = sample,
                                       .context = &transfers->of[i]};
    measure(run, subjects, transfers->count);
    for (size_t i = 0; i < transfers->count; i++) {
        long errors = run->settings.check ? count_errors(&transfers->of[i]) : 0;
        record(run, &transfers->of[i], &subjects[i], errors);
    }
    measure_free(subjects, transfers->count);
    free(subjects);
}

static void run_all(struct run *run)
{
    struct sweep sweep = read_sweep(run);
    struct blp_bench_memory memory;
    struct transfers *transfers = allocate_or_fail(1, sizeof *transfers);
    transfers->count = 0;
    for (int method = 0; method < BLP_BENCH_METHODS; method++)
        if (program_wants(run, variants[method].name))
            add_method(transfers, &sweep,
                       (struct blp_bench_transfer){.memory = &memory,
                                                   .method = (enum blp_bench_method)method});
    if (!transfers->count)
        fail("these options leave nothing to measure: several arrays come in, or go both ways, and "
             "per-array takes 3 or 4 blocks or multiples");
    blp_bench_memory_open(&memory, run->settings.size, run->settings.seed);
    measure_all(run, transfers);
    blp_bench_memory_close(&memory);
    free(transfers);
    free_sweep(&sweep);
}

const struct program program = {
    .name = "blp_bandwidth",
    .summary = "bandwidth of direct access by copy blocks, and of the copy engines",
    .details =
        "Direct access: the threads of a kernel load from page-locked host memory and store to\n"
        "the device, or the reverse. -s is the number of bytes of a direction. memcpy2d and\n"
        "direct-chunk move panels of columns of a matrix with rows of 16 KiB. per-array is\n"
        "measured where the blocks are a multiple of the arrays: 3 come in; with both\n"
        "directions 1 more goes out. All configurations are sampled in turn.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .default_size = 64 << 20,
    .uses_gpu = true,
    .run = run_all,
};
