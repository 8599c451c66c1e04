#include "copies_modes.h"

#include <stdlib.h>

#include "common/harness/exit.h"
#include "partition/last_writer.h"

const char *const copies_mode_names[COPIES_MODES] = {"last-writer", "omega", "none"};

static void free_owners(struct partition_intervals owner[COPIES_DEVICES])
{
    for (int d = 0; d < COPIES_DEVICES; d++)
        partition_intervals_free(&owner[d]);
}

static void find_owners(const struct copies_case *example, const struct copies_sets *sets,
                        struct partition_intervals owner[COPIES_DEVICES])
{
    struct chain chain = {.devices = example->devices};
    for (int l = 0; l < example->launch_count - 1; l++)
        check_status(chain_add(&chain, example->launches[l], sets->writes[l]));
    check_status(chain_owners(&chain, owner));
    chain_free(&chain);
}

static size_t list_copies(const struct copies_case *example,
                          const struct partition_intervals *writes,
                          const struct partition_intervals *reads, struct partition_copy **copies)
{
    size_t count;
    check_status(last_writer_copies(example->devices, writes, reads, true, 1, copies, &count));
    return count;
}

size_t copies_compute(const struct copies_case *example, const struct copies_sets *sets,
                      enum copies_mode mode, struct partition_copy **copies)
{
    int last = example->launch_count - 1;
    *copies = NULL;
    if (mode == COPIES_NONE)
        return 0;
    if (mode == COPIES_LAST_WRITER)
        return list_copies(example, sets->writes[last - 1], sets->reads[last], copies);
    struct partition_intervals owner[COPIES_DEVICES] = {{0}};
    find_owners(example, sets, owner);
    size_t count = list_copies(example, owner, sets->reads[last], copies);
    free_owners(owner);
    return count;
}

/* ---- what the copies leave stale ---- */

static void collect_copied(const struct partition_copy *copies, size_t count,
                           struct copies_result *result)
{
    for (size_t i = 0; i < count; i++) {
        const struct partition_runs *run = &copies[i].bytes;
        struct partition_intervals *copied = &result->copied[copies[i].from][copies[i].to];
        for (int64_t k = 0; k < run->count; k++) {
            int64_t begin = run->begin + k * run->stride;
            check_status(partition_intervals_push(copied, begin, begin + run->length));
        }
    }
}

void copies_result_compute(const struct copies_case *example, const struct copies_sets *sets,
                           enum copies_mode mode, struct copies_result *result)
{
    const struct partition_intervals *reads = sets->reads[example->launch_count - 1];
    struct partition_copy *copies;
    size_t count = copies_compute(example, sets, mode, &copies);
    collect_copied(copies, count, result);
    free(copies);
    find_owners(example, sets, result->owner);
    for (int to = 0; to < example->devices; to++)
        for (int from = 0; from < example->devices; from++) {
            struct partition_intervals *stale = &result->stale[from][to];
            if (from == to)
                continue;
            check_status(intervals_intersect(stale, &result->owner[from], &reads[to]));
            result->foreign_reads[to] += intervals_total(stale);
            check_status(intervals_remove(stale, &result->copied[from][to]));
        }
}

void copies_result_free(struct copies_result *result)
{
    free_owners(result->owner);
    for (int from = 0; from < COPIES_DEVICES; from++) {
        free_owners(result->copied[from]);
        free_owners(result->stale[from]);
    }
}

/* ---- verification ---- */

/* Number of the launch that wrote each element last: on each device, and anywhere. */
struct contents {
    int *on[COPIES_DEVICES], *anywhere;
};

static void write_elements(struct contents *contents, const struct partition_intervals *set,
                           int device, int launch)
{
    for (size_t i = 0; i < set->count; i++)
        for (int64_t e = set->items[i].begin; e < set->items[i].end; e++)
            contents->on[device][e] = contents->anywhere[e] = launch + 1;
}

static void copy_elements(struct contents *contents, const struct partition_intervals *set,
                          int from, int to)
{
    for (size_t i = 0; i < set->count; i++)
        for (int64_t e = set->items[i].begin; e < set->items[i].end; e++)
            contents->on[to][e] = contents->on[from][e];
}

static int64_t count_stale(const struct contents *contents, const struct partition_intervals *reads,
                           int device)
{
    int64_t stale = 0;
    for (size_t i = 0; i < reads->count; i++)
        for (int64_t e = reads->items[i].begin; e < reads->items[i].end; e++)
            stale += contents->on[device][e] != contents->anywhere[e];
    return stale;
}

static bool is_within(const struct copies_case *example, const struct copies_sets *sets)
{
    for (int l = 0; l < example->launch_count; l++)
        for (int d = 0; d < example->devices; d++) {
            const struct partition_intervals *both[2] = {&sets->reads[l][d], &sets->writes[l][d]};
            for (int i = 0; i < 2; i++)
                if (both[i]->count > 0 &&
                    (both[i]->items[0].begin < 0 ||
                     both[i]->items[both[i]->count - 1].end > example->elements))
                    return false;
        }
    return true;
}

static int *new_contents(const struct copies_case *example)
{
    int *contents = calloc((size_t)example->elements, sizeof *contents);
    check_errno(contents != NULL);
    return contents;
}

static struct contents execute(const struct copies_case *example, const struct copies_sets *sets,
                               const struct copies_result *result)
{
    struct contents contents = {0};
    contents.anywhere = new_contents(example);
    for (int d = 0; d < example->devices; d++)
        contents.on[d] = new_contents(example);
    for (int l = 0; l < example->launch_count - 1; l++)
        for (int d = 0; d < example->devices; d++)
            write_elements(&contents, &sets->writes[l][d], d, l);
    for (int from = 0; from < example->devices; from++)
        for (int to = 0; to < example->devices; to++)
            copy_elements(&contents, &result->copied[from][to], from, to);
    return contents;
}

long copies_count_errors(const struct copies_case *example, const struct copies_sets *sets,
                         enum copies_mode mode, const struct copies_result *result)
{
    if (!is_within(example, sets))
        return 1;
    struct contents contents = execute(example, sets, result);
    long errors = 0;
    for (int to = 0; to < example->devices; to++) {
        int64_t expected = 0;
        for (int from = 0; from < example->devices; from++)
            expected += intervals_total(&result->stale[from][to]);
        int64_t found = count_stale(&contents, &sets->reads[example->launch_count - 1][to], to);
        errors += found != expected || (mode == COPIES_OMEGA && found > 0);
        free(contents.on[to]);
    }
    free(contents.anywhere);
    return errors;
}
