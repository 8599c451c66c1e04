/* prefetch_loops: which worker gets which index sets of a parallel loop, and what generating them
 * costs. */
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/program.h"
#include "common/random.h"
#include "prefetch/sip/loop.h"

enum { KINDS = 4, CASES = 4, SPARSE_PERCENT = 5 };

static const struct variant variants[] = {
    {"sequential", "all sets to worker 0"},
    {"static", "the full product is dealt cyclically, then where clauses drop sets"},
    {"balanced", "only sets that pass the where clauses are dealt"},
    {"fragmented", "as balanced; rows and columns of a sparse array without blocks are skipped"},
    {0},
};
static const enum loop_kind kinds[KINDS] = {LOOP_SEQUENTIAL, LOOP_STATIC, LOOP_BALANCED,
                                            LOOP_FRAGMENTED};

static const struct column columns[] = {
    {"loop_case", COLUMN_PARAMETER,
     "all; i <= j; stride: every set whose number is a multiple of `workers`; sparse: blocks of a "
     "sparse array"},
    {"workers", COLUMN_PARAMETER, "workers of the loop, played in turn"},
    {"worker", COLUMN_PARAMETER, "this one, from 0"},
    {"iterations", COLUMN_METRIC, "sets this worker got"},
    {"valid_iterations", COLUMN_METRIC, "sets all workers should get, by plain enumeration"},
    {"looked_at", COLUMN_METRIC, "sets this worker generated and tested, also those it dropped"},
    {"useful_blocks", COLUMN_METRIC, "blocks of the sparse array that exist"},
    {0},
};

static int64_t worker_count = 4, range = 64;
static const struct program_option options[] = {
    {"workers", OPTION_INTEGER, &worker_count, "N", "workers that share the loop", 1, 1024},
    {"range", OPTION_INTEGER, &range, "N", "the loop is over i and j, both from 1 to N", 1, 2048},
    {0},
};

/* ---- the cases ---- */

/* One of the cases, in plain form. */
struct loop_case {
    const char *name;
    bool (*valid)(void *context, const struct index_set *set); /* where clause; NULL: none */
    bool *exists;                                              /* by block; NULL: not sparse */
    int64_t blocks;
    struct block_map *map;
};

static size_t number_of(const struct index_set *set)
{
    return (size_t)((set->value[0] - 1) * range + set->value[1] - 1);
}

static bool is_triangular(void *context, const struct index_set *set)
{
    (void)context;
    return set->value[0] <= set->value[1];
}

static bool is_strided(void *context, const struct index_set *set)
{
    (void)context;
    return number_of(set) % (size_t)worker_count == 0;
}

/* Some of the blocks of every second row, chosen at random; the other rows are empty. */
static void make_sparse(struct loop_case *sparse, uint64_t seed)
{
    size_t total = (size_t)(range * range);
    int64_t *blocks = allocate_or_fail(total, sizeof *blocks);
    sparse->exists = allocate_or_fail(total, sizeof *sparse->exists);
    for (size_t block = 0; block < total; block++)
        sparse->exists[block] = false;
    uint64_t wanted = (total * SPARSE_PERCENT + 99) / 100;
    for (uint64_t draw = 0; (uint64_t)sparse->blocks < wanted; draw++) {
        uint64_t row = 2 * random_below(seed, 2 * draw, (uint64_t)(range + 1) / 2);
        uint64_t block = row * (uint64_t)range + random_below(seed, 2 * draw + 1, (uint64_t)range);
        if (sparse->exists[block])
            continue;
        sparse->exists[block] = true;
        blocks[sparse->blocks++] = (int64_t)block;
    }
    const int low[] = {1, 1}, high[] = {(int)range, (int)range};
    sparse->map = block_map_create(2, low, high, blocks, (size_t)sparse->blocks);
    if (!sparse->map)
        fail("no host memory for the map of %lld blocks: choose a smaller --range",
             (long long)sparse->blocks);
    free(blocks);
}

/* ---- one worker of one variant ---- */

struct walk {
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
            walk->visits[number_of(&set)]++;
        more = source.next(source.context, &set, &next);
    }
    double time_s = clock_now_s() - start_s;
    return time_s / (double)(walk->iterations ? walk->iterations : 1);
}

