/* prefetch_run: runs a SIAL program on workers and servers. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "pinning/trace.h"

#include "sip_options.h"

static const struct variant variants[] = {
    {"run", "the program, once per repetition"},
    {0},
};

static const struct column columns[] = {
    {"program", COLUMN_PARAMETER, "name of the SIAL program"},
    {"set", COLUMN_PARAMETER, "its predefined values, as given"},
    {"segment", COLUMN_PARAMETER, "lengths of segments, as given; empty: as in the program"},
    {"workers", COLUMN_PARAMETER, "ranks that compute"},
    {"servers", COLUMN_PARAMETER, "ranks that store blocks"},
    {"transport", COLUMN_PARAMETER, "messages or window"},
    {"prefetch", COLUMN_PARAMETER, "blocks that each get or request is ahead"},
    {"pardo", COLUMN_PARAMETER, "how pardo deals index sets"},
    {"compute", COLUMN_PARAMETER, "where blocks are computed within gpu_on"},
    {"worker", COLUMN_PARAMETER, "the worker of this row, from 0"},
    {"run_s", COLUMN_METRIC, "from the common start to the end of the program"},
    {"block_wait_s", COLUMN_METRIC, "in get statements and blocked for blocks"},
    {"barrier_wait_s", COLUMN_METRIC, "in barriers and collective"},
    {"compute_s", COLUMN_METRIC, "in operations on blocks and super instructions"},
    {"hit_ratio", COLUMN_METRIC, "hits / accesses; empty without accesses"},
    {"accesses", COLUMN_METRIC, "operands that a statement read from a fetched block"},
    {"hits", COLUMN_METRIC, "of these, without blocking"},
    {"gets", COLUMN_METRIC, "blocks requested by a get for itself"},
    {"prefetches", COLUMN_METRIC, "blocks requested ahead"},
    {"unused_prefetches", COLUMN_METRIC, "of these, evicted or dropped without an access"},
    {"instructions", COLUMN_METRIC, "bytecode instructions executed"},
    {"host_operations", COLUMN_METRIC, "operations on blocks computed on the host"},
    {"gpu_operations", COLUMN_METRIC, "operations on blocks computed on the GPU"},
    {"copied_bytes", COLUMN_METRIC, "between host and GPU"},
    {"cache_hits", COLUMN_METRIC, "block allocations served without page-locking anything"},
    {"cache_misses", COLUMN_METRIC, "block allocations that page-locked memory"},
    {"received_bytes", COLUMN_METRIC, "of blocks, from servers"},
    {"sent_bytes", COLUMN_METRIC, "of blocks, to servers"},
    {"window_gets", COLUMN_METRIC, "blocks that came through the window"},
    {"message_gets", COLUMN_METRIC, "blocks that came as messages"},
    {"puts", COLUMN_METRIC, "blocks put"},
    {"spilled_bytes", COLUMN_METRIC, "written to disk by all servers together"},
    {"loaded_bytes", COLUMN_METRIC, "read from disk by all servers together"},
    {0},
};
enum { COLUMNS = sizeof columns / sizeof *columns - 1 };

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
        for (const struct super_instruction *each = sip_super_instructions(); each->name; each++)
            printf("special %-22s %-4s %s\n", each->name, each->signature, each->meaning);
    end_early("super instructions listed");
}

static void print_bytecode(const struct sial_program *program)
{
    if (ranks.rank == 0)
        sial_disassemble(program, stdout);
    end_early("bytecode printed");
}

/* ---- traces ---- */

static FILE *new_file(const char *option, const char *name)
{
    FILE *file = fopen(name, "wx");
    if (!file)
        fail("--%s %s could not be created: %s", option, name, strerror(errno));
    return file;
}

static void close_file(FILE *file, const char *name)
{
    int failed = ferror(file);
    if (fclose(file) != 0 || failed)
        fail("%s could not be written: %s", name, strerror(errno ? errno : EIO));
}

static void write_events(const struct sial_program *program, const struct sip_result *result)
{
    static const char *const kinds[] = {"request", "arrive", "wait", "compute", "put", "barrier"};
    size_t count;
    struct sip_event *events = sip_gather_events(result, &count);
    if (!events)
        return;
    FILE *file = new_file("trace", trace_file);
    fprintf(file, "# worker begin_s end_s event line array block\n");
    for (size_t i = 0; i < count; i++) {
        const struct sip_event *event = &events[i];
        fprintf(file, "%d %.9f %.9f %s %d ", event->worker, event->begin_s, event->end_s,
                kinds[event->kind], program->instructions[event->instruction].line);
        if (event->array >= 0)
            fprintf(file, "%s %lld\n", program->arrays[event->array].name, (long long)event->block);
        else
            fprintf(file, "- -\n");
    }
    close_file(file, trace_file);
    free(events);
}

