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

static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN,
    {"transport", COLUMN_PARAMETER, "messages, or window (one-sided)"},
    {"program", COLUMN_PARAMETER, "SIAL program"},
    {"workers", COLUMN_PARAMETER, "ranks that compute"},
    {"servers", COLUMN_PARAMETER, "ranks that store blocks"},
    {"prefetch_blocks", COLUMN_PARAMETER, "blocks that each get is ahead"},
    {"event", COLUMN_PARAMETER, "number of the span within its run"},
    {"worker", COLUMN_PARAMETER, "whose span it is"},
    {"kind", COLUMN_PARAMETER,
     "transfer: from the request of a block until it is seen to have arrived; wait, compute, put, "
     "barrier"},
    {"begin_s", COLUMN_METRIC, "since the start of the program"},
    {"end_s", COLUMN_METRIC, "since the start of the program"},
    {"line", COLUMN_METRIC, "line of the statement"},
    {"array", COLUMN_METRIC, "array of the block, if it is about one"},
    {"block", COLUMN_METRIC, "its number within the array"},
    {"place", COLUMN_METRIC,
     "transfers of a worker at the same time have different places, from 0"},
    {0},
};

static const char *blocks = "0,4";
static const struct program_option options[] = {
    SIP_PROGRAM_OPTIONS,
    SIP_JOB_OPTIONS,
    {"prefetch", OPTION_TEXT, &blocks, "LIST", "blocks ahead of each get, one run each", 0, 0},
    {0},
};

/* ---- from events to spans ---- */

/* When the block of event `request` arrived; its worker's events follow one another. NaN: never. */
static double arrival_s(const struct sip_event *events, size_t count, size_t request)
{
    const struct sip_event *asked = &events[request];
    for (size_t i = request + 1; i < count && events[i].worker == asked->worker; i++)
        if (events[i].kind == SIP_EVENT_ARRIVE && events[i].array == asked->array &&
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

static const char *const kinds[] = {[SIP_EVENT_REQUEST] = "transfer",
                                    [SIP_EVENT_WAIT] = "wait",
                                    [SIP_EVENT_COMPUTE] = "compute",
                                    [SIP_EVENT_PUT] = "put",
                                    [SIP_EVENT_BARRIER] = "barrier"};

static void record_span(struct run *run, const struct sial_program *code,
                        const struct sip_config *config, const struct sip_event *event, int number,
                        double end_s, int place)
{
    bool transfer = event->kind == SIP_EVENT_REQUEST, block = event->array >= 0;
    struct value values[] = {
        text(benchmark_network()),
        text(sip_transport_name(config->transport)),
        text(sip_options.program),
        integer(config->workers),
        integer(config->servers),
        integer(config->prefetch),
        integer(number),
        integer(event->worker),
        text(kinds[event->kind]),
        real(event->begin_s),
        real(end_s),
        integer(code->instructions[event->instruction].line),
        block ? text(code->arrays[event->array].name) : none(),
        block ? integer(event->block) : none(),
        transfer ? integer(place) : none(),
    };
    record_values(run, "trace", 0, values, end_s - event->begin_s, 0);
}

static void record_events(struct run *run, const struct sial_program *code,
                          const struct sip_config *config, const struct sip_event *events,
                          size_t count)
{
    double free_from_s[PLACES] = {0};
    int number = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sip_event *event = &events[i];
        double end_s = event->end_s;
        int place = 0;
        if (i > 0 && event->worker != events[i - 1].worker)
            for (int p = 0; p < PLACES; p++)
                free_from_s[p] = 0.0;
        if (event->kind == SIP_EVENT_ARRIVE)
            continue;
        if (event->kind == SIP_EVENT_REQUEST) {
            end_s = arrival_s(events, count, i);
            if (isnan(end_s))
                continue; /* requested ahead, and never used */
            place = take_place(free_from_s, event->begin_s, end_s);
        }
        record_span(run, code, config, event, number++, end_s, place);
    }
}

static void run_all(struct run *run)
{
    struct benchmark_numbers ahead = benchmark_read_numbers("prefetch", blocks, 0, 1000);
    struct sip_config config = sip_options_config(run);
    struct sial_program *code = sip_compile(sip_options.program, sip_options.set);
    config.record_events = true;
    for (size_t i = 0; i < ahead.count; i++) {
        config.prefetch = (int)ahead.values[i];
        struct sip_result result = sip_run_or_fail(code, &config);
        size_t count = 0;
        struct sip_event *events = sip_gather_events(&result, &count);
        record_events(run, code, &config, events, count);
        free(events);
        sip_result_free(&result);
    }
    sial_free(code);
    free(ahead.values);
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
