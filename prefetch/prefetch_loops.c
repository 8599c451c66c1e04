/* prefetch_loops: which worker gets which index sets of a parallel loop, and what generating them
 * costs. */
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "loop_case.h"

enum { KINDS = 4 };

static const struct variant variants[] = {
    {"sequential", "all sets to worker 0"},
    {"static", "the full product is dealt cyclically, then where clauses drop sets"},
    {"balanced", "only sets that pass the where clauses are dealt"},
    {"fragmented", "as balanced; rows and columns of a sparse array without blocks are skipped"},
    {0},
};
static const enum loop_kind kinds[KINDS] = {LOOP_SEQUENTIAL, LOOP_STATIC, LOOP_BALANCED,
                                            LOOP_FRAGMENTED};

struct row {
    const char *loop_case;
    int64_t workers;
    int worker;
    uint64_t iterations;
    int64_t valid_iterations;
    uint64_t looked_at;
    int64_t useful_blocks;
};
static const struct column columns[] = {
    PARAMETER(
        struct row, loop_case,
        "all; i <= j; stride: every set whose number is a multiple of `workers`; sparse: blocks of a "
        "sparse array"),
    PARAMETER(struct row, workers, "workers of the loop, played in turn"),
    PARAMETER(struct row, worker, "this one, from 0"),
    METRIC(struct row, iterations, "sets this worker got"),
    METRIC(struct row, valid_iterations, "sets all workers should get, by plain enumeration"),
    METRIC(struct row, looked_at, "sets this worker generated and tested, also those it dropped"),
    METRIC(struct row, useful_blocks, "blocks of the sparse array that exist"),
    {0},
};

static int64_t worker_count = 4, range = 64;
static const struct program_option options[] = {
    {"workers", OPTION_INTEGER, &worker_count, "N", "workers that share the loop", 1, 1024},
    {"range", OPTION_INTEGER, &range, "N", "the loop is over i and j, both from 1 to N", 1, 2048},
    {0},
};

/* ---- the workers of one variant ---- */

/* What all of them visited together. */
struct team {
    const struct loop_case *chosen;
    struct walk *walks;
    int64_t valid; /* sets that they should visit */
    long errors;   /* -1: not counted yet */
};

struct walk {
    int variant;
    struct team *team;
    struct loop loop;
    uint64_t looked_at, iterations;
    int *visits; /* by number of the set: how often it was visited; NULL: not counted */
};

static double walk_once(void *context)
{
    struct walk *walk = context;
    struct index_source source = loop_source(&walk->loop);
    struct index_set set, next;
    walk->looked_at = walk->iterations = 0;
    double start_s = clock_now_s();
    for (bool more = source.first(source.context, &set); more; set = next) {
        walk->iterations++;
        if (walk->visits)
            walk->visits[loop_case_number(walk->team->chosen, &set)]++;
        more = source.next(source.context, &set, &next);
    }
    double time_s = clock_now_s() - start_s;
    return time_s / (double)(walk->iterations ? walk->iterations : 1);
}

static void open_walk(struct walk *walk, struct team *team, int kind, int worker)
{
    *walk = (struct walk){.variant = kind,
                          .team = team,
                          .loop = {.kind = kinds[kind],
                                   .count = 2,
                                   .low = {1, 1},
                                   .high = {(int)range, (int)range},
                                   .worker = worker,
                                   .workers = (int)worker_count,
                                   .valid = team->chosen->valid,
                                   .valid_context = (void *)team->chosen,
                                   .map = team->chosen->map,
                                   .map_index = {0, 1},
                                   .looked_at = &walk->looked_at}};
}

static void fill_row(const void *context, double time_s, void *row)
{
    (void)time_s;
    const struct walk *walk = context;
    const struct loop_case *chosen = walk->team->chosen;
    *(struct row *)row = (struct row){chosen->name,
                                      worker_count,
                                      walk->loop.worker,
                                      walk->iterations,
                                      walk->team->valid,
                                      walk->looked_at,
                                      chosen->map ? chosen->blocks : NO_VALUE};
}

static long count_errors(struct team *team)
{
    size_t total = (size_t)(range * range);
    int *visits = allocate_or_fail(total, sizeof *visits);
    memset(visits, 0, total * sizeof *visits);
    long changed = 0;
    for (int worker = 0; worker < worker_count; worker++) {
        struct walk *walk = &team->walks[worker];
        uint64_t iterations = walk->iterations, looked_at = walk->looked_at;
        walk->visits = visits;
        walk_once(walk);
        changed += walk->iterations != iterations || walk->looked_at != looked_at;
    }
    long errors = changed + loop_case_compare(team->chosen, visits, &team->valid);
    free(visits);
    return errors;
}

static long verify(struct run *run, void *context)
{
    (void)run;
    struct team *team = ((struct walk *)context)->team;
    if (team->errors < 0)
        team->errors = count_errors(team);
    return team->errors;
}

static const struct comparison comparison = {.task_bytes = TASK(struct walk),
                                             .row_bytes = sizeof(struct row),
                                             .sample = walk_once,
                                             .row = fill_row,
                                             .verify = verify};

static void measure_kind(struct run *run, const struct loop_case *chosen, int kind)
{
    struct team team = {.chosen = chosen, .errors = -1};
    team.walks = allocate_or_fail((size_t)worker_count, sizeof *team.walks);
    loop_case_compare(chosen, NULL, &team.valid);
    for (int worker = 0; worker < worker_count; worker++)
        open_walk(&team.walks[worker], &team, kind, worker);
    compare_tasks(run, &comparison, team.walks, (size_t)worker_count);
    free(team.walks);
}

static void run_all(struct run *run)
{
    struct loop_case cases[LOOP_CASES];
    loop_cases_open(cases, range, worker_count, run->settings.seed);
    for (int i = 0; i < LOOP_CASES; i++)
        for (int kind = 0; kind < KINDS; kind++)
            if (program_wants_variant(run, kind))
                measure_kind(run, &cases[i], kind);
    loop_cases_close(cases);
}

const struct program program = {
    .name = "prefetch_loops",
    .summary = "deals the index sets of a parallel loop to workers in four ways",
    .details = "time_s is the time in which a worker generates its sets, divided by their number;\n"
               "for a worker without sets, the time to find that out. The sparse array has 5 % of\n"
               "its blocks, all of them in every second row. With -c 1 the sets that all workers\n"
               "visited are compared with plain enumeration; each must be visited once.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
