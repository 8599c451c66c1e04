/* pinning_transfers: copies of blocks between host and GPU, with and without the access's intent.
 */
#include "block.h"
#include "clock.h"
#include "program.h"
#include "trace_source.h"

#include <stdlib.h>
#include <string.h>

enum { POLICIES = 2, MODEL_SLOTS = 2 };

static const struct variant variants[] = {
    {"unoptimized", "every access brings the newest data (algorithm 5.2)"},
    {"optimized", "a block that is to be overwritten is not copied (algorithm 5.3)"},
    {0},
};

static const struct column columns[] = {
    {"trace", COLUMN_PARAMETER, "program whose accesses are replayed"},
    {"accesses", COLUMN_METRIC, "reads, updates and writes of blocks"},
    {"writes", COLUMN_METRIC, "accesses that overwrite the whole block"},
    {"copies", COLUMN_METRIC, "copies of a block between host and GPU"},
    {"copied_bytes", COLUMN_METRIC, "bytes of these copies"},
    {"saved_copies", COLUMN_METRIC, "copies not made because the block was to be overwritten"},
    {"write_copies", COLUMN_METRIC, "copies made for accesses that overwrite the block"},
    {"needed_copies", COLUMN_METRIC, "copies that a plain model of the policy makes"},
    {0},
};

static struct trace_source source = {.names = "rccsd_rhf", .random_requests = 1, .random_live = 1};
static int64_t streams = BLOCK_DEFAULT_STREAMS;
static const struct option options[] = {
    {"traces", OPTION_TEXT, &source.names, "LIST",
     "traces to replay, separated by commas: scf_rhf_coreh, tran_rhf_no4v, rccsd_rhf, "
     "rccsdpt_aaa,\nrccsdpt_aab (synthetic)",
     0, 0},
    {"trace-file", OPTION_TEXT, &source.file, "FILE", "replay this file instead (see trace.h)", 0,
     0},
    {"streams", OPTION_INTEGER, &streams, "N", "streams that copies take in turn", 1,
     BLOCK_STREAMS},
    {0},
};

/* One variant on one trace. */
struct replay {
    const struct trace *trace;
    enum block_policy policy;
    int gpu;
    bool verify; /* write stamps into the blocks, and compare them at each access */
    struct block_counters counters;
    uint64_t write_copies, needed_copies;
    long errors;
};

/* What a plain model knows of a block: which slots hold the newest data, and what these are. */
struct model {
    size_t elements;
    uint64_t stamp; /* 0: never written */
    bool newest[MODEL_SLOTS];
};

struct machine {
    struct replay *replay;
    struct block_store *store;
    struct block **blocks;
    struct model *models;
};

/* ---- verification: each write leaves a stamp in the first and the last number ---- */

static void write_stamp(double *data, size_t elements, uint64_t stamp)
{
    double value = (double)stamp;
    check_cuda(cudaMemcpy(data, &value, sizeof value, cudaMemcpyDefault));
    check_cuda(cudaMemcpy(data + elements - 1, &value, sizeof value, cudaMemcpyDefault));
}

static bool has_stamp(const double *data, size_t elements, uint64_t stamp)
{
    double first, last;
    check_cuda(cudaMemcpy(&first, data, sizeof first, cudaMemcpyDefault));
    check_cuda(cudaMemcpy(&last, data + elements - 1, sizeof last, cudaMemcpyDefault));
    return first == (double)stamp && last == (double)stamp;
}

/* The model's opinion on the access that was just made with `copies` copies. */
static void verify(struct machine *machine, const struct trace_event *event, double *data,
                   uint64_t copies)
{
    struct replay *replay = machine->replay;
    struct model *model = &machine->models[event->id];
    bool skips = event->kind == TRACE_WRITE && replay->policy == BLOCK_OPTIMIZED;
    uint64_t expected = model->stamp != 0 && !model->newest[event->device] && !skips;
    replay->errors += copies != expected;
    replay->needed_copies += expected;
    replay->write_copies += event->kind == TRACE_WRITE ? copies : 0;
    if (event->kind != TRACE_WRITE && model->stamp != 0)
        replay->errors += !has_stamp(data, model->elements, model->stamp);
    if (event->kind == TRACE_READ) {
        model->newest[event->device] |= copies > 0;
        return;
    }
    memset(model->newest, 0, sizeof model->newest);
    model->newest[event->device] = true;
    write_stamp(data, model->elements, ++model->stamp);
}

/* ---- replay ---- */

