/* prefetch_index_list: what happens to the list of index sets while a loop with two GETs runs. */
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/program.h"
#include "prefetch/sip/index_list.h"
#include "prefetch/sip/loop.h"

enum { SITES = 2 };
static const int lines[SITES] = {101, 102}; /* as in figure 4-1 */

static const struct variant variants[] = {
    {"list", "list of index sets with a position per GET (algorithms 4.2 to 4.6)"},
    {0},
};

struct row {
    size_t step;
    const char *event;
    int64_t line;
    size_t length_before, list_length;
    uint64_t front, position;
    int set;
    int64_t outstanding, configured;
};
static const struct column columns[] = {
    PARAMETER(struct row, step, "number of the event, from 1"),
    PARAMETER(
        struct row, event,
        "update: the first entry becomes the current set; prefetch: a GET line gets its next set; "
        "peek: the look at the list that each of them starts with"),
    PARAMETER(struct row, line, "GET line on whose behalf; empty: the loop's own update"),
    METRIC(struct row, length_before, "entries of the list before the event"),
    METRIC(struct row, list_length, "entries after it"),
    METRIC(struct row, front, "number of the first entry after it, counted from the loop's start"),
    METRIC(struct row, position, "number of the entry that was looked at"),
    METRIC(struct row, set, "value of the loop's index in that entry"),
    METRIC(struct row, outstanding, "sets the line got that are not current yet, after the event"),
    METRIC(struct row, configured, "distance of the line now, at most the remaining iterations"),
    {0},
};

static int64_t length = 12, distances[SITES] = {2, 4}, later_distance = 1;
static const struct program_option options[] = {
    {"length", OPTION_INTEGER, &length, "N", "iterations of the loop", 1, 100000},
    {"distance-1", OPTION_INTEGER, &distances[0], "N", "sets that line 101 prefetches", 0, 100000},
    {"distance-2", OPTION_INTEGER, &distances[1], "N",
     "sets that line 102 prefetches in the first half of the loop", 0, 100000},
    {"later-distance", OPTION_INTEGER, &later_distance, "N", "and in the second half", 0, 100000},
    {0},
};

static const char *const event_names[] = {
    [INDEX_LIST_UPDATE] = "update", [INDEX_LIST_PEEK] = "peek", [INDEX_LIST_PREFETCH] = "prefetch"};

struct event {
    enum index_list_event kind;
    int site; /* -1: update and its peek */
    size_t before, length, outstanding, configured;
    uint64_t front, position;
    int set;
    double time_s; /* since the call of update or prefetch */
};

/* What a plain model knows: the list is [front, end) of the loop's sets, and each site has one to
 * get next. */
struct model {
    uint64_t front, end, next[SITES];
};

struct machine {
    struct index_list *list;
    struct model model;
    struct event *events;
    long *errors;         /* by event */
    size_t count, before; /* events now, and before the operation */
    int site;             /* whose turn it is; -1: the loop's */
    size_t configured;
    double start_s;
};

/* ---- events ---- */

static void see(void *context, enum index_list_event kind, int site, size_t before, size_t after,
                uint64_t front, uint64_t position)
{
    struct machine *machine = context;
    (void)site; /* only of a prefetch; peeks belong to the same line */
    machine->events[machine->count++] = (struct event){
        .kind = kind,
        .site = machine->site,
        .before = before,
        .length = after,
        .outstanding = machine->site < 0 ? 0 : index_list_ahead(machine->list, machine->site),
        .configured = machine->configured,
        .front = front,
        .position = position,
        .time_s = clock_now_s() - machine->start_s,
    };
}

static bool differs(const struct event *event, enum index_list_event kind, size_t before,
                    const struct model *model, uint64_t position)
{
    return event->kind != kind || event->before != before ||
           event->length != model->end - model->front || event->front != model->front ||
           event->position != position || event->set != (int)position + 1;
}

static bool ahead_differs(const struct machine *machine, const struct event *event)
{
    const struct model *model = &machine->model;
    return event->site >= 0 && event->outstanding != model->next[event->site] - model->front;
}

