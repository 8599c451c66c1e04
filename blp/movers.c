/* movers.c: who copies in each direction, and how much engines copy at once, by measured rates. */
#include "layout.h"
#include "options.h"
#include "predict.h"

#include "common/error.h"

/* Engines leave the blocks to others: they are preferred to what is faster by less. */
static const double engine_preference = 0.99;

/* Sizes of what engines copy at once. */
static const size_t sizes_tried[] = {1 << 20,  2 << 20,  3 << 20,  4 << 20,  6 << 20,  8 << 20,
                                     12 << 20, 16 << 20, 24 << 20, 32 << 20, 48 << 20, 64 << 20};
enum { SIZES = sizeof sizes_tried / sizeof *sizes_tried };

enum dm_status plan_work(struct blp_work *work, const struct dm_region *region,
                         const struct blp_kernel *kernel, const struct blp_options *options,
                         size_t *bytes)
{
    *work = (struct blp_work){0};
    work->engines.in = options->in == BLP_ENGINE;
    work->engines.out = options->out == BLP_ENGINE;
    TRY(choose_groups(work, kernel, options));
    TRY(find_host_memory(work, region, options));
    return lay_out_work(work, region, kernel, options, bytes);
}

static bool may_be(enum blp_mover requested, enum blp_mover mover)
{
    return requested == BLP_CHOSEN || requested == mover;
}

/* Of both directions in all ways that the options leave open. */
struct search {
    const struct dm_region *region;
    const struct blp_kernel *kernel;
    const struct blp_options *options;
    struct blp_options best;
    double best_s; /* 0: none yet */
};

/* A way that cannot be planned is none; what is wrong with the options is said of those that are
 * chosen. */
static void try_options(struct search *search, const struct blp_options *options)
{
    struct blp_work work;
    size_t bytes;
    if (plan_work(&work, search->region, search->kernel, options, &bytes) != DM_OK)
        return;
    double time_s = predict_s(&work, &options->rates, &options->compute);
    time_s *= 1.0 - (1.0 - engine_preference) * (work.engines.in + work.engines.out);
    if (search->best_s > 0.0 && time_s >= search->best_s)
        return;
    search->best_s = time_s;
    search->best = *options;
}

static void try_sizes(struct search *search, struct blp_options options)
{
    bool engines = options.in == BLP_ENGINE || options.out == BLP_ENGINE;
    if (engines && !search->options->engine_bytes)
        for (int s = 0; s < SIZES; s++) {
            options.engine_bytes = sizes_tried[s];
            try_options(search, &options);
        }
    options.engine_bytes = search->options->engine_bytes;
    try_options(search, &options);
}

/* Copy blocks that are requested are for directions in which blocks copy. */
static bool is_possible(const struct blp_options *options)
{
    return (options->in != BLP_ENGINE || !options->copy_in_blocks) &&
           (options->out != BLP_ENGINE || !options->copy_out_blocks);
}

struct blp_options choose_movers(const struct dm_region *region, const struct blp_kernel *kernel,
                                 const struct blp_options *options)
{
    struct search search = {region, kernel, options, *options, 0.0};
    for (int choice = 0; choice < 4 && options->rates.measured && !options->dynamic; choice++) {
        struct blp_options way = *options;
        way.in = choice & 1 ? BLP_ENGINE : BLP_BLOCKS;
        way.out = choice & 2 ? BLP_ENGINE : BLP_BLOCKS;
        if (may_be(options->in, way.in) && may_be(options->out, way.out) && is_possible(&way))
            try_sizes(&search, way);
    }
    return search.best;
}