static void play(struct machine *machine, const struct trace_event *event)
{
    static const enum block_intent intents[] = {
        [TRACE_READ] = BLOCK_READ, [TRACE_UPDATE] = BLOCK_UPDATE, [TRACE_WRITE] = BLOCK_WRITE};
    struct block **block = &machine->blocks[event->id];
    if (event->kind == TRACE_ALLOCATE) {
        *block = block_create(machine->store, event->elements);
        if (!*block)
            fail("no host memory for a block");
        machine->models[event->id] = (struct model){.elements = event->elements};
        return;
    }
    if (event->kind == TRACE_RELEASE) {
        block_destroy(*block);
        *block = NULL;
        return;
    }
    double *data;
    uint64_t before = block_store_counters(machine->store)->copies;
    check_cuda(block_access(*block, event->device, intents[event->kind], &data));
    if (machine->replay->verify)
        verify(machine, event, data, block_store_counters(machine->store)->copies - before);
}

static double replay_once(void *context)
{
    struct replay *replay = context;
    struct machine machine = {.replay = replay};
    struct block_cache_config config = {.kind = BLOCK_CACHE_SEGMENTS};
    struct block_cache *cache = block_cache_create(&config);
    if (!cache)
        fail("no host memory for the tables of a block cache");
    check_cuda(
        block_store_create(&machine.store, cache, replay->gpu, 1, (int)streams, replay->policy));
    machine.blocks = allocate_or_fail(replay->trace->ids, sizeof *machine.blocks);
    machine.models = allocate_or_fail(replay->trace->ids, sizeof *machine.models);
    double start_s = clock_now_s();
    for (size_t i = 0; i < replay->trace->count; i++)
        play(&machine, &replay->trace->events[i]);
    check_cuda(cudaDeviceSynchronize());
    double time_s = clock_now_s() - start_s;
    replay->counters = *block_store_counters(machine.store);
    for (uint32_t id = 0; id < replay->trace->ids; id++)
        block_destroy(machine.blocks[id]);
    block_store_destroy(machine.store);
    block_cache_destroy(cache);
    free(machine.blocks);
    free(machine.models);
    return time_s;
}

static void check_devices(const struct trace *trace)
{
    for (size_t i = 0; i < trace->count; i++)
        if (trace->events[i].device >= MODEL_SLOTS)
            fail("trace %s uses device %u: this program has the host (0) and one GPU (1)",
                 trace->name, trace->events[i].device);
}

static uint64_t count_writes(const struct trace *trace)
{
    uint64_t writes = 0;
    for (size_t i = 0; i < trace->count; i++)
        writes += trace->events[i].kind == TRACE_WRITE;
    return writes;
}

static void record(struct run *run, const struct replay *replay, const struct subject *subject)
{
    const struct block_counters *c = &replay->counters;
    bool checked = run->settings.check;
    struct value values[] = {
        text(replay->trace->name),
        integer((int64_t)c->accesses),
        integer((int64_t)count_writes(replay->trace)),
        integer((int64_t)c->copies),
        integer((int64_t)c->copied_bytes),
        integer((int64_t)c->saved_copies),
        checked ? integer((int64_t)replay->write_copies) : none(),
        checked ? integer((int64_t)replay->needed_copies) : none(),
    };
    for (size_t i = 0; i < subject->count; i++)
        record_row(run, subject->variant, (int)i, values, subject->times_s[i], replay->errors);
}

static void measure_trace(struct run *run, const struct trace *trace)
{
    struct replay replays[POLICIES];
    struct subject subjects[POLICIES];
    size_t count = 0;
    check_devices(trace);
    for (int policy = 0; policy < POLICIES; policy++) {
        if (!program_wants(run, variants[policy].name))
            continue;
        replays[count] = (struct replay){.trace = trace,
                                         .policy = policy ? BLOCK_OPTIMIZED : BLOCK_UNOPTIMIZED,
                                         .gpu = run->settings.device};
        subjects[count] = (struct subject){
            .variant = variants[policy].name, .sample = replay_once, .context = &replays[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t timed_copies = replays[i].counters.copies;
        replays[i].verify = run->settings.check;
        if (replays[i].verify)
            replay_once(&replays[i]);
        replays[i].errors += replays[i].counters.copies != timed_copies;
        record(run, &replays[i], &subjects[i]);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    struct trace trace;
    for (const char *at = source.names;
         trace_source_next(&source, &at, run->settings.seed, &trace);) {
        measure_trace(run, &trace);
        trace_free(&trace);
    }
}

static const struct program program = {
    .name = "pinning_transfers",
    .summary = "counts copies of blocks between host and GPU with and without access intents",
    .details = "time_s is the time of the whole trace. With -c 1 the trace is replayed once more:\n"
               "copies are compared with a plain model at each access, and the data with what was\n"
               "written last.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
