#include "rdma_block.h"

#include "memory.h"
#include "random.h"

#include <stdlib.h>

const struct variant rdma_block_variants[] = {
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

const size_t rdma_block_sizes[] = {225,    1024,   2025,    3025,     10000, 50625,
                                   160000, 810000, 4100625, 12960000, 0};

double rdma_block_wait_limit_s = 30.0;

/* ---- rows ---- */

const struct column rdma_block_columns[] = {
    RDMA_BLOCK_COLUMNS,
    {"bandwidth_gbs", COLUMN_METRIC, "block_bytes / time_s in 10^9 byte/s"},
    {0},
};

void rdma_block_record(struct run *run, const char *variant, int repetition, size_t elements,
                       double time_s, const struct rdma_block_times *times, long errors)
{
    (void)times;
    size_t bytes = elements * sizeof(uint64_t);
    struct value values[] = {integer((int64_t)elements), integer((int64_t)bytes),
                             real(1e-9 * (double)bytes / time_s)};
    record_row(run, variant, repetition, values, time_s, errors);
}

/* ---- what can run here ---- */

/* A mistake that both ranks see: rank 0 says so, which ends both. */
static void refuse(const char *sentence)
{
    if (ranks.rank != 0)
        ranks.barrier();
    fail("%s", sentence);
}

static void check_options(const struct run *run)
{
    if (ranks.count != 2)
        refuse("blocks go between two ranks, a worker and a server: start it with mpirun -np 2");
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] < 1 || run->settings.sizes[i] > (size_t)1 << 32)
            refuse("a block has from 1 to 4G elements: see --sizes");
}

static size_t largest_size(const struct run *run)
{
    size_t largest = 0;
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] > largest)
            largest = run->settings.sizes[i];
    return largest;
}

static struct rdma_config config_of(const struct run *run, int way, size_t elements)
{
    return (struct rdma_config){
        .path = ways[way].path,
        .ranks = MPI_COMM_WORLD,
        .peer = 1 - ranks.rank,
        .place = ways[way].places[ranks.rank],
        .peer_place = ways[way].places[1 - ranks.rank],
        .device = ranks.rank == RDMA_WORKER ? run->settings.device : -1,
        .bytes = elements * sizeof(uint64_t),
        .window = 1,
        .wait_limit_s = rdma_block_wait_limit_s,
    };
}

/* The ways of the wanted variants that can run here. */
static int choose_ways(struct run *run, int chosen[WAYS])
{
    int count = 0;
    for (int way = (int)(run->program->variants - rdma_block_variants); way < WAYS; way++) {
        const char *variant = rdma_block_variants[way].name;
        if (!program_wants(run, variant))
            continue;
        struct rdma_config config = config_of(run, way, largest_size(run));
        const char *complaint = rdma_complaint(&config);
        if (complaint)
            record_waived(run, variant, complaint);
        else
            chosen[count++] = way;
    }
    return count;
}

/* ---- one size ---- */

static uint64_t seed_of(const struct run *run, int way, int round)
{
    return random_bits(run->settings.seed, (uint64_t)(2 * way + round));
}

static void settle(void *context)
{
    const struct rdma_block *block = context;
    rdma_block_settle(block->site);
}

/* What the last sample has left, then a sample with other data: a path that moved its block only
 * once, or into the buffer of another variant, is found out. */
static long verify(const struct run *run, struct rdma_block *block, int way)
{
    if (!run->settings.check)
        return 0;
    long wrong = rdma_block_wrong(block);
    rdma_block_fill(block, seed_of(run, way, 1));
    ranks.barrier();
    rdma_block_sample(block);
    return wrong + rdma_block_wrong(block);
}

static void record_block(struct run *run, const struct rdma_block *block,
                         const struct subject *subject, long wrong, rdma_block_recorder *record)
{
    const struct rdma_block_times *times = block->times + run->settings.warmup;
    for (size_t i = 0; i < subject->count; i++)
        record(run, subject->variant, (int)i, block->elements, subject->times_s[i], &times[i],
               wrong);
}

static struct rdma_block open_block(const struct run *run, const struct rdma_block_site *site,
                                    int way, size_t elements)
{
    struct rdma_config config = config_of(run, way, elements);
    return (struct rdma_block){
        .site = site, .end = rdma_open(&config), .place = config.place, .elements = elements};
}

/* The kernel of peer-store, the last way, may run from the first sample until its end is closed,
 * and whoever allocates or releases device memory meanwhile waits for it: all ends are opened
 * before, and are closed in the opposite order. */
static void measure_size(struct run *run, const struct rdma_block_site *site, const int *chosen,
                         int count, size_t elements, rdma_block_recorder *record)
{
    struct rdma_block blocks[WAYS];
    struct subject subjects[WAYS];

    for (int i = 0; i < count; i++)
        blocks[i] = open_block(run, site, chosen[i], elements);
    for (int i = 0; i < count; i++) {
        rdma_block_fill(&blocks[i], seed_of(run, chosen[i], 0));
        subjects[i] = (struct subject){.variant = rdma_block_variants[chosen[i]].name,
                                       .sample = rdma_block_sample,
                                       .before = settle,
                                       .context = &blocks[i]};
    }
    measure(run, subjects, (size_t)count);
    for (int i = 0; i < count; i++)
        record_block(run, &blocks[i], &subjects[i], verify(run, &blocks[i], chosen[i]), record);
    for (int i = count; i-- > 0;) {
        rdma_close(blocks[i].end);
        free(blocks[i].times);
    }
    measure_free(subjects, (size_t)count);
}

/* ---- all ---- */

void rdma_block_run(struct run *run, struct rdma_block_steps steps, rdma_block_recorder *record)
{
    struct rdma_block_site site = {.steps = steps};
    int chosen[WAYS];

    check_options(run);
    if (ranks.rank == RDMA_WORKER)
        program_choose_device(run);
    int count = choose_ways(run, chosen);
    if (count == 0)
        return;
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &site.messages));
    if (ranks.rank == RDMA_WORKER) {
        check_cuda(cudaStreamCreateWithFlags(&site.stream, cudaStreamNonBlocking));
        site.staging = memory_allocate(MEMORY_PINNED, largest_size(run) * sizeof(uint64_t));
    }
    rdma_block_settle(&site);
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_size(run, &site, chosen, count, run->settings.sizes[i], record);
    if (ranks.rank == RDMA_WORKER) {
        memory_release(MEMORY_PINNED, site.staging);
        check_cuda(cudaStreamDestroy(site.stream));
    }
    check_mpi(MPI_Comm_free(&site.messages));
}
