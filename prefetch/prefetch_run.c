/* prefetch_run: runs a SIAL program on workers and servers. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "sip_options.h"
#include "traces.h"

static const struct variant variants[] = {
    {"run", "the program, once per repetition"},
    {0},
};

struct row {
    const char *program, *set, *segment;
    int workers, servers;
    const char *transport;
    int prefetch;
    const char *pardo, *compute;
    int worker;
    double run_s, block_wait_s, barrier_wait_s, compute_s, hit_ratio;
    uint64_t accesses, hits, gets, prefetches, unused_prefetches, instructions, host_operations,
        gpu_operations, copied_bytes, cache_hits, cache_misses, received_bytes, sent_bytes,
        window_gets, message_gets, puts, spilled_bytes, loaded_bytes;
};
static const struct column columns[] = {
    PARAMETER(struct row, program, "name of the SIAL program"),
    PARAMETER(struct row, set, "its predefined values, as given"),
    PARAMETER(struct row, segment, "lengths of segments, as given; empty: as in the program"),
    PARAMETER(struct row, workers, "ranks that compute"),
    PARAMETER(struct row, servers, "ranks that store blocks"),
    PARAMETER(struct row, transport, "messages or window"),
    PARAMETER(struct row, prefetch, "blocks that each get or request is ahead"),
    PARAMETER(struct row, pardo, "how pardo deals index sets"),
    PARAMETER(struct row, compute, "where blocks are computed within gpu_on"),
    PARAMETER(struct row, worker, "the worker of this row, from 0"),
    METRIC(struct row, run_s, "from the common start to the end of the program"),
    METRIC(struct row, block_wait_s, "in get statements and blocked for blocks"),
    METRIC(struct row, barrier_wait_s, "in barriers and collective"),
    METRIC(struct row, compute_s, "in operations on blocks and super instructions"),
    METRIC(struct row, hit_ratio, "hits / accesses; empty without accesses"),
    METRIC(struct row, accesses, "operands that a statement read from a fetched block"),
    METRIC(struct row, hits, "of these, without blocking"),
    METRIC(struct row, gets, "blocks requested by a get for itself"),
    METRIC(struct row, prefetches, "blocks requested ahead"),
    METRIC(struct row, unused_prefetches, "of these, evicted or dropped without an access"),
    METRIC(struct row, instructions, "bytecode instructions executed"),
    METRIC(struct row, host_operations, "operations on blocks computed on the host"),
    METRIC(struct row, gpu_operations, "operations on blocks computed on the GPU"),
    METRIC(struct row, copied_bytes, "between host and GPU"),
    METRIC(struct row, cache_hits, "block allocations served without page-locking anything"),
    METRIC(struct row, cache_misses, "block allocations that page-locked memory"),
    METRIC(struct row, received_bytes, "of blocks, from servers"),
    METRIC(struct row, sent_bytes, "of blocks, to servers"),
    METRIC(struct row, window_gets, "blocks that came through the window"),
    METRIC(struct row, message_gets, "blocks that came as messages"),
    METRIC(struct row, puts, "blocks put"),
    METRIC(struct row, spilled_bytes, "written to disk by all servers together"),
    METRIC(struct row, loaded_bytes, "read from disk by all servers together"),
    {0},
};

static const char *trace_file, *block_trace_file;
static bool disassemble, check_only, list_super;
static const struct program_option options[] = {
    SIP_PROGRAM_OPTIONS,
    SIP_JOB_OPTIONS,
    SIP_PREFETCH_OPTIONS,
    {"trace", OPTION_TEXT, &trace_file, "FILE",
     "write the events of the first repetition to a new FILE, one line each", 0, 0},
    {"block-trace", OPTION_TEXT, &block_trace_file, "FILE",
     "write what worker 0 does with blocks in the first repetition to a new FILE,\n"
     "for pinning_cache --trace-file",
     0, 0},
    {"bytecode", OPTION_FLAG, &disassemble, NULL, "print the bytecode and end", 0, 0},
    {"check-only", OPTION_FLAG, &check_only, NULL, "compile the program and end", 0, 0},
    {"list-super", OPTION_FLAG, &list_super, NULL, "list the super instructions and end", 0, 0},
    {0},
};

/* ---- what ends without running ---- */

/* MPI wants to be stopped by all ranks. */
static void end_early(const char *reason)
{
    ranks.stop();
    if (ranks.rank != 0)
        exit(EXIT_PASS);
    if (fflush(stdout) != 0)
        fail("stdout could not be written: %s", strerror(errno));
    leave(EXIT_PASS, "%s", reason);
}

static void print_super_instructions(void)
{
    if (ranks.rank == 0)
        for (const struct prefetch_instruction *each = prefetch_instructions(); each->name; each++)
            printf("special %-22s %-4s %s\n", each->name, each->signature, each->meaning);
    end_early("super instructions listed");
}

