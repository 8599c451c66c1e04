#include "sweep.h"

#include "common/harness/program.h"

struct sweep_options sweep_options = {
    .rounds.list = "1", .streams.list = "3", .shares.list = "0.5,1.5", .chunks = 16};

#if defined(SOFTGPU)
static const bool is_soft = true;
#else
static const bool is_soft = false;
#endif

size_t size_of_share(const struct benchmark_kind *kind, struct sizes sizes, size_t capacity_bytes,
                     double share)
{
    size_t size = sizes.smallest, footprint = footprint_of(kind, size);
    double wanted = share * (double)capacity_bytes;

    if ((double)footprint > wanted)
        fail("a share of %g of %zu bytes: the smallest data set of %s takes %zu bytes", share,
             capacity_bytes, kind->name, footprint);
    if (share < 1.0) {
        while ((double)footprint_of(kind, size + sizes.step) <= wanted)
            size += sizes.step;
        return size;
    }
    while ((double)footprint < wanted || footprint <= capacity_bytes)
        footprint = footprint_of(kind, size += sizes.step);
    return size;
}

static void sweep_shares(struct run *run, struct versions_case *what, struct sizes sizes)
{
    for (size_t i = 0; i < sweep_options.shares.count; i++) {
        what->dataset = NULL;
        what->share = sweep_options.shares.values[i];
        what->size = size_of_share(what->kind, sizes, what->capacity_bytes, what->share);
        measure_versions(run, what);
    }
}

void sweep_versions(struct run *run, const struct version *versions,
                    const struct benchmark_kind *kind, const char *dataset, long rounds,
                    struct sizes sizes)
{
    const struct sweep_options *options = &sweep_options;
    struct versions_case what = {.versions = versions,
                                 .kind = kind,
                                 .dataset = dataset,
                                 .updates = options->updates,
                                 .chunks = options->chunks,
                                 .streams = options->streams.values,
                                 .streams_count = options->streams.count,
                                 .capacity_bytes = options->capacity_bytes,
                                 .oversubscribe = is_soft || options->oversubscribe,
                                 .phases = options->phases};

    if (!is_soft && options->oversubscribe)
        program_note(run, "warning: managed memory may be more than the device has");
    if (!what.capacity_bytes)
        what.size = benchmark_size(kind, dataset);
    for (size_t i = 0; i < (rounds ? 1 : options->rounds.count); i++) {
        what.rounds = rounds ? rounds : options->rounds.values[i];
        if (what.capacity_bytes)
            sweep_shares(run, &what, sizes);
        else
            measure_versions(run, &what);
    }
}

void note_traffic(const struct run *run)
{
    if (unified_count_check() != DM_OK)
        program_note(run, "traffic of managed memory is not known: %s", dm_message());
}
