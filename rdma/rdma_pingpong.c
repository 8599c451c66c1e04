/* rdma_pingpong: latency and bandwidth of every path between two ranks, for all pairs of places. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option_lists.h"
#include "program.h"
#include "rdma.h"
#include "rdma_limit.h"
#include "rdma_pairs.h"
#include "rdma_rounds.h"
#include "rdma_traffic.h"

/* One variant per path, in the order of enum rdma_path, and one for what a path is held against. */
enum { LIMIT = RDMA_PATHS, VARIANTS };
static struct variant variants[VARIANTS + 1];

static const struct column columns[] = {
    {"mode", COLUMN_PARAMETER, "latency, bandwidth or both (directions at once)"},
    {"pair", COLUMN_PARAMETER, "where the blocks of rank 0 and of rank 1 lie: H, P or D each"},
    {"bytes", COLUMN_PARAMETER, "size of a block"},
    {"window", COLUMN_PARAMETER, "blocks under way at once, in each direction"},
    {"stress", COLUMN_PARAMETER, "threads per rank that copy through host memory meanwhile"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes / time_s in 10^9 byte/s; mode both: 2 bytes / time_s"},
    {0},
};

static const char *mode_list = "latency,bandwidth", *pair_list = "D-D", *stress_list = "0";
static int64_t longest_window = 64, chosen_rounds, store_blocks;
static size_t window_bytes = (size_t)512 << 20, chunk_bytes;
static double wait_limit_s = 30;
static const struct option options[] = {
    {"modes", OPTION_TEXT, &mode_list, "LIST", "latency, bandwidth, both", 0, 0},
    {"pairs", OPTION_TEXT, &pair_list, "LIST",
     "places of rank 0 and rank 1, such as D-D,H-D, or all\n(H pageable, P page-locked, D GPU "
     "memory)",
     0, 0},
    {"window", OPTION_INTEGER, &longest_window, "N", "blocks under way at once", 1, 1024},
    {"window-bytes", OPTION_SIZE, &window_bytes, "BYTES",
     "most bytes of a window: large blocks have smaller windows", 1, 1e12},
    {"stress", OPTION_TEXT, &stress_list, "LIST",
     "threads per rank that copy through host memory meanwhile", 0, 0},
    {"inner", OPTION_INTEGER, &chosen_rounds, "N",
     "round trips, or windows, per sample; 0: chosen by the size", 0, 1000000},
    {"chunk", OPTION_SIZE, &chunk_bytes, "BYTES",
     "chunks of the pipelined paths; 0: chosen by the block", 0, 1e12},
    {"store-blocks", OPTION_INTEGER, &store_blocks, "N",
     "thread blocks of the kernel of peer-store; 0: chosen by the path", 0, 1024},
    {"wait-limit", OPTION_REAL, &wait_limit_s, "S", "longest wait for the other rank", 0.1, 1e6},
    {0},
};

/* All paths between two places for one size of block, open at the same time. */
struct configuration {
    struct run *run;
    struct rdma_pair pair;
    size_t bytes;
    struct rdma_limit limit;
    struct rdma_rounds rounds; /* what is measured at the moment */
    int stress;
    size_t count;
    struct trial {
        struct configuration *configuration;
        int variant;
        struct rdma_end *end; /* NULL: the limit */
    } trials[VARIANTS];
};

static bool waived[VARIANTS]; /* said once, not for each pair and size */
static size_t configurations_measured;

/* ---- options ---- */

static bool modes[RDMA_MODES];

static void read_modes(void)
{
    struct option_words words = option_read_words("modes", mode_list);
    for (size_t i = 0; i < words.count; i++) {
        int mode = 0;
        while (mode < RDMA_MODES && strcmp(rdma_mode_names[mode], words.values[i]) != 0)
            mode++;
        if (mode == RDMA_MODES)
            fail("--modes %s: the modes are latency, bandwidth and both", words.values[i]);
        modes[mode] = true;
    }
    option_free_words(&words);
}

/* ---- rounds ---- */

static int window_of(size_t bytes)
{
    size_t fit = window_bytes / bytes;
    return fit < 1 ? 1 : fit < (size_t)longest_window ? (int)fit : (int)longest_window;
}

/* A sample has about 100 blocks, so that clock and barrier do not count, but not more than 16 MiB
 * of them where a block takes long enough by itself. */
static struct rdma_rounds rounds_of(enum rdma_mode mode, size_t bytes)
{
    int window = mode == RDMA_LATENCY ? 1 : window_of(bytes);
    size_t blocks = ((size_t)16 << 20) / bytes;
    int rounds = (int)(blocks < 100 ? blocks : 100) / window;

    if (chosen_rounds)
        rounds = (int)chosen_rounds;
    return (struct rdma_rounds){
        .mode = mode, .bytes = bytes, .window = window, .count = rounds < 1 ? 1 : rounds};
}

static double time_of(void *context)
{
    struct trial *trial = context;
    const struct rdma_rounds *rounds = &trial->configuration->rounds;
    return trial->end ? rdma_rounds_time(trial->end, rounds)
                      : rdma_limit_time(&trial->configuration->limit, rounds);
}

/* Sum over both ranks. */
static long wrong_bytes(struct trial *trial)
{
    const struct configuration *configuration = trial->configuration;
    const struct rdma_rounds *rounds = &configuration->rounds;
    uint64_t seed = configuration->run->settings.seed + 2 * (uint64_t)trial->variant;
    long wrong;

    if (!configuration->run->settings.check)
        return 0;
    wrong = trial->end ? rdma_rounds_wrong(trial->end, rounds, seed)
                       : rdma_limit_wrong(&configuration->limit, rounds, seed);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    return wrong;
}

/* ---- one configuration ---- */

static void waive_once(struct run *run, int variant, const char *reason)
{
    if (!waived[variant])
        record_waived(run, variants[variant].name, reason);
    waived[variant] = true;
}

static void add_trial(struct configuration *configuration, int variant, struct rdma_end *end)
{
    configuration->trials[configuration->count++] =
        (struct trial){.configuration = configuration, .variant = variant, .end = end};
}

static bool goes(enum rdma_path path, struct rdma_pair pair)
{
    enum rdma_place first = pair.places[0], second = pair.places[1];
    return rdma_paths[path].goes[first][second] && rdma_paths[path].goes[second][first];
}

static void open_path(struct configuration *configuration, enum rdma_path path)
{
    struct run *run = configuration->run;
    struct rdma_config config = {.path = path,
                                 .ranks = MPI_COMM_WORLD,
                                 .peer = 1 - ranks.rank,
                                 .place = configuration->pair.places[ranks.rank],
                                 .peer_place = configuration->pair.places[1 - ranks.rank],
                                 .device = run->settings.device,
                                 .bytes = configuration->bytes,
                                 .window = window_of(configuration->bytes),
                                 .chunk_bytes = chunk_bytes,
                                 .store_blocks = (int)store_blocks,
                                 .wait_limit_s = wait_limit_s};

    if (!program_wants(run, variants[path].name) || !goes(path, configuration->pair))
        return;
    const char *complaint = rdma_complaint(&config);
    if (complaint) {
        waive_once(run, path, complaint);
        return;
    }
    struct rdma_end *end = rdma_open(&config);
    rdma_rounds_fill(rdma_send_buffer(end), configuration->bytes, run->settings.seed);
    add_trial(configuration, path, end);
}

static void open_limit(struct configuration *configuration)
{
    struct run *run = configuration->run;
    const enum rdma_place *places = configuration->pair.places;

    if (!program_wants(run, variants[LIMIT].name) || places[0] != RDMA_DEVICE ||
        places[1] != RDMA_DEVICE)
        return;
    const char *complaint = rdma_limit_complaint(&configuration->limit, run->settings.device);
    if (complaint) {
        waive_once(run, LIMIT, complaint);
        return;
    }
    rdma_limit_open(&configuration->limit, configuration->bytes);
    add_trial(configuration, LIMIT, NULL);
}

/* peer-store comes last: its kernel stays on the GPU from its first block until it is closed, and
 * what the others do for their first block, such as to load a kernel, may wait for all kernels. */
static void open_all(struct configuration *configuration)
{
    for (int path = 0; path < RDMA_PATHS; path++)
        if (path != RDMA_PEER_STORE)
            open_path(configuration, (enum rdma_path)path);
    open_limit(configuration);
    open_path(configuration, RDMA_PEER_STORE);
}

/* Backwards, so that its kernel has ended before any GPU memory is released. */
static void close_all(struct configuration *configuration)
{
    while (configuration->count > 0) {
        struct trial *trial = &configuration->trials[--configuration->count];
        if (trial->end)
            rdma_close(trial->end);
        else
            rdma_limit_close(&configuration->limit);
    }
}

/* The first blocks of every path, in all modes: connections and memory mappings are made then. */
static void run_once(struct configuration *configuration)
{
    for (size_t i = 0; i < configuration->count; i++)
        for (int mode = 0; mode < RDMA_MODES; mode++) {
            if (!modes[mode])
                continue;
            configuration->rounds = rounds_of((enum rdma_mode)mode, configuration->bytes);
            configuration->rounds.count = 1;
            ranks.barrier();
            time_of(&configuration->trials[i]);
        }
}

static void record_trial(struct trial *trial, const struct subject *subject)
{
    const struct configuration *configuration = trial->configuration;
    const struct rdma_rounds *rounds = &configuration->rounds;
    double moved = (rounds->mode == RDMA_BOTH ? 2.0 : 1.0) * (double)rounds->bytes;
    long wrong = wrong_bytes(trial);

    for (size_t i = 0; i < subject->count; i++) {
        struct value row[] = {
            text(rdma_mode_names[rounds->mode]), text(configuration->pair.name),
            integer((int64_t)rounds->bytes),     integer(rounds->window),
            integer(configuration->stress),      real(1e-9 * moved / subject->times_s[i])};
        record_row(configuration->run, subject->variant, (int)i, row, subject->times_s[i], wrong);
    }
}

static void measure_trials(struct configuration *configuration)
{
    struct run *run = configuration->run;
    struct subject subjects[VARIANTS];

    for (size_t i = 0; i < configuration->count; i++)
        subjects[i] = (struct subject){.variant = variants[configuration->trials[i].variant].name,
                                       .sample = time_of,
                                       .context = &configuration->trials[i]};
    struct rdma_traffic *traffic = rdma_traffic_start(configuration->stress);
    measure(run, subjects, configuration->count);
    double rate = rdma_traffic_stop(traffic);
    if (configuration->stress > 0)
        program_debug(run, "rank %d: %d threads copied %.3g GB/s meanwhile", ranks.rank,
                      configuration->stress, 1e-9 * rate);
    for (size_t i = 0; i < configuration->count; i++)
        record_trial(&configuration->trials[i], &subjects[i]);
    measure_free(subjects, configuration->count);
}

static void measure_configuration(struct configuration *configuration,
                                  const struct option_numbers *stresses)
{
    static char activity[96];
    snprintf(activity, sizeof activity, "the pair %s, blocks of %zu bytes",
             configuration->pair.name, configuration->bytes);
    status_activity = activity;
    open_all(configuration);
    run_once(configuration);
    configurations_measured += configuration->count > 0;
    for (int mode = 0; mode < RDMA_MODES; mode++)
        for (size_t i = 0; modes[mode] && i < stresses->count; i++) {
            configuration->rounds = rounds_of((enum rdma_mode)mode, configuration->bytes);
            configuration->stress = (int)stresses->values[i];
            measure_trials(configuration);
        }
    close_all(configuration);
    status_activity = NULL;
}

/* ---- all ---- */

static void check_start(const struct run *run)
{
    if (ranks.count != 2)
        fail("%d rank%s: two send blocks to one another, start it with mpirun -np 2", ranks.count,
             ranks.count == 1 ? "" : "s");
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] == 0)
            fail("--sizes: a block has at least 1 byte");
}

