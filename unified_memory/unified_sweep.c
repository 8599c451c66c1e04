#include "unified_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "common/harness/option_lists.h"
#include "common/harness/program.h"

struct unified_sweep_options unified_sweep_options = {
    .rounds = "1", .streams = "3", .shares = "0.5,1.5", .chunks = 16};

#if defined(SOFTGPU)
static const bool is_soft = true;
#else
static const bool is_soft = false;
#endif

size_t unified_sweep_size(const struct benchmark_kind *kind, struct unified_sizes sizes,
                          size_t capacity_bytes, double share)
{
    size_t size = sizes.least, footprint = unified_bench_footprint(kind, size);
    double wanted = share * (double)capacity_bytes;

    if ((double)footprint > wanted)
        fail("a share of %g of %zu bytes: the least data set of %s takes %zu bytes", share,
             capacity_bytes, kind->name, footprint);
    if (share < 1.0) {
        while ((double)unified_bench_footprint(kind, size + sizes.step) <= wanted)
            size += sizes.step;
        return size;
    }
    while ((double)footprint < wanted || footprint <= capacity_bytes)
        footprint = unified_bench_footprint(kind, size += sizes.step);
    return size;
}

/* The shares of the list; the caller frees them. */
static double *read_shares(size_t *count)
{
    const char *list = unified_sweep_options.shares;
    double *shares = allocate_or_fail(strlen(list) + 1, sizeof *shares);

    const char *at = list;

    for (*count = 0;; at++) {
        char *end;
        double share = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(share > 0.0 && share <= 100.0))
            fail("--shares %s is not a list of shares such as 0.5,1.5", list);
        shares[(*count)++] = share;
        at = end;
        if (!*at)
            return shares;
    }
}

static void sweep_shares(struct run *run, struct unified_case *what, struct unified_sizes sizes)
{
    size_t count;
    double *shares = read_shares(&count);

    what->dataset = NULL;
    for (size_t i = 0; i < count; i++) {
        what->share = shares[i];
        what->size = unified_sweep_size(what->kind, sizes, what->capacity_bytes, shares[i]);
        unified_bench(run, what);
    }
    free(shares);
}

static void sweep_rounds(struct run *run, struct unified_case *what, struct unified_sizes sizes,
                         long rounds)
{
    struct option_numbers list =
        option_read_numbers("rounds", unified_sweep_options.rounds, 1, 1000000);

    for (size_t i = 0; i < (rounds ? 1 : list.count); i++) {
        what->rounds = rounds ? rounds : list.values[i];
        if (what->capacity_bytes)
            sweep_shares(run, what, sizes);
        else
            unified_bench(run, what);
    }
    free(list.values);
}

void unified_sweep(struct run *run, const struct unified_version *versions,
                   const struct benchmark_kind *kind, const char *dataset, long rounds,
                   struct unified_sizes sizes)
{
    const struct unified_sweep_options *options = &unified_sweep_options;
    struct option_numbers streams =
        option_read_numbers("streams", options->streams, 1, COPIES_STREAMS_MAX);
    struct unified_case what = {.versions = versions,
                                .kind = kind,
                                .dataset = dataset,
                                .updates = options->updates,
                                .chunks = options->chunks,
                                .streams = streams.values,
                                .streams_count = streams.count,
                                .capacity_bytes = options->capacity_bytes,
                                .oversubscribe = is_soft || options->oversubscribe};

    if (streams.count > COPIES_STREAMS_MAX)
        fail("--streams %s: at most %d numbers are possible", options->streams,
             COPIES_STREAMS_MAX);
    if (!is_soft && options->oversubscribe)
        program_note(run, "warning: managed memory may be more than the device has");
    if (!what.capacity_bytes)
        what.size = benchmark_size(kind, dataset);
    sweep_rounds(run, &what, sizes, rounds);
    free(streams.values);
}

void unified_sweep_note(const struct run *run)
{
    if (unified_counters_complaint())
        program_note(run, "traffic of managed memory is not known: %s",
                     unified_counters_complaint());
}
