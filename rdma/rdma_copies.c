/* rdma_copies: how often each path copies a block between the memory of one rank and that of the
 * other. Figures 5-6 and 5-7 of Peshne 2018 draw it; here it is counted. */
#include "option_lists.h"
#include "program.h"
#include "rdma.h"
#include "rdma_transfer.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

/* In the order of enum rdma_path. NCCL is left out: nobody tells what its kernels copy. Nor is host
 * there, which has no GPU at either end. */
enum { FIRST = RDMA_STAGED_PAGEABLE, VARIANTS = RDMA_PEER_STORE - FIRST + 1 };
static struct variant variants[VARIANTS + 1];

static const struct column columns[] = {
    {"roles", COLUMN_PARAMETER,
     "peers: a GPU at both ranks; server: the worker, rank 0, has one, the server, rank 1, none"},
    {"pair", COLUMN_PARAMETER, "where the block lies at the sender and at the receiver: H, P or D"},
    {"bytes", COLUMN_PARAMETER, "size of the block"},
    {"nodes", COLUMN_PARAMETER, "hosts that the two ranks are on"},
    {"sender_copies", COLUMN_METRIC, "bytes that the sender's side moved / bytes"},
    {"receiver_copies", COLUMN_METRIC, "bytes that the receiver's side moved / bytes"},
    {"copies", COLUMN_METRIC, "both"},
    {"engine_copies", COLUMN_METRIC, "of these: by copy engines of GPUs"},
    {"driver_copies", COLUMN_METRIC, "by the CUDA driver, which stages pageable memory"},
    {"kernel_copies", COLUMN_METRIC, "by loads and stores of kernels"},
    {"cpu_copies", COLUMN_METRIC, "by memcpy"},
    {"system_copies", COLUMN_METRIC, "by the operating system"},
    {0},
};

static const char *roles_list = "peers,server";
static double wait_limit_s = 30;
static const struct option options[] = {
    {"roles", OPTION_TEXT, &roles_list, "LIST", "peers, server: see above", 0, 0},
    {"wait-limit", OPTION_REAL, &wait_limit_s, "SECONDS",
     "longest wait for the other rank before the program ends", 0.01, 1e6},
    {0},
};

enum roles { PEERS, SERVER, ROLES };
static const char *const roles_names[ROLES] = {"peers", "server"};

/* Who sends, from where to where. */
struct way {
    enum roles roles;
    const char *pair;
    int sender;
    enum rdma_place from, to;
};
static const struct way ways[] = {
    {PEERS, "D D", 0, RDMA_DEVICE, RDMA_DEVICE},  {SERVER, "H D", 1, RDMA_PAGEABLE, RDMA_DEVICE},
    {SERVER, "P D", 1, RDMA_PINNED, RDMA_DEVICE}, {SERVER, "D H", 0, RDMA_DEVICE, RDMA_PAGEABLE},
    {SERVER, "D P", 0, RDMA_DEVICE, RDMA_PINNED},
};
enum { WAYS = sizeof ways / sizeof *ways };

static struct rdma_config config_of(const struct run *run, const struct way *way,
                                    enum rdma_path path, size_t bytes)
{
    bool sends = ranks.rank == way->sender;

    return (struct rdma_config){
        .path = path,
        .ranks = MPI_COMM_WORLD,
        .peer = 1 - ranks.rank,
        .place = sends ? way->from : way->to,
        .peer_place = sends ? way->to : way->from,
        .device = way->roles == SERVER && ranks.rank == 1 ? -1 : run->settings.device,
        .bytes = bytes,
        .window = 1,
        .wait_limit_s = wait_limit_s,
    };
}

/* ---- what is recorded ---- */

/* Small messages of a protocol are not copies of the block. */
static struct value times(size_t moved, size_t bytes)
{
    return real(round(100 * (double)moved / (double)bytes) / 100);
}

static size_t sum(const struct rdma_copies *copies)
{
    size_t bytes = 0;
    for (int i = 0; i < RDMA_COPIERS; i++)
        bytes += copies->bytes[i];
    return bytes;
}