static void open_walk(struct walk *walk, const struct loop_case *chosen, int kind, int worker)
{
    *walk = (struct walk){.loop = {.kind = kinds[kind],
                                   .count = 2,
                                   .low = {1, 1},
                                   .high = {(int)range, (int)range},
                                   .worker = worker,
                                   .workers = (int)worker_count,
                                   .valid = chosen->valid,
                                   .map = chosen->map,
                                   .map_index = {0, 1},
                                   .looked_at = &walk->looked_at}};
}

/* ---- verification by plain enumeration ---- */

static bool should_visit(const struct loop_case *chosen, const struct index_set *set)
{
    return (!chosen->valid || chosen->valid(NULL, set)) &&
           (!chosen->exists || chosen->exists[number_of(set)]);
}

/* Sets that the workers of a variant visited too often or not at all; none are counted if `visits`
 * is NULL. */
static long compare(const struct loop_case *chosen, const int *visits, int64_t *valid)
{
    long errors = 0;
    *valid = 0;
    for (int i = 1; i <= range; i++)
        for (int j = 1; j <= range; j++) {
            struct index_set set = {{i, j}};
            bool wanted = should_visit(chosen, &set);
            *valid += wanted;
            errors += visits && visits[number_of(&set)] != wanted;
        }
    return errors;
}

static long verify(const struct loop_case *chosen, struct walk *walks, int64_t *valid)
{
    size_t total = (size_t)(range * range);
    int *visits = allocate_or_fail(total, sizeof *visits);
    for (size_t i = 0; i < total; i++)
        visits[i] = 0;
    long changed = 0;
    for (int worker = 0; worker < worker_count; worker++) {
        uint64_t iterations = walks[worker].iterations, looked_at = walks[worker].looked_at;
        walks[worker].visits = visits;
        walk_once(&walks[worker]);
        changed += walks[worker].iterations != iterations || walks[worker].looked_at != looked_at;
    }
    long errors = changed + compare(chosen, visits, valid);
    free(visits);
    return errors;
}

/* ---- measuring ---- */

static void record(struct run *run, const struct loop_case *chosen, const struct walk *walk,
                   const struct subject *measured, int64_t valid, long errors)
{
    struct value values[] = {
        text(chosen->name),
        integer(worker_count),
        integer(walk->loop.worker),
        integer((int64_t)walk->iterations),
        integer(valid),
        integer((int64_t)walk->looked_at),
        chosen->map ? integer(chosen->blocks) : none(),
    };
    for (size_t i = 0; i < measured->count; i++)
        record_values(run, measured->variant, (int)i, values, measured->times_s[i], errors);
}

static void measure_kind(struct run *run, const struct loop_case *chosen, int kind)
{
    struct walk *walks = allocate_or_fail((size_t)worker_count, sizeof *walks);
    struct subject *measured = allocate_or_fail((size_t)worker_count, sizeof *measured);
    for (int worker = 0; worker < worker_count; worker++) {
        open_walk(&walks[worker], chosen, kind, worker);
        measured[worker] = (struct subject){
            .variant = variants[kind].name, .sample = walk_once, .context = &walks[worker]};
    }
    measure(run, measured, (size_t)worker_count);
    int64_t valid;
    long errors =
        run->settings.check ? verify(chosen, walks, &valid) : compare(chosen, NULL, &valid);
    for (int worker = 0; worker < worker_count; worker++)
        record(run, chosen, &walks[worker], &measured[worker], valid, errors);
    measure_free(measured, (size_t)worker_count);
    free(measured);
    free(walks);
}

static void run_all(struct run *run)
{
    struct loop_case cases[CASES] = {{.name = "all"},
                                     {.name = "i <= j", .valid = is_triangular},
                                     {.name = "stride", .valid = is_strided},
                                     {.name = "sparse"}};
    struct loop_case *sparse = &cases[CASES - 1];
    make_sparse(sparse, run->settings.seed);
    for (int i = 0; i < CASES; i++)
        for (int kind = 0; kind < KINDS; kind++)
            if (program_wants(run, variants[kind].name))
                measure_kind(run, &cases[i], kind);
    block_map_destroy(sparse->map);
    free(sparse->exists);
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