static void write_block_trace(const struct trace *trace)
{
    if (ranks.rank != 0)
        return;
    FILE *file = new_file("block-trace", block_trace_file);
    check_status(trace_write(trace, file, "blocks of worker 0"));
    close_file(file, block_trace_file);
}

/* A trace's name takes letters, digits and underscores only. */
static struct trace new_trace(const struct run *run, const struct sial_program *program)
{
    struct trace trace = {.seed = run->settings.seed};
    snprintf(trace.name, sizeof trace.name, "%s", program->name);
    return trace;
}

/* ---- records ---- */

/* What the servers wrote and read together. */
static struct store_counters sum_of_servers(const struct server_counters *servers, int count)
{
    struct store_counters sum = {0};
    for (int i = 0; i < count; i++) {
        sum.spilled_bytes += servers[i].store.spilled_bytes;
        sum.loaded_bytes += servers[i].store.loaded_bytes;
    }
    return sum;
}

static struct value count_of(uint64_t count)
{
    return integer((int64_t)count);
}

/* A list from the command line as one cell, without the commas. */
static const char *cell_of(const char *list, char *cell, size_t bytes)
{
    snprintf(cell, bytes, "%s", list ? list : "");
    for (char *comma = cell; (comma = strchr(comma, ','));)
        *comma = ' ';
    return cell;
}

static void record_worker(struct run *run, int repetition, const char *name,
                          const struct sip_config *config, int worker, const struct sip_counters *c,
                          const struct store_counters *disk)
{
    char set[256], segment[128];
    struct value values[] = {
        text(name),
        text(cell_of(sip_options.set, set, sizeof set)),
        text(cell_of(sip_options.segment, segment, sizeof segment)),
        integer(config->workers),
        integer(config->servers),
        text(sip_transport_name(config->transport)),
        integer(config->prefetch),
        text(sip_loop_name(config->loop_given, config->loop)),
        text(sip_device_name(config->device)),
        integer(worker),
        real(c->run_s),
        real(c->block_wait_s),
        real(c->barrier_wait_s),
        real(c->compute_s),
        c->accesses ? real((double)c->hits / (double)c->accesses) : none(),
        count_of(c->accesses),
        count_of(c->hits),
        count_of(c->gets),
        count_of(c->prefetches),
        count_of(c->unused_prefetches),
        count_of(c->instructions),
        count_of(c->host_operations),
        count_of(c->gpu_operations),
        count_of(c->copies.copied_bytes),
        count_of(c->cache_hits),
        count_of(c->cache_misses),
        count_of(c->transport.bytes_received),
        count_of(c->transport.bytes_sent),
        count_of(c->transport.window_gets),
        count_of(c->transport.message_gets),
        count_of(c->transport.puts),
        count_of(disk->spilled_bytes),
        count_of(disk->loaded_bytes),
    };
    static_assert(sizeof values / sizeof *values == COLUMNS, "one value per column");
    record_values(run, variants[0].name, repetition, values, c->run_s, 0);
}

static void record(struct run *run, int repetition, const struct sial_program *program,
                   const struct sip_config *config, const struct sip_result *result)
{
    struct sip_counters *workers = sip_gather_workers(result);
    struct server_counters *servers = sip_gather_servers(result);
    if (workers && servers) {
        struct store_counters disk = sum_of_servers(servers, config->servers);
        for (int worker = 0; worker < config->workers; worker++)
            record_worker(run, repetition, program->name, config, worker, &workers[worker], &disk);
    }
    free(workers);
    free(servers);
}

/* ---- running ---- */

static void repeat(struct run *run, int repetition, const struct sial_program *program,
                   struct sip_config *config)
{
    bool first = repetition == 0;
    struct trace trace = new_trace(run, program);
    config->record_events = first && trace_file;
    config->block_trace = first && block_trace_file && ranks.rank == 0 ? &trace : NULL;
    struct sip_result result = sip_run_or_fail(program, config);
    if (first && trace_file)
        write_events(program, &result);
    if (config->block_trace)
        write_block_trace(&trace);
    trace_free(&trace);
    record(run, repetition, program, config, &result);
    sip_result_free(&result);
}

static void run_program(struct run *run)
{
    if (list_super)
        print_super_instructions();
    struct sial_program *program = sip_compile(sip_options.program, sip_options.set);
    if (disassemble)
        print_bytecode(program);
    if (check_only)
        end_early("the program is correct");
    struct sip_config config = sip_options_config(run);
    config.output = run->settings.verbosity >= 0 ? stderr : NULL;
    int *sites = sip_options_sites(program);
    config.site_prefetch = sites;
    int repetitions = run->settings.iterations ? run->settings.iterations : 1;
    for (int repetition = 0; repetition < repetitions; repetition++)
        repeat(run, repetition, program, &config);
    free(sites);
    sial_free(program);
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
