/* rdma_pingpong: latency and bandwidth of every path between two ranks, for all pairs of places. */
#include <stdio.h>

#include "common/harness/compare.h"

#include "ends.h"
#include "limit.h"
#include "rounds.h"
#include "traffic.h"

/* One variant per path, in the order of enum rdma_path, and one for what a path is held against. */
enum { LIMIT = RDMA_PATHS, VARIANTS };
static struct variant variants[VARIANTS + 1];

struct row {
    const char *mode, *pair;
    size_t bytes;
    int window, stress;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, mode, "latency, bandwidth or both (directions at once)"),
    PARAMETER(struct row, pair, "where the blocks of rank 0 and of rank 1 lie: H, P or D each"),
    PARAMETER(struct row, bytes, "size of a block"),
    PARAMETER(struct row, window, "blocks in flight at once, in each direction"),
    PARAMETER(struct row, stress, "threads per rank that copy through host memory meanwhile"),
    METRIC(struct row, bandwidth_gbs, "bytes / time_s in 10^9 byte/s; mode both: 2 bytes / time_s"),
    {0},
};

/* ---- options ---- */

static const char *const mode_names[] = {"latency", "bandwidth", "both", NULL};
static struct option_choices modes = {
    .noun = "mode", .names = mode_names, .list = "latency,bandwidth"};

enum { PAIRS = RDMA_PLACES * RDMA_PLACES };
static const char *const pair_names[] = {"H-H", "H-P", "H-D", "P-H", "P-P", "P-D",
                                         "D-H", "D-P", "D-D", "all", NULL};
static struct option_choices pairs = {.noun = "pair", .names = pair_names, .list = "D-D"};

static struct option_numbers stresses = {.list = "0"};
static int64_t window_max = 64, chosen_rounds, store_blocks;
static size_t window_bytes = (size_t)512 << 20, chunk_bytes;
static const struct program_option options[] = {
    {"modes", OPTION_CHOICES, &modes, "LIST", "latency, bandwidth, both", 0, 0},
    {"pairs", OPTION_CHOICES, &pairs, "LIST",
     "places of rank 0 and rank 1, such as D-D,H-D, or all\n(H pageable, P page-locked, D GPU "
     "memory)",
     0, 0},
    {"window", OPTION_INTEGER, &window_max, "N", "blocks in flight at once", 1, 1024},
    {"window-bytes", OPTION_SIZE, &window_bytes, "BYTES",
     "maximum of bytes in a window: large blocks have smaller windows", 1, 1e12},
    {"stress", OPTION_NUMBERS, &stresses, "LIST",
     "threads per rank that copy through host memory meanwhile", 0, 1024},
    {"inner", OPTION_INTEGER, &chosen_rounds, "N",
     "round trips, or windows, per sample; 0: chosen by the size", 0, 1000000},
    {"chunk", OPTION_SIZE, &chunk_bytes, "BYTES",
     "chunks of the pipelined paths; 0: chosen by the block", 0, 1e12},
    {"store-blocks", OPTION_INTEGER, &store_blocks, "N",
     "thread blocks of the kernel of peer-store; 0: chosen by the path", 0, 1024},
    WAIT_LIMIT_OPTION,
    {0},
};

struct pair {
    enum rdma_place places[2]; /* of rank 0, of rank 1 */
    char name[4];              /* "D D" */
};

static struct pair pair_of(int number)
{
    enum rdma_place first = (enum rdma_place)(number / RDMA_PLACES);
    enum rdma_place second = (enum rdma_place)(number % RDMA_PLACES);
    return (struct pair){{first, second},
                         {rdma_place_letter(first), ' ', rdma_place_letter(second), '\0'}};
}

/* ---- one path, or the limit, between two places ---- */

struct trial {
    int variant;
    struct pair pair;
    struct rounds rounds;
    int stress;
    struct rdma_end *end; /* NULL: the limit */
    struct limit limit;
};

static bool is_waived[VARIANTS]; /* said once, not for each configuration */
static size_t trials_opened;

static int window_of(size_t bytes)
{
    size_t fit = window_bytes / bytes;
    return fit < 1 ? 1 : fit < (size_t)window_max ? (int)fit : (int)window_max;
}

/* A sample has about 100 blocks, so that clock and barrier do not count, but not more than 16 MiB
 * of them where a block takes long enough by itself. */
static struct rounds rounds_of(enum mode mode, size_t bytes)
{
    int window = mode == MODE_LATENCY ? 1 : window_of(bytes);
    size_t blocks = ((size_t)16 << 20) / bytes;
    int count = chosen_rounds ? (int)chosen_rounds : (int)(blocks < 100 ? blocks : 100) / window;
    return (struct rounds){
        .mode = mode, .bytes = bytes, .window = window, .count = count < 1 ? 1 : count};
}

static bool open_path(struct run *run, struct trial *trial)
{
    const enum rdma_path path = (enum rdma_path)trial->variant;
    const enum rdma_place *places = trial->pair.places;
    const struct rdma_config config = {.path = path,
                                       .ranks = MPI_COMM_WORLD,
                                       .peer = 1 - ranks.rank,
                                       .place = places[ranks.rank],
                                       .peer_place = places[1 - ranks.rank],
                                       .device = run->settings.device,
                                       .bytes = trial->rounds.bytes,
                                       .window = trial->rounds.window,
                                       .chunk_bytes = chunk_bytes,
                                       .store_blocks = (int)store_blocks,
                                       .wait_limit_s = wait_limit_s};

    if (!rdma_path_goes(path, places[0], places[1]) ||
        !rdma_path_goes(path, places[1], places[0]) ||
        !is_possible(run, rdma_check(&config), variants[path].name, &is_waived[path]))
        return false;
    trial->end = open_end(&config);
    rounds_fill(rdma_send_buffer(trial->end), config.bytes, run->settings.seed);
    return true;
}

