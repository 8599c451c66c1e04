#include "pricing_sizes.h"

#include <math.h>

#include "common/clock.h"
#include "common/error.h"

/* A word of the pace counts these; it holds up to 200 s. */
static const double tick_s = 1e-7;

enum dm_status pricing_pace_create(struct caf_coarray **pace)
{
    void *memory;
    return caf_allocate(pace, sizeof(int32_t), CAF_DATA, &memory);
}

static void begin_phase(struct pricing_sizes *sizes)
{
    sizes->phase++;
    sizes->samples = 0;
    sizes->option_s = INFINITY;
    sizes->learning = true;
}

enum dm_status pricing_sizes_start(struct pricing_sizes *sizes)
{
    sizes->settled = sizes->many > 0 ? sizes->many : sizes->fixed > 0 ? sizes->fixed : 1;
    sizes->phase = 0;
    sizes->learning = false;
    sizes->last_first = sizes->share_left = -1;
    if (sizes->phases > 0)
        begin_phase(sizes);
    return caf_atomic_define(sizes->pace, caf_this_image(), 0, 0);
}

int pricing_sizes_next(const struct pricing_sizes *sizes)
{
    if (sizes->learning && sizes->many == 0)
        return 1;
    if (sizes->fixed > 0 || sizes->share_left < 0 || sizes->share_left > sizes->settled)
        return sizes->settled;
    return sizes->share_left > 1 ? sizes->share_left : 1;
}

void pricing_sizes_taken(struct pricing_sizes *sizes, int first, int count)
{
    if (sizes->last_first >= 0) {
        /* What all images took while this one took its last_count. */
        int advance = first - sizes->last_first;
        double left = fmax(sizes->options - (first + count), 0);
        sizes->share_left = (int)(0.5 * left * sizes->last_count / advance);
    }
    sizes->last_first = first;
    sizes->last_count = count;
    if (sizes->phase < sizes->phases &&
        first >= (int64_t)sizes->phase * sizes->options / sizes->phases)
        begin_phase(sizes);
}

static enum dm_status publish_pace(struct pricing_sizes *sizes, double request_s)
{
    int32_t ticks = (int32_t)fmin(fmax(request_s / tick_s, 1), INT32_MAX);
    sizes->learning = false;
    return caf_atomic_define(sizes->pace, caf_this_image(), 0, ticks);
}

/* The image that sets the pace may not have published it yet: then it is read again after the next
 * option. */
static enum dm_status read_pace(struct pricing_sizes *sizes)
{
    int32_t ticks;
    TRY(caf_atomic_ref(sizes->pace, sizes->pace_image, 0, &ticks));
    if (ticks == 0)
        return DM_OK;
    double matching = round(ticks * tick_s / sizes->option_s);
    sizes->settled = (int)fmin(fmax(matching, 1), sizes->options);
    sizes->learning = false;
    return DM_OK;
}

static enum dm_status learn(struct pricing_sizes *sizes, int count, double time_s)
{
    bool is_pace = caf_this_image() == sizes->pace_image;
    if (sizes->many > 0)
        return is_pace && count == sizes->many ? publish_pace(sizes, time_s) : DM_OK;
    sizes->option_s = fmin(sizes->option_s, time_s / count);
    sizes->samples += count;
    if (sizes->samples < PRICING_SAMPLES)
        return DM_OK;
    if (!is_pace)
        return read_pace(sizes);
    sizes->settled = PRICING_PACE_OPTIONS;
    return publish_pace(sizes, PRICING_PACE_OPTIONS * sizes->option_s);
}

enum dm_status pricing_sizes_priced(struct pricing_sizes *sizes, int count, double time_s,
                                    double *communication_s)
{
    if (!sizes->learning)
        return DM_OK;
    double start_s = clock_now_s();
    TRY(learn(sizes, count, time_s));
    *communication_s += clock_now_s() - start_s;
    return DM_OK;
}