static void record(struct run *run, const struct way *way, const struct rdma_config *config,
                   const struct rdma_transfer_result *result)
{
    const struct rdma_copies *copies = result->copies;
    size_t bytes = config->bytes, sent = sum(&copies[way->sender]),
           received = sum(&copies[1 - way->sender]);
    struct value row[7 + RDMA_COPIERS] = {text(roles_names[way->roles]),
                                          text(way->pair),
                                          integer((int64_t)bytes),
                                          integer(ranks.local_count == 2 ? 1 : 2),
                                          times(sent, bytes),
                                          times(received, bytes),
                                          times(sent + received, bytes)};

    for (int i = 0; i < RDMA_COPIERS; i++)
        row[7 + i] = times(copies[0].bytes[i] + copies[1].bytes[i], bytes);
    record_row(run, variants[config->path - FIRST].name, 0, row, NAN, result->errors);
}

/* ---- all ---- */

/* A complaint is said once per path. */
static void measure_path(struct run *run, enum rdma_path path, const bool *wanted)
{
    bool waived = false;

    for (const struct way *way = ways; way < ways + WAYS; way++) {
        if (!wanted[way->roles] || !rdma_paths[path].goes[way->from][way->to])
            continue;
        for (size_t i = 0; i < run->settings.size_count; i++) {
            struct rdma_config config = config_of(run, way, path, run->settings.sizes[i]);
            const char *complaint = rdma_transfer_complaint(&config);
            if (!complaint) {
                struct rdma_transfer_result result =
                    rdma_transfer_count(&config, ranks.rank == way->sender, run->settings.seed);
                record(run, way, &config, &result);
            } else if (!waived) {
                record_waived(run, variants[path - FIRST].name, complaint);
                waived = true;
            }
        }
    }
}

static void read_roles(bool *wanted)
{
    struct option_words words = option_read_words("roles", roles_list);

    for (size_t i = 0; i < words.count; i++) {
        int roles = 0;
        while (roles < ROLES && strcmp(roles_names[roles], words.values[i]) != 0)
            roles++;
        if (roles == ROLES)
            fail("--roles %s: the roles are peers and server", words.values[i]);
        wanted[roles] = true;
    }
    option_free_words(&words);
}

static void run_all(struct run *run)
{
    bool wanted[ROLES] = {false};

    read_roles(wanted);
    if (ranks.count != 2)
        fail("%d rank%s: two exchange a block, start it with mpirun -np 2", ranks.count,
             ranks.count == 1 ? "" : "s");
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] == 0)
            fail("--sizes: a block has at least 1 byte");
    bool seen = ranks.max(!rdma_transfer_sees_mpi()) == 0;
    for (int i = 0; i < VARIANTS; i++) {
        if (!program_wants(run, variants[i].name))
            continue;
        if (seen)
            measure_path(run, (enum rdma_path)(FIRST + i), wanted);
        else
            record_waived(run, variants[i].name,
                          "what this MPI copies is not seen: it does not use memcpy, or a "
                          "sanitizer stands before the counters");
    }
}

static const size_t default_sizes[] = {(size_t)4 << 20, 0};

static const struct program program = {
    .name = "rdma_copies",
    .summary = "counts how often each path copies a block on its way",
    .details =
        "Roles peers: from the GPU of rank 0 to that of rank 1. Roles server: between the GPU of\n"
        "rank 0, the worker, and main memory of rank 1, the server, which uses no GPU. Every path\n"
        "moves two blocks of random numbers, and both are verified; what moved the second one is\n"
        "counted, in bytes, and divided by the size. Copies by GPUs are told by whoever starts\n"
        "them, and recorded by CUPTI where MPI does. While MPI is called, memcpy and the system\n"
        "calls that move data are watched; a copy from process to process, or into or out of a\n"
        "socket, counts once. There is no time: counting takes some.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .default_begin = (size_t)4 << 20,
    .default_end = (size_t)4 << 20,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .run = run_all,
};

int main(int argc, char **argv)
{
    for (int i = 0; i < VARIANTS; i++)
        variants[i] = (struct variant){rdma_paths[FIRST + i].name, rdma_paths[FIRST + i].meaning};
    return program_main(&program, argc, argv);
}
