/* prefetch_index_list: what happens to the list of index sets while a loop with two GETs runs. */
#include <stdlib.h>

#include "common/harness/program.h"

#include "list_machine.h"

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

static void run_loop(struct list_machine *machine)
{
    int64_t iteration = 0;
    list_machine_start(machine);
    for (; list_machine_update(machine); iteration++) {
        bool later = iteration >= length / 2;
        list_machine_get(machine, 0, distances[0], length - 1 - iteration);
        list_machine_get(machine, 1, later ? later_distance : distances[1], length - 1 - iteration);
    }
    list_machine_end(machine);
    machine->events[machine->count - 1].errors += iteration != length;
}

static void record(struct run *run, const struct list_machine *machine, int repetition)
{
    for (size_t i = 0; i < machine->count; i++) {
        const struct list_event *event = &machine->events[i];
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
        record_row(run, variants[0].name, repetition, &row, event->time_s, event->errors);
    }
}

static void run_all(struct run *run)
{
    struct list_machine machine = {.length = length};
    machine.events = allocate_or_fail(list_machine_events(length), sizeof *machine.events);
    int repetitions = run->settings.iterations > 0 ? run->settings.iterations : 1;
    for (int repetition = 0; repetition < repetitions; repetition++) {
        run_loop(&machine);
        record(run, &machine, repetition);
    }
    free(machine.events);
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
