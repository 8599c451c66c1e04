/* rdma_copies: how often each path copies a block between the memory of one rank and that of the
 * other. Figures 5-6 and 5-7 of Peshne 2018 draw it; here it is counted. */
#include <math.h>

#include "ends.h"
#include "transfer.h"

/* In the order of enum rdma_path. NCCL is left out, as what its kernels copy is not known, and so
 * is host, which has no GPU at either end. */
enum { FIRST = RDMA_STAGED_PAGEABLE, VARIANTS = RDMA_PEER_STORE - FIRST + 1 };
static struct variant variants[VARIANTS + 1];

struct row {
    const char *roles, *pair;
    size_t bytes;
    int nodes;
    double sender_copies, receiver_copies, copies;
    double engine_copies, driver_copies, kernel_copies, cpu_copies, system_copies;
};
static const struct column columns[] = {
    PARAMETER(
        struct row, roles,
        "peers: a GPU at both ranks; server: the worker, rank 0, has one, the server, rank 1, "
        "none"),
    PARAMETER(struct row, pair,
              "where the block lies at the sender and at the receiver: H, P or D"),
    PARAMETER(struct row, bytes, "size of the block"),
    PARAMETER(struct row, nodes, "hosts that the two ranks are on"),
    METRIC(struct row, sender_copies, "bytes that the sender's side moved / bytes"),
    METRIC(struct row, receiver_copies, "bytes that the receiver's side moved / bytes"),
    METRIC(struct row, copies, "both"),
    METRIC(struct row, engine_copies, "of these: by copy engines of GPUs"),
    METRIC(struct row, driver_copies, "by the CUDA driver, which stages pageable memory"),
    METRIC(struct row, kernel_copies, "by loads and stores of kernels"),
    METRIC(struct row, cpu_copies, "by memcpy"),
    METRIC(struct row, system_copies, "by the operating system"),
    {0},
};

enum roles { PEERS, WITH_SERVER };
static const char *const roles_names[] = {"peers", "server", NULL};
static struct option_choices chosen_roles = {
    .noun = "role", .names = roles_names, .list = "peers,server"};
static const struct program_option options[] = {
    {"roles", OPTION_CHOICES, &chosen_roles, "LIST", "peers, server: see above", 0, 0},
    WAIT_LIMIT_OPTION,
    {0},
};

/* Who sends, from where to where. */
struct way {
    enum roles roles;
    const char *pair;
    int sender;
    enum rdma_place from, to;
};
static const struct way ways[] = {
    {PEERS, "D D", 0, RDMA_DEVICE, RDMA_DEVICE},
    {WITH_SERVER, "H D", 1, RDMA_PAGEABLE, RDMA_DEVICE},
    {WITH_SERVER, "P D", 1, RDMA_PINNED, RDMA_DEVICE},
    {WITH_SERVER, "D H", 0, RDMA_DEVICE, RDMA_PAGEABLE},
    {WITH_SERVER, "D P", 0, RDMA_DEVICE, RDMA_PINNED},
};
enum { WAYS = sizeof ways / sizeof *ways };

static bool is_chosen(enum roles roles)
{
    for (size_t i = 0; i < chosen_roles.count; i++)
        if (chosen_roles.values[i] == (int)roles)
            return true;
    return false;
}

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
        .device = way->roles == WITH_SERVER && ranks.rank == 1 ? -1 : run->settings.device,
        .bytes = bytes,
        .window = 1,
        .wait_limit_s = wait_limit_s,
    };
}

/* ---- what is recorded ---- */

/* Small messages of a protocol are not copies of the block. */
static double times(size_t moved, size_t bytes)
{
    return round(100 * (double)moved / (double)bytes) / 100;
}

static size_t sum(const struct copies *copies)
{
    size_t bytes = 0;
    for (int i = 0; i < COPIERS; i++)
        bytes += copies->bytes[i];
    return bytes;
}

static void record(struct run *run, const struct way *way, const struct rdma_config *config,
                   const struct transfer_result *result)
{
    const struct copies *copies = result->copies;
    const size_t bytes = config->bytes, sent = sum(&copies[way->sender]),
                 received = sum(&copies[1 - way->sender]);
    double by[COPIERS];
    for (int i = 0; i < COPIERS; i++)
        by[i] = times(copies[0].bytes[i] + copies[1].bytes[i], bytes);
    const struct row row = {.roles = roles_names[way->roles],
                            .pair = way->pair,
                            .bytes = bytes,
                            .nodes = ranks.local_count == 2 ? 1 : 2,
                            .sender_copies = times(sent, bytes),
                            .receiver_copies = times(received, bytes),
                            .copies = times(sent + received, bytes),
                            .engine_copies = by[COPIER_ENGINE],
                            .driver_copies = by[COPIER_DRIVER],
                            .kernel_copies = by[COPIER_KERNEL],
                            .cpu_copies = by[COPIER_CPU],
                            .system_copies = by[COPIER_SYSTEM]};
    record_row(run, variants[config->path - FIRST].name, 0, &row, NAN, result->errors);
}

/* ---- all ---- */

static void count_path(struct run *run, enum rdma_path path)
{
    bool is_waived = false; /* said once per path */
    for (const struct way *way = ways; way < ways + WAYS; way++) {
        if (!is_chosen(way->roles) || !rdma_path_goes(path, way->from, way->to))
            continue;
        for (size_t i = 0; i < run->settings.size_count; i++) {
            struct rdma_config config = config_of(run, way, path, run->settings.sizes[i]);
            if (!is_possible(run, transfer_check(&config), variants[path - FIRST].name, &is_waived))
                continue;
            struct transfer_result result =
                transfer_count(&config, ranks.rank == way->sender, run->settings.seed);
            record(run, way, &config, &result);
        }
    }
}

static void run_all(struct run *run)
{
    need_two_ranks();
    bool is_seen = ranks.max(!transfer_sees_mpi()) == 0;
    for (int i = 0; i < VARIANTS; i++) {
        if (!program_wants_variant(run, i))
            continue;
        if (is_seen)
            count_path(run, (enum rdma_path)(FIRST + i));
        else
            record_waived(run, variants[i].name,
                          "what this MPI copies is not seen: it does not call memcpy, or a "
                          "sanitizer replaces it");
    }
}

static const size_t default_sizes[] = {(size_t)4 << 20, 0};

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    name_variants(variants, (enum rdma_path)FIRST, VARIANTS);
}

const struct program program = {
    .name = "rdma_copies",
    .summary = "counts how often each path copies a block on its way",
    .details =
        "Roles peers: from the GPU of rank 0 to that of rank 1. Roles server: between the GPU of\n"
        "rank 0, the worker, and main memory of rank 1, the server, which uses no GPU. Every path\n"
        "moves two blocks of random numbers, and both are verified; what moved the second one is\n"
        "counted, in bytes, and divided by the size. Copies by GPUs are counted where they are\n"
        "started, and by CUPTI's records where MPI starts them. While MPI is called, memcpy and\n"
        "the system calls that move data are watched; a copy from process to process, or into or\n"
        "out of a socket, counts once. Nothing is timed, as counting takes time.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
