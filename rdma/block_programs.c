#include "common/harness/compare.h"
#include "common/random.h"

#include "block.h"

const struct variant block_variants[] = {
    {"host-pageable", "MPI; the worker's block is in main memory"},
    {"host-pinned", "MPI; the worker's block is in page-locked main memory"},
    {"staged-pageable", "GPU memory; copy, then MPI, through a pageable buffer"},
    {"staged", "GPU memory; copy, then MPI, through a page-locked buffer"},
    {"pipelined", "GPU memory; copies and MPI in chunks, at the same time"},
    {"pipelined-shared", "GPU memory; chunks in page-locked memory that both ranks map"},
    {"cuda-aware", "GPU memory; MPI gets the device pointer"},
    {"peer-copy", "GPU memory; the worker's copy engine reads and writes the server's memory"},
    {"peer-store", "GPU memory; a resident kernel of the worker does"},
    {0},
};

/* In the order of the variants. Paths in which the worker's GPU reads or writes the server's memory
 * need that page-locked. */
static const struct {
    enum rdma_path path;
    enum rdma_place places[2]; /* of worker and server */
} ways[] = {
    {RDMA_HOST, {RDMA_PAGEABLE, RDMA_PAGEABLE}},
    {RDMA_HOST, {RDMA_PINNED, RDMA_PAGEABLE}},
    {RDMA_STAGED_PAGEABLE, {RDMA_DEVICE, RDMA_PAGEABLE}},
    {RDMA_STAGED, {RDMA_DEVICE, RDMA_PAGEABLE}},
    {RDMA_PIPELINED, {RDMA_DEVICE, RDMA_PAGEABLE}},
    {RDMA_PIPELINED_SHARED, {RDMA_DEVICE, RDMA_PINNED}},
    {RDMA_CUDA_AWARE, {RDMA_DEVICE, RDMA_PAGEABLE}},
    {RDMA_PEER_COPY, {RDMA_DEVICE, RDMA_PINNED}},
    {RDMA_PEER_STORE, {RDMA_DEVICE, RDMA_PINNED}},
};
enum { WAYS = sizeof ways / sizeof *ways };
static bool is_waived[WAYS]; /* said once, not for each size */

const size_t block_sizes[] = {225,    1024,   2025,    3025,     10000, 50625,
                              160000, 810000, 4100625, 12960000, 0};

struct row {
    size_t block_elements, block_bytes;
    double bandwidth_gbs;
};
const struct column block_columns[] = {
    PARAMETER(struct row, block_elements, "numbers in the block"),
    PARAMETER(struct row, block_bytes, "size of the block: 8 bytes per number"),
    METRIC(struct row, bandwidth_gbs, "block_bytes / time_s in 10^9 byte/s"),
    {0},
};

/* A program may have the last variants only. */
static int way_of(const struct run *run, const struct block *block)
{
    return (int)(run->program->variants - block_variants) + block->variant;
}

static struct rdma_config config_of(const struct run *run, int way, size_t elements)
{
    return (struct rdma_config){
        .path = ways[way].path,
        .ranks = MPI_COMM_WORLD,
        .peer = 1 - ranks.rank,
        .place = ways[way].places[ranks.rank],
        .peer_place = ways[way].places[1 - ranks.rank],
        .device = ranks.rank == WORKER ? run->settings.device : -1,
        .bytes = elements * sizeof(uint64_t),
        .window = 1,
        .wait_limit_s = wait_limit_s,
    };
}

/* ---- one block ---- */

static uint64_t seed_of(const struct run *run, int way, int attempt)
{
    return random_bits(run->settings.seed, (uint64_t)(2 * way + attempt));
}

static bool open_block(struct run *run, void *task)
{
    struct block *block = task;
    const int way = way_of(run, block);
    struct rdma_config config = config_of(run, way, block->elements);
    if (!is_possible(run, rdma_check(&config), block_variants[way].name, &is_waived[way]))
        return false;
    block->end = open_end(&config);
    block->place = config.place;
    block_fill(block, seed_of(run, way, 0));
    return true;
}

static void settle(void *task)
{
    block_settle(((struct block *)task)->site);
}

static double sample(void *task)
{
    return block_sample(task);
}

/* What the last sample has left, then a sample with other data: a path that moved its block only
 * once, or into the buffer of another variant, is found out. */
static long verify(struct run *run, void *task)
{
    struct block *block = task;
    long wrong = block_count_wrong(block);
    block_fill(block, seed_of(run, way_of(run, block), 1));
    ranks.barrier();
    block_sample(block);
    return wrong + block_count_wrong(block);
}

static void close_block(void *task)
{
    rdma_close(((struct block *)task)->end);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct block *block = task;
    const size_t bytes = block->elements * sizeof(uint64_t);
    *(struct row *)row = (struct row){block->elements, bytes, 1e-9 * (double)bytes / time_s};
}

/* ---- all ---- */

static size_t check_sizes(const struct run *run)
{
    const size_t elements_max = (size_t)1 << 32;
    size_t largest = 0;
    for (size_t i = 0; i < run->settings.size_count; i++) {
        size_t size = run->settings.sizes[i];
        if (size > elements_max)
            fail_together("a block has up to 4G elements: see --sizes");
        largest = size > largest ? size : largest;
    }
    return largest;
}

void run_blocks_with(struct run *run, struct block_steps steps, size_t row_bytes,
                     void (*row)(const void *block, double time_s, void *row))
{
    const struct comparison comparison = {.task_bytes = TASK(struct block),
                                          .row_bytes = row_bytes,
                                          .open = open_block,
                                          .prepare = settle,
                                          .sample = sample,
                                          .row = row,
                                          .verify = verify,
                                          .close = close_block};
    need_two_ranks();
    const size_t largest = check_sizes(run);
    if (ranks.rank == WORKER)
        program_choose_device(run);
    struct block_site site = block_site_open(steps, largest);
    block_settle(&site);
    for (size_t i = 0; i < run->settings.size_count; i++)
        compare_variants(run, &comparison,
                         &(struct block){.site = &site, .elements = run->settings.sizes[i]});
    block_site_close(&site);
}

void run_blocks(struct run *run, struct block_steps steps)
{
    run_blocks_with(run, steps, sizeof(struct row), fill_row);
}