static bool open_limit(struct run *run, struct trial *trial)
{
    const enum rdma_place *places = trial->pair.places;
    if (places[0] != RDMA_DEVICE || places[1] != RDMA_DEVICE ||
        !is_possible(run, limit_find(&trial->limit, run->settings.device), variants[LIMIT].name,
                     &is_waived[LIMIT]))
        return false;
    limit_open(&trial->limit, trial->rounds.bytes);
    return true;
}

static double time_rounds(const struct trial *trial, const struct rounds *rounds)
{
    return trial->end ? rounds_time(trial->end, rounds) : limit_time(&trial->limit, rounds);
}

/* The first blocks go at once: connections and memory mappings are made then. */
static bool open_trial(struct run *run, void *task)
{
    struct trial *trial = task;
    struct rounds first = trial->rounds;
    bool is_open = trial->variant == LIMIT ? open_limit(run, trial) : open_path(run, trial);
    if (!is_open)
        return false;
    trials_opened++;
    first.count = 1;
    ranks.barrier();
    time_rounds(trial, &first);
    return true;
}

static void close_trial(void *task)
{
    struct trial *trial = task;
    if (trial->end)
        rdma_close(trial->end);
    else
        limit_close(&trial->limit);
}

static double sample(void *task)
{
    const struct trial *trial = task;
    return time_rounds(trial, &trial->rounds);
}

/* Sum over both ranks. */
static long count_wrong(struct run *run, void *task)
{
    const struct trial *trial = task;
    uint64_t seed = run->settings.seed + 2 * (uint64_t)trial->variant;
    long wrong = trial->end ? rounds_wrong(trial->end, &trial->rounds, seed)
                            : limit_wrong(&trial->limit, &trial->rounds, seed);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    return wrong;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct trial *trial = task;
    const struct rounds *rounds = &trial->rounds;
    double moved = (rounds->mode == MODE_BOTH ? 2.0 : 1.0) * (double)rounds->bytes;
    *(struct row *)row =
        (struct row){mode_names[rounds->mode], trial->pair.name, rounds->bytes,
                     rounds->window,           trial->stress,    1e-9 * moved / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct trial),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_trial,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_wrong,
                                             .close = close_trial};

/* ---- all ---- */

static void check_pairs(void)
{
    for (size_t i = 0; i < pairs.count; i++)
        if (pairs.values[i] == PAIRS && pairs.count > 1)
            fail_together("--pairs: all is all nine, and stands alone");
}

static void check_finish(void)
{
    for (int i = 0; i < VARIANTS; i++)
        if (is_waived[i])
            return;
    if (trials_opened == 0)
        fail("none of the variants of --variants goes between any of the places %s", pairs.list);
}

static void compare_under_stress(struct run *run, struct trial trial)
{
    struct traffic *traffic = traffic_start(trial.stress);
    compare_variants(run, &comparison, &trial);
    double rate = traffic_stop(traffic);
    if (trial.stress > 0)
        program_debug(run, "rank %d: %d threads copied %.3g GB/s meanwhile", ranks.rank,
                      trial.stress, 1e-9 * rate);
}

static void measure_pair(struct run *run, struct pair pair, size_t bytes)
{
    static char activity[96];
    snprintf(activity, sizeof activity, "the pair %s, blocks of %zu bytes", pair.name, bytes);
    status_activity = activity;
    for (size_t m = 0; m < modes.count; m++)
        for (size_t i = 0; i < stresses.count; i++)
            compare_under_stress(
                run, (struct trial){.pair = pair,
                                    .rounds = rounds_of((enum mode)modes.values[m], bytes),
                                    .stress = (int)stresses.values[i]});
    status_activity = NULL;
}

static void run_all(struct run *run)
{
    need_two_ranks();
    check_pairs();
    const bool is_all = pairs.values[0] == PAIRS;
    for (size_t p = 0; p < (is_all ? PAIRS : pairs.count); p++)
        for (size_t i = 0; i < run->settings.size_count; i++)
            measure_pair(run, pair_of(is_all ? (int)p : pairs.values[p]), run->settings.sizes[i]);
    check_finish();
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    name_variants(variants, RDMA_HOST, RDMA_PATHS);
    variants[LIMIT] = (struct variant){
        "limit", "one process copies between both GPUs (cudaMemcpyPeerAsync); pair D D only"};
}

const struct program program = {
    .name = "rdma_pingpong",
    .summary = "latency and bandwidth of every path of a block between two ranks",
    .details =
        "time_s is, on the clock of rank 0, in mode latency half of a round trip of one block; in\n"
        "mode bandwidth the time of a window of blocks from rank 0 and a reply of 4 bytes,\n"
        "divided by the window; in mode both, where both ranks send a window at once, the time of\n"
        "the slower rank divided by the window. limit has no other rank, flag or reply: rank 0\n"
        "copies from GPU to GPU and waits. Paths that do not go between two places are left out.\n"
        "All blocks of a window use the same buffers, as in the OSU benchmarks, and are verified\n"
        "in another round with fresh random data.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_begin = 8,
    .default_end = (size_t)4 << 20,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
