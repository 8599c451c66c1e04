/* blp_bandwidth: what copy blocks can move, beside the copy engines. */
#include <stdlib.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "bench_groups.h"
#include "bench_transfer.h"

enum { WARP = 32, TASKS_MAX = 1000 };

static const struct variant variants[] = {
    [TRANSFER_MEMCPY] = {"memcpy", "cudaMemcpy, one call per chunk"},
    [TRANSFER_MEMCPY_2D] = {"memcpy2d", "cudaMemcpy2D, one call per panel of columns"},
    [TRANSFER_DIRECT] = {"direct", "copy blocks, contiguous; each chunk is published by a flag"},
    [TRANSFER_DIRECT_CHUNK] = {"direct-chunk", "copy blocks, panels as memcpy2d, in tiles"},
    [TRANSFER_INTERLEAVED] = {"interleaved", "copy blocks, a thread the same index of all arrays"},
    [TRANSFER_PER_ARRAY] = {"per-array", "copy blocks, a block one of the arrays"},
    [TRANSFER_METHODS] = {0},
};

struct row {
    size_t bytes;
    const char *direction;
    long chunks;
    int64_t blocks, out_blocks, threads, vector_bits;
    int arrays;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, bytes, "moved by one sample, both directions together"),
    PARAMETER(struct row, direction, "in: host to device; out: device to host; both at once"),
    PARAMETER(struct row, chunks, "pieces in which the bytes of a direction are moved"),
    PARAMETER(struct row, blocks,
              "copy blocks of each direction; interleaved, per-array: of all arrays"),
    PARAMETER(struct row, out_blocks, "copy blocks out, if not as many as in (--copy-blocks)"),
    PARAMETER(struct row, threads, "threads of these blocks together; of --copy-blocks those in"),
    PARAMETER(struct row, vector_bits, "bits of one load or store: 32 or 128"),
    PARAMETER(struct row, arrays, "arrays that the bytes belong to"),
    METRIC(struct row, bandwidth_gbs, "bytes / time_s, in 10^9 byte/s"),
    {0},
};

/* Names by enum transfer_direction less 1, and bits by widths. */
static const char *const direction_names[] = {"in", "out", "both", NULL};
static const char *const width_names[] = {"32", "128", NULL};
static const int width_bits[] = {32, 128};
static struct option_choices directions = {
    .noun = "direction", .names = direction_names, .list = "in,out,both"};
static struct option_choices widths = {.noun = "width", .names = width_names, .list = "32,128"};
static struct option_numbers chunks = {.list = "1"};
static struct option_numbers copy_threads = {.list = "1024,2048,3072,4096,8192,12288"};
static int64_t block_threads = 1024;
static const char *copy_blocks;
static struct copy_groups splits; /* of copy_blocks */
static const struct program_option options[] = {
    {"directions", OPTION_CHOICES, &directions, "LIST", "of in, out, both", 0, 0},
    {"chunks", OPTION_NUMBERS, &chunks, "LIST", "powers of two up to 1024", 1, TRANSFER_CHUNKS_MAX},
    {"copy-threads", OPTION_NUMBERS, &copy_threads, "LIST",
     "copy threads; multiples of --block-threads, or of 32 if below", WARP, 1 << 20},
    {"block-threads", OPTION_INTEGER, &block_threads, "N",
     "threads of a copy block, a multiple of 32; fewer copy threads make one block", WARP, 1024},
    {"copy-blocks", OPTION_TEXT, &copy_blocks, "LIST",
     "copy blocks IN:OUT of direct in both directions, instead of --copy-threads", 0, 0},
    {"vector-bits", OPTION_CHOICES, &widths, "LIST", "of 32, 128", 0, 0},
    {0},
};

static void check_options(const struct run *run)
{
    if (block_threads % WARP)
        fail("--block-threads %ld is not a multiple of %d", (long)block_threads, WARP);
    for (size_t i = 0; i < chunks.count; i++)
        if (chunks.values[i] & (chunks.values[i] - 1))
            fail("--chunks: %ld is not a power of two", chunks.values[i]);
    for (size_t i = 0; i < copy_threads.count; i++) {
        const long threads = copy_threads.values[i];
        if (threads % WARP || (threads > block_threads && threads % block_threads))
            fail("--copy-threads: %ld is neither a multiple of the %ld threads of a block nor, "
                 "below that, of %d",
                 threads, (long)block_threads, WARP);
    }
    if (copy_blocks)
        splits = read_copy_blocks("copy-blocks", copy_blocks, 1024);
    for (size_t i = 0; i < splits.count; i++)
        if (!splits.values[i].in || !splits.values[i].out)
            fail("--copy-blocks %s: at least one block in each direction is needed", copy_blocks);
    if (run->settings.size < TRANSFER_ROW_BYTES || run->settings.size % TRANSFER_ROW_BYTES)
        fail("-s %zu is not a multiple of 16K, a row of the matrix", run->settings.size);
}

/* ---- what is measured ---- */