static void print_bytecode(const struct prefetch_program *program)
{
    if (ranks.rank == 0)
        prefetch_disassemble(program, stdout);
    end_early("bytecode printed");
}

/* ---- records ---- */

/* A list from the command line as one cell, without the commas. */
static const char *cell_of(const char *list, char *cell, size_t bytes)
{
    snprintf(cell, bytes, "%s", list ? list : "");
    for (char *comma = cell; (comma = strchr(comma, ','));)
        *comma = ' ';
    return cell;
}

/* Without `set`, `segment` and what the servers have. */
static struct row row_of(const struct prefetch_program *program,
                         const struct prefetch_config *config, int worker,
                         const struct prefetch_counters *c)
{
    return (struct row){.program = prefetch_program_name(program),
                        .workers = config->workers,
                        .servers = config->servers,
                        .transport = sip_transport_name(config->transport),
                        .prefetch = config->prefetch,
                        .pardo = sip_pardo_name(config->pardo),
                        .compute = sip_device_name(config->device),
                        .worker = worker,
                        .run_s = c->run_s,
                        .block_wait_s = c->block_wait_s,
                        .barrier_wait_s = c->barrier_wait_s,
                        .compute_s = c->compute_s,
                        .hit_ratio = c->accesses ? (double)c->hits / (double)c->accesses : NAN,
                        .accesses = c->accesses,
                        .hits = c->hits,
                        .gets = c->gets,
                        .prefetches = c->prefetches,
                        .unused_prefetches = c->unused_prefetches,
                        .instructions = c->instructions,
                        .host_operations = c->host_operations,
                        .gpu_operations = c->gpu_operations,
                        .copied_bytes = c->copies.copied_bytes,
                        .cache_hits = c->cache_hits,
                        .cache_misses = c->cache_misses,
                        .received_bytes = c->received_bytes,
                        .sent_bytes = c->sent_bytes,
                        .window_gets = c->window_gets,
                        .message_gets = c->message_gets,
                        .puts = c->puts};
}

static void record(struct run *run, int repetition, const struct prefetch_program *program,
                   const struct prefetch_config *config, const struct prefetch_result *result)
{
    char set[256], segment[128];
    uint64_t spilled_bytes = 0, loaded_bytes = 0;
    struct prefetch_counters *workers = sip_gather_workers(result);
    struct prefetch_server_counters *servers = sip_gather_servers(result);
    for (int i = 0; servers && i < config->servers; i++) {
        spilled_bytes += servers[i].spilled_bytes;
        loaded_bytes += servers[i].loaded_bytes;
    }
    for (int worker = 0; workers && worker < config->workers; worker++) {
        struct row row = row_of(program, config, worker, &workers[worker]);
        row.set = cell_of(sip_options.set, set, sizeof set);
        row.segment = cell_of(sip_options.segment, segment, sizeof segment);
        row.spilled_bytes = spilled_bytes;
        row.loaded_bytes = loaded_bytes;
        record_row(run, variants[0].name, repetition, &row, row.run_s, 0);
    }
    free(workers);
    free(servers);
}

/* ---- running ---- */

static void repeat(struct run *run, int repetition, const struct prefetch_program *program,
                   struct prefetch_config *config)
{
    bool first = repetition == 0;
    struct trace trace = {.seed = run->settings.seed};
    snprintf(trace.name, sizeof trace.name, "%s", prefetch_program_name(program));
    config->record_events = first && trace_file;
    config->block_event = first && block_trace_file ? traces_add_block_event : NULL;
    config->block_event_context = &trace;
    struct prefetch_result result = sip_run(program, config);
    if (config->record_events)
        traces_write_events(trace_file, program, &result);
    if (config->block_event && ranks.rank == 0)
        traces_write_blocks(block_trace_file, &trace);
    trace_free(&trace);
    record(run, repetition, program, config, &result);
    prefetch_result_free(&result);
}

static void run_program(struct run *run)
{
    if (list_super)
        print_super_instructions();
    struct prefetch_program *program = sip_compile(sip_options.program, sip_options.set);
    if (disassemble)
        print_bytecode(program);
    if (check_only)
        end_early("the program is correct");
    struct prefetch_config config = sip_options_config(run);
    config.output = run->settings.verbosity >= 0 ? stderr : NULL;
    sip_options_distances(&config);
    int repetitions = run->settings.iterations ? run->settings.iterations : 1;
    for (int repetition = 0; repetition < repetitions; repetition++)
        repeat(run, repetition, program, &config);
    free((void *)config.distances);
    prefetch_free(program);
}

const struct program program = {
    .name = "prefetch_run",
    .summary = "runs a SIAL program on workers and servers: mpirun -np 4 prefetch_run "
               "--program put_test --set norb=8,check=1",
    .details = "One row per repetition and worker; without -n one repetition, without warm-up.\n"
               "The programs of prefetch/sialx check their own results, and a wrong one is an\n"
               "error. What a program prints goes to stderr.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .run = run_program,
};
