/* movers.c: who copies in each direction, by measured rates. */
#include "options.h"

/* Engines leave more blocks to compute: they are preferred to others that are faster by less. */
static const double engine_preference = 0.99;

/* Seconds that one round copies: both directions as long as there are bytes for both, then the rest
 * of one. */
static double predicted_s(const struct blp_rates *rates, double in, double out, int in_engine,
                          int out_engine)
{
    double both = in < out ? in : out;
    return rates->start_s[in_engine][out_engine] + 2.0 * both / rates->both[in_engine][out_engine] +
           (in - both) / rates->in[in_engine] + (out - both) / rates->out[out_engine];
}

static bool may_be(enum blp_mover requested, int engine)
{
    return requested == BLP_CHOSEN || requested == (engine ? BLP_ENGINE : BLP_BLOCKS);
}

void choose_movers(struct blp_work *work, const struct dm_region *region,
                   const struct blp_options *options)
{
    double in = (double)dm_region_bytes(region, DM_REGION_TO), best_s = 0.0;
    double out = (double)dm_region_bytes(region, DM_REGION_FROM);
    work->engines.in = options->in == BLP_ENGINE;
    work->engines.out = options->out == BLP_ENGINE;
    if (!options->rates.measured || options->dynamic)
        return;
    for (int choice = 0; choice < 4; choice++) {
        int in_engine = choice & 1, out_engine = choice >> 1;
        if (!may_be(options->in, in_engine) || !may_be(options->out, out_engine))
            continue;
        double time_s = predicted_s(&options->rates, in, out, in_engine, out_engine);
        time_s *= 1.0 - (1.0 - engine_preference) * (in_engine + out_engine);
        if (best_s > 0.0 && time_s >= best_s)
            continue;
        best_s = time_s;
        work->engines.in = in_engine;
        work->engines.out = out_engine;
    }
}