struct task {
    int variant; /* enum transfer_method */
    struct transfer transfer;
};
static struct task tasks[TASKS_MAX];
static size_t task_count;

static void add(struct transfer transfer)
{
    if (task_count == TASKS_MAX)
        fail("the lists make more than %d configurations", TASKS_MAX);
    tasks[task_count++] = (struct task){(int)transfer.method, transfer};
}

/* Of --copy-blocks: as many in as out are those of --copy-threads. */
static void add_splits(struct transfer transfer)
{
    for (size_t s = 0; s < splits.count; s++)
        for (size_t w = 0; w < widths.count; w++) {
            const struct copy_group split = splits.values[s];
            transfer.threads = (int)block_threads;
            transfer.blocks = split.in;
            transfer.out_blocks = split.in == split.out ? 0 : split.out;
            transfer.vector_bits = width_bits[widths.values[w]];
            add(transfer);
        }
}

static void add_direct(struct transfer transfer)
{
    const bool per_array = transfer.method == TRANSFER_PER_ARRAY;
    for (size_t t = 0; t < copy_threads.count; t++)
        for (size_t w = 0; w < widths.count; w++) {
            const long threads = copy_threads.values[t];
            transfer.threads = (int)(threads < block_threads ? threads : block_threads);
            transfer.blocks = (int)(threads / transfer.threads);
            transfer.vector_bits = width_bits[widths.values[w]];
            if (!per_array || transfer.blocks % transfer_arrays(&transfer) == 0)
                add(transfer);
        }
}

/* Several arrays are moved as a whole, and never out alone. */
static void add_method(struct transfer transfer)
{
    const bool arrays = transfer.method >= TRANSFER_INTERLEAVED;
    for (size_t d = 0; d < directions.count; d++) {
        transfer.direction = (enum transfer_direction)(directions.values[d] + 1);
        if (arrays && transfer.direction == DIRECTION_OUT)
            continue;
        for (size_t c = 0; c < (arrays ? 1 : chunks.count); c++) {
            transfer.chunks = arrays ? 1 : chunks.values[c];
            if (transfer.method < TRANSFER_DIRECT)
                add(transfer);
            else if (splits.count && transfer.method == TRANSFER_DIRECT &&
                     transfer.direction == DIRECTION_BOTH)
                add_splits(transfer);
            else
                add_direct(transfer);
        }
    }
}

static double move(void *task)
{
    return transfer_run(&((struct task *)task)->transfer);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct transfer *transfer = &((const struct task *)task)->transfer;
    const bool direct = transfer->method >= TRANSFER_DIRECT;
    const size_t bytes = transfer_bytes(transfer);
    *(struct row *)row =
        (struct row){.bytes = bytes,
                     .direction = direction_names[transfer->direction - 1],
                     .chunks = transfer->chunks,
                     .blocks = direct ? transfer->blocks : NO_VALUE,
                     .out_blocks = transfer->out_blocks ? transfer->out_blocks : NO_VALUE,
                     .threads = direct ? (int64_t)transfer->blocks * transfer->threads : NO_VALUE,
                     .vector_bits = direct ? transfer->vector_bits : NO_VALUE,
                     .arrays = transfer_arrays(transfer),
                     .bandwidth_gbs = 1e-9 * (double)bytes / time_s};
}

static long count_errors(struct run *run, void *task)
{
    const struct transfer *transfer = &((struct task *)task)->transfer;
    (void)run;
    transfer_clear(transfer);
    transfer_run(transfer);
    return transfer_errors(transfer);
}

static const struct comparison comparison = {.task_bytes = TASK(struct task),
                                             .row_bytes = sizeof(struct row),
                                             .sample = move,
                                             .row = fill_row,
                                             .verify = count_errors};

static void run_all(struct run *run)
{
    struct transfer_memory memory;
    check_options(run);
    for (int method = 0; method < TRANSFER_METHODS; method++)
        if (program_wants_variant(run, method))
            add_method(
                (struct transfer){.memory = &memory, .method = (enum transfer_method)method});
    if (!task_count)
        fail("these options leave nothing to measure: several arrays come in, or go both ways, and "
             "per-array takes 3 or 4 blocks or multiples");
    transfer_memory_open(&memory, run->settings.size, run->settings.seed);
    compare_tasks(run, &comparison, tasks, task_count);
    transfer_memory_close(&memory);
    free(splits.values);
}

const struct program program = {
    .name = "blp_bandwidth",
    .summary = "bandwidth of direct access by copy blocks, and of the copy engines",
    .details =
        "Direct access: the threads of a kernel load from page-locked host memory and store to\n"
        "the device, or the reverse. -s is the number of bytes of a direction. memcpy2d and\n"
        "direct-chunk move panels of columns of a matrix with rows of 16 KiB. per-array is\n"
        "measured where the blocks are a multiple of the arrays: 3 come in; with both\n"
        "directions 1 more goes out. All configurations are sampled interleaved.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .default_size = 64 << 20,
    .uses_gpu = true,
    .run = run_all,
};
