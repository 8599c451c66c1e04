/* pinning_transfers: copies of blocks between host and GPU, with and without the access's intent.
 */
#include <stdlib.h>
#include <string.h>

#include <datamotion/pinning.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "trace_source.h"

enum { MODEL_SLOTS = 2 };

static const struct variant variants[] = {
    {"unoptimized", "every access brings the newest data (algorithm 5.2)"},
    {"optimized", "a block that is to be overwritten is not copied (algorithm 5.3)"},
    {0},
};
static const enum pinning_policy policies[] = {PINNING_UNOPTIMIZED, PINNING_OPTIMIZED};

struct row {
    const char *trace;
    uint64_t accesses, writes, copies, copied_bytes, saved_copies;
    int64_t write_copies, needed_copies;
};
static const struct column columns[] = {
    PARAMETER(struct row, trace, "program whose accesses are replayed"),
    METRIC(struct row, accesses, "reads, updates and writes of blocks"),
    METRIC(struct row, writes, "accesses that overwrite the whole block"),
    METRIC(struct row, copies, "copies of a block between host and GPU"),
    METRIC(struct row, copied_bytes, "bytes of these copies"),
    METRIC(struct row, saved_copies, "copies not made because the block was to be overwritten"),
    METRIC(struct row, write_copies, "copies made for accesses that overwrite the block"),
    METRIC(struct row, needed_copies, "copies that a plain model of the policy makes"),
    {0},
};

static struct trace_source source = TRACE_SOURCE("rccsd_rhf");
static int64_t streams = PINNING_DEFAULT_STREAMS;
static const struct program_option options[] = {
    TRACE_NAME_OPTIONS(source),
    {"streams", OPTION_INTEGER, &streams, "N", "streams that copies use in turn", 1,
     PINNING_STREAMS},
    {0},
};

/* One variant on one trace. */
struct replay {
    int variant;
    const struct trace *trace;
    int gpu;
    bool verify; /* write stamps into the blocks, and compare them at each access */
    struct pinning_counters counters;
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
    struct pinning_store *store;
    struct pinning_block **blocks;
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
static void verify_access(struct machine *machine, const struct trace_event *event, double *data,
                          uint64_t copies)
{
    struct replay *replay = machine->replay;
    struct model *model = &machine->models[event->id];
    bool skips = event->kind == TRACE_WRITE && policies[replay->variant] == PINNING_OPTIMIZED;
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
    static const enum pinning_intent intents[] = {[TRACE_READ] = PINNING_READ,
                                                  [TRACE_UPDATE] = PINNING_UPDATE,
                                                  [TRACE_WRITE] = PINNING_WRITE};
    struct pinning_block **block = &machine->blocks[event->id];
    if (event->kind == TRACE_ALLOCATE) {
        check_status(pinning_block_create(block, machine->store, event->elements * sizeof(double)));
        machine->models[event->id] = (struct model){.elements = event->elements};
        return;
    }
    if (event->kind == TRACE_RELEASE) {
        pinning_block_destroy(*block);
        *block = NULL;
        return;
    }
    void *data;
    uint64_t before = pinning_store_counters(machine->store)->copies;
    check_status(pinning_block_access(*block, event->device, intents[event->kind], &data));
    if (machine->replay->verify)
        verify_access(machine, event, data,
                      pinning_store_counters(machine->store)->copies - before);
}

static double replay_once(void *context)
{
    struct replay *replay = context;
    struct machine machine = {.replay = replay};
    struct pinning_cache *cache;
    check_status(pinning_cache_create(&cache, NULL));
    check_status(pinning_store_create(&machine.store, cache, replay->gpu, 1, (int)streams,
                                      policies[replay->variant]));
    machine.blocks = allocate_or_fail(replay->trace->ids, sizeof *machine.blocks);
    machine.models = allocate_or_fail(replay->trace->ids, sizeof *machine.models);
    double start_s = clock_now_s();
    for (size_t i = 0; i < replay->trace->count; i++)
        play(&machine, &replay->trace->events[i]);
    check_cuda(cudaDeviceSynchronize());
    double time_s = clock_now_s() - start_s;
    replay->counters = *pinning_store_counters(machine.store);
    for (uint32_t id = 0; id < replay->trace->ids; id++)
        pinning_block_destroy(machine.blocks[id]);
    pinning_store_destroy(machine.store);
    pinning_cache_destroy(cache);
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

static long verify_once(struct run *run, void *task)
{
    (void)run;
    struct replay *replay = task;
    uint64_t timed_copies = replay->counters.copies;
    replay->verify = true;
    replay_once(replay);
    return replay->errors + (replay->counters.copies != timed_copies);
}

static void fill_row(const void *task, double time_s, void *row)
{
    (void)time_s;
    const struct replay *replay = task;
    const struct pinning_counters *c = &replay->counters;
    *(struct row *)row = (struct row){replay->trace->name,
                                      c->accesses,
                                      count_writes(replay->trace),
                                      c->copies,
                                      c->copied_bytes,
                                      c->saved_copies,
                                      NO_VALUE,
                                      NO_VALUE};
}

/* What the verification counted. */
static void add_model(const struct compared *compared, size_t task, size_t repetition, void *filled)
{
    (void)repetition;
    const struct replay *replay = compared->tasks[task];
    struct row *row = filled;
    if (!replay->verify)
        return;
    row->write_copies = (int64_t)replay->write_copies;
    row->needed_copies = (int64_t)replay->needed_copies;
}

static const struct comparison comparison = {.task_bytes = TASK(struct replay),
                                             .row_bytes = sizeof(struct row),
                                             .sample = replay_once,
                                             .row = fill_row,
                                             .verify = verify_once,
                                             .relate = add_model};

static void run_all(struct run *run)
{
    struct trace trace;
    for (size_t i = 0; trace_source_get(&source, i, run->settings.seed, &trace); i++) {
        check_devices(&trace);
        compare_variants(run, &comparison,
                         &(struct replay){.trace = &trace, .gpu = run->settings.device});
        trace_free(&trace);
    }
}

const struct program program = {
    .name = "pinning_transfers",
    .summary = "counts copies of blocks between host and GPU with and without access intents",
    .details = "time_s is the time of the whole trace. With -c 1 the trace is replayed again:\n"
               "copies are compared with a plain model at each access, and the data with what was\n"
               "written last.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
