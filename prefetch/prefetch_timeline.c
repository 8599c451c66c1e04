/* prefetch_timeline: what workers do when, in one run of a program per number of blocks ahead. */
#include <math.h>
#include <stdlib.h>

#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"

static const struct variant variants[] = {
    {"trace", "one run, with every event noted"},
    {0},
};

struct row {
    const char *network, *transport, *program;
    int workers, servers, prefetch_blocks, event, worker;
    const char *kind;
    double begin_s, end_s;
    int line;
    const char *array;
    int64_t block, place;
};
static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN(struct row),
    PARAMETER(struct row, transport, "messages, or window (one-sided)"),
    PARAMETER(struct row, program, "SIAL program"),
    PARAMETER(struct row, workers, "ranks that compute"),
    PARAMETER(struct row, servers, "ranks that store blocks"),
    PARAMETER(struct row, prefetch_blocks, "blocks that each get is ahead"),
    PARAMETER(struct row, event, "number of the span within its run"),
    PARAMETER(struct row, worker, "whose span it is"),
    PARAMETER(
        struct row, kind,
        "transfer: from the request of a block until it is seen to have arrived; wait, compute, put, "
        "barrier"),
    METRIC(struct row, begin_s, "since the start of the program"),
    METRIC(struct row, end_s, "since the start of the program"),
    METRIC(struct row, line, "line of the statement"),
    METRIC(struct row, array, "array of the block, if it is about one"),
    METRIC(struct row, block, "its number within the array"),
    METRIC(struct row, place,
           "transfers of a worker at the same time have different places, from 0"),
    {0},
};

static struct option_numbers blocks = {.list = "0,4"};
static const struct program_option options[] = {
    SIP_PROGRAM_OPTIONS,
    SIP_JOB_OPTIONS,
    {"prefetch", OPTION_NUMBERS, &blocks, "LIST", "blocks ahead of each get, one run each", 0,
     1000},
    {0},
};

/* When the block of event `request` arrived; its worker's events follow one another. NaN: never. */
static double arrival_s(const struct prefetch_event *events, size_t count, size_t request)
{
    const struct prefetch_event *asked = &events[request];
    for (size_t i = request + 1; i < count && events[i].worker == asked->worker; i++)
        if (events[i].kind == PREFETCH_EVENT_ARRIVE && events[i].array == asked->array &&
            events[i].block == asked->block)
            return events[i].end_s;
    return NAN;
}

enum { PLACES = 1024 };

/* The first place that is free from begin_s on; taken until end_s. */
static int take_place(double *free_from_s, double begin_s, double end_s)
{
    int place = 0;
    while (place < PLACES - 1 && free_from_s[place] > begin_s)
        place++;
    free_from_s[place] = end_s;
    return place;
}

static const char *const kinds[] = {[PREFETCH_EVENT_REQUEST] = "transfer",
                                    [PREFETCH_EVENT_WAIT] = "wait",
                                    [PREFETCH_EVENT_COMPUTE] = "compute",
                                    [PREFETCH_EVENT_PUT] = "put",
                                    [PREFETCH_EVENT_BARRIER] = "barrier"};

/* `row` has what all spans of the run have in common. */
static void record_events(struct run *run, const struct prefetch_program *code, struct row row,
                          const struct prefetch_event *events, size_t count)
{
    double free_from_s[PLACES] = {0};
    for (size_t i = 0; i < count; i++) {
        const struct prefetch_event *event = &events[i];
        bool transfer = event->kind == PREFETCH_EVENT_REQUEST;
        if (i > 0 && event->worker != events[i - 1].worker)
            for (int p = 0; p < PLACES; p++)
                free_from_s[p] = 0.0;
        row.begin_s = event->begin_s;
        row.end_s = transfer ? arrival_s(events, count, i) : event->end_s;
        if (event->kind == PREFETCH_EVENT_ARRIVE || isnan(row.end_s))
            continue; /* a transfer's end, or requested ahead and never used */
        row.worker = event->worker;
        row.kind = kinds[event->kind];
        row.line = event->line;
        row.array = prefetch_array_name(code, event->array);
        row.block = row.array ? event->block : NO_VALUE;
        row.place = transfer ? take_place(free_from_s, row.begin_s, row.end_s) : NO_VALUE;
        record_row(run, "trace", 0, &row, row.end_s - row.begin_s, 0);
        row.event++;
    }
}

static void run_all(struct run *run)
{
    struct prefetch_config config = sip_options_config(run);
    struct prefetch_program *code = sip_compile(sip_options.program, sip_options.set);
    struct row row = {.network = benchmark_network(),
                      .transport = sip_transport_name(config.transport),
                      .program = sip_options.program,
                      .workers = config.workers,
                      .servers = config.servers};
    config.record_events = true;
    for (size_t i = 0; i < blocks.count; i++) {
        size_t count;
        row.prefetch_blocks = config.prefetch = (int)blocks.values[i];
        struct prefetch_result result = sip_run(code, &config);
        struct prefetch_event *events = sip_gather_events(&result, &count);
        record_events(run, code, row, events, events ? count : 0);
        free(events);
        prefetch_result_free(&result);
    }
    prefetch_free(code);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sip_options.program = "transform_like";
    sip_options.set = "nao=6,nmo=1,ng=1,work_s=0.0005";
}

const struct program program = {
    .name = "prefetch_timeline",
    .summary = "notes what workers do when, without and with prefetching",
    .details = "One row per span, in one run per number of blocks ahead; options for repetitions\n"
               "have no effect. time_s is the length of the span.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