static void check_finish(void)
{
    for (int i = 0; i < VARIANTS; i++)
        if (waived[i])
            return;
    if (configurations_measured == 0)
        fail("none of the variants of --variants goes between any of the places %s", pair_list);
}

static void run_all(struct run *run)
{
    check_start(run);
    struct rdma_pairs pairs = rdma_read_pairs("pairs", pair_list);
    struct option_numbers stresses = option_read_numbers("stress", stress_list, 0, 1024);
    read_modes();

    for (size_t p = 0; p < pairs.count; p++)
        for (size_t i = 0; i < run->settings.size_count; i++) {
            struct configuration configuration = {
                .run = run, .pair = pairs.values[p], .bytes = run->settings.sizes[i]};
            measure_configuration(&configuration, &stresses);
        }
    check_finish();
    free(stresses.values);
    free(pairs.values);
}

static const struct program program = {
    .name = "rdma_pingpong",
    .summary = "latency and bandwidth of every path of a block between two ranks",
    .details =
        "time_s is, on the clock of rank 0, in mode latency half of a round trip of one block; in\n"
        "mode bandwidth the time of a window of blocks from rank 0 and an answer of 4 bytes,\n"
        "divided by the window; in mode both, where both ranks send a window at once, the time of\n"
        "the slower rank divided by the window. limit has no other rank, flag or answer: rank 0\n"
        "copies from GPU to GPU and waits. Paths that do not go between two places are left out.\n"
        "All blocks of a window use the same buffers, as in the OSU benchmarks, and are verified\n"
        "in one more round with fresh random data.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_begin = 8,
    .default_end = (size_t)4 << 20,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .run = run_all,
};

int main(int argc, char **argv)
{
    for (int path = 0; path < RDMA_PATHS; path++)
        variants[path] = (struct variant){rdma_paths[path].name, rdma_paths[path].meaning};
    variants[LIMIT] = (struct variant){
        "limit", "one process copies between both GPUs (cudaMemcpyPeerAsync); pair D D only"};
    return program_main(&program, argc, argv);
}
