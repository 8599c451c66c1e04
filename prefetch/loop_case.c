#include "loop_case.h"

#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/harness/scope.h"
#include "common/random.h"

enum { SPARSE_PERCENT = 5 };

size_t loop_case_number(const struct loop_case *loop_case, const struct index_set *set)
{
    return (size_t)((set->value[0] - 1) * loop_case->range + set->value[1] - 1);
}

static bool is_triangular(void *context, const struct index_set *set)
{
    (void)context;
    return set->value[0] <= set->value[1];
}

static bool is_strided(void *context, const struct index_set *set)
{
    const struct loop_case *strided = context;
    return loop_case_number(strided, set) % (size_t)strided->workers == 0;
}

/* Some of the blocks of every second row, chosen at random; the other rows are empty. */
static void make_sparse(struct loop_case *sparse, uint64_t seed)
{
    uint64_t range = (uint64_t)sparse->range, total = range * range;
    int64_t *blocks = allocate_or_fail(total, sizeof *blocks);
    sparse->exists = scope_zeros(MEMORY_PAGEABLE, total * sizeof *sparse->exists);
    uint64_t wanted = (total * SPARSE_PERCENT + 99) / 100;
    for (uint64_t draw = 0; (uint64_t)sparse->blocks < wanted; draw++) {
        uint64_t row = 2 * random_below(seed, 2 * draw, (range + 1) / 2);
        uint64_t block = row * range + random_below(seed, 2 * draw + 1, range);
        if (sparse->exists[block])
            continue;
        sparse->exists[block] = true;
        blocks[sparse->blocks++] = (int64_t)block;
    }
    const int low[] = {1, 1}, high[] = {(int)range, (int)range};
    check_status(block_map_create(&sparse->map, 2, low, high, blocks, (size_t)sparse->blocks));
    free(blocks);
}

void loop_cases_open(struct loop_case cases[LOOP_CASES], int64_t range, int64_t workers,
                     uint64_t seed)
{
    cases[0] = (struct loop_case){.name = "all"};
    cases[1] = (struct loop_case){.name = "i <= j", .valid = is_triangular};
    cases[2] = (struct loop_case){.name = "stride", .valid = is_strided};
    cases[3] = (struct loop_case){.name = "sparse"};
    for (int i = 0; i < LOOP_CASES; i++) {
        cases[i].range = range;
        cases[i].workers = workers;
    }
    make_sparse(&cases[LOOP_CASES - 1], seed);
}

void loop_cases_close(struct loop_case cases[LOOP_CASES])
{
    block_map_destroy(cases[LOOP_CASES - 1].map);
}

static bool should_visit(const struct loop_case *loop_case, const struct index_set *set)
{
    return (!loop_case->valid || loop_case->valid((void *)loop_case, set)) &&
           (!loop_case->exists || loop_case->exists[loop_case_number(loop_case, set)]);
}

long loop_case_compare(const struct loop_case *loop_case, const int *visits, int64_t *valid)
{
    long errors = 0;
    *valid = 0;
    for (int i = 1; i <= loop_case->range; i++)
        for (int j = 1; j <= loop_case->range; j++) {
            struct index_set set = {{i, j}};
            bool wanted = should_visit(loop_case, &set);
            *valid += wanted;
            errors += visits && visits[loop_case_number(loop_case, &set)] != wanted;
        }
    return errors;
}