/* The model's opinion on the last operation: a peek, then the update or prefetch itself. */
static void verify(struct machine *machine)
{
    struct model *model = &machine->model;
    struct event *peek = &machine->events[machine->before], *own = peek + 1;
    long *errors = &machine->errors[machine->before];
    int site = machine->site;
    size_t before = model->end - model->front;
    uint64_t position = site < 0 ? model->front : model->next[site];
    if (position + 1 == model->end && model->end < (uint64_t)length)
        model->end++;
    errors[0] =
        differs(peek, INDEX_LIST_PEEK, before, model, position) + ahead_differs(machine, peek);
    before = model->end - model->front;
    if (site >= 0)
        model->next[site]++;
    else
        model->front++;
    for (int other = 0; other < SITES; other++)
        if (model->next[other] < model->front)
            model->next[other] = model->front;
    errors[1] =
        differs(own, site < 0 ? INDEX_LIST_UPDATE : INDEX_LIST_PREFETCH, before, model, position) +
        ahead_differs(machine, own);
}

/* ---- the loop ---- */

static void begin(struct machine *machine)
{
    machine->before = machine->count;
    machine->start_s = clock_now_s();
}

static void finish(struct machine *machine, const struct index_set *set)
{
    if (machine->count != machine->before + 2)
        fail("an operation on the list made %zu events instead of 2",
             machine->count - machine->before);
    for (size_t i = machine->before; i < machine->count; i++)
        machine->events[i].set = set->value[0];
    verify(machine);
}

static bool update(struct machine *machine, struct index_set *current)
{
    machine->site = -1;
    machine->configured = 0;
    begin(machine);
    if (!index_list_update(machine->list, current))
        return false;
    finish(machine, current);
    return true;
}

/* A GET: prefetches until as many sets are outstanding as its line wants, and the loop still has.
 */
static void get(struct machine *machine, int site, int64_t distance, int64_t remaining)
{
    struct index_set set;
    machine->site = site;
    machine->configured = (size_t)(distance < remaining ? distance : remaining);
    while (index_list_ahead(machine->list, site) < machine->configured) {
        begin(machine);
        if (!index_list_prefetch(machine->list, site, &set))
            fail("line %d got no set although %lld iterations remain: is there too little memory?",
                 lines[site], (long long)remaining);
        finish(machine, &set);
    }
}

static void run_loop(struct machine *machine)
{
    struct loop loop = {
        .kind = LOOP_SEQUENTIAL, .count = 1, .low = {1}, .high = {(int)length}, .workers = 1};
    struct index_source source = loop_source(&loop);
    struct index_list_observer observer = {see, machine};
    struct index_set current;
    machine->count = 0;
    machine->model = (struct model){.end = 1};
    check_status(index_list_open(&machine->list, &source, SITES, &observer));
    int64_t iteration = 0;
    for (; update(machine, &current); iteration++) {
        bool later = iteration >= length / 2;
        get(machine, 0, distances[0], length - 1 - iteration);
        get(machine, 1, later ? later_distance : distances[1], length - 1 - iteration);
    }
    machine->errors[machine->count - 1] += iteration != length;
    index_list_close(machine->list);
}

static void record(struct run *run, const struct machine *machine, int repetition)
{
    for (size_t i = 0; i < machine->count; i++) {
        const struct event *event = &machine->events[i];
        bool of_line = event->site >= 0;
        struct row row = {.step = i + 1,
                          .event = event_names[event->kind],
                          .line = of_line ? lines[event->site] : NO_VALUE,
                          .length_before = event->before,
                          .list_length = event->length,
                          .front = event->front,
                          .position = event->position,
                          .set = event->set,
                          .outstanding = of_line ? (int64_t)event->outstanding : NO_VALUE,
                          .configured = of_line ? (int64_t)event->configured : NO_VALUE};
        record_row(run, variants[0].name, repetition, &row, event->time_s, machine->errors[i]);
    }
}

static void run_all(struct run *run)
{
    /* Two events for each set that the loop and the sites get, once each. */
    size_t events = 2 * (size_t)length * (1 + SITES);
    struct machine machine = {.events = allocate_or_fail(events, sizeof *machine.events),
                              .errors = allocate_or_fail(events, sizeof *machine.errors)};
    int repetitions = run->settings.iterations > 0 ? run->settings.iterations : 1;
    for (int repetition = 0; repetition < repetitions; repetition++) {
        run_loop(&machine);
        record(run, &machine, repetition);
    }
    free(machine.events);
    free(machine.errors);
}

const struct program program = {
    .name = "prefetch_index_list",
    .summary = "shows the list of index sets while a loop with two GETs runs and prefetches",
    .details = "One row per event. time_s is the time from the call of update or prefetch to the\n"
               "event. -n is how often the loop is run; 0: once. Every event is compared with a\n"
               "plain model of the list.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
