/* predict.c: how long a round takes.
 *
 *     copies in    whole | first |   ... all other batches ...   |
 *     computing                  |   ...        units    ...     | the last ones |
 *     copies out                     | ...        batches        ...             | last | whole |
 *
 * Either the link is busy from the first batch in to the last one out, or the blocks are from when
 * each has its first unit; the longer of the two is what a round takes. */
#include "predict.h"

#include <math.h>

/* Copies of one direction. What engines copy at once is a batch, what blocks do is a task. */
struct direction {
    bool engine;
    double rate;               /* the other direction idle */
    double whole_bytes, bytes; /* of whole arrays; of the others in all batches but one */
    double tasks, batches;     /* of a batch; of a round, less one */
    double batch_bytes;
    double extra_s; /* of a batch: what it takes beside its bytes */
};

/* An array's share of that: engines take the same time for narrow rows as for wider ones. */
static double extra_of_array(const struct blp_array *array, const struct blp_rates *rates,
                             double batch_bytes, double rate)
{
    double extra_s = rates->call_s;
    if (array->split == DM_REGION_COLUMNS)
        extra_s += fmax(0.0, (double)array->units * rates->row_s - batch_bytes / rate);
    return extra_s;
}

static void add_array(struct direction *d, const struct blp_work *work,
                      const struct blp_array *array, const struct blp_rates *rates)
{
    double slice = (double)(array->units * array->width) * work->vector_bytes;
    double slices = (double)(work->end - work->begin + array->length - 1);
    double batch_bytes = slice * fmin(d->tasks * (double)work->task_size, slices);
    if (array->split == DM_REGION_WHOLE) {
        d->whole_bytes += slice;
        return;
    }
    d->bytes += slice * slices - batch_bytes;
    d->batch_bytes += batch_bytes;
    if (d->engine)
        d->extra_s += extra_of_array(array, rates, batch_bytes, d->rate);
}

static struct direction direction_of(const struct blp_work *work, const struct blp_rates *rates,
                                     bool in)
{
    struct direction d = {.engine = in ? work->engines.in : work->engines.out};
    d.rate = in ? rates->in[d.engine] : rates->out[d.engine];
    d.tasks = d.engine ? (double)work->engines.batch : 1.0;
    d.batches = ceil((double)work->tasks / d.tasks) - 1.0;
    for (int a = 0; a < work->array_count; a++)
        if (blp_copies(&work->arrays[a], in ? DM_REGION_TO : DM_REGION_FROM))
            add_array(&d, work, &work->arrays[a], rates);
    if (in && d.engine && d.batch_bytes > 0.0) /* a word behind each batch */
        d.extra_s += rates->call_s;
    return d;
}

static double batch_s(const struct direction *d)
{
    return d->batch_bytes / d->rate + d->extra_s;
}

/* All batches but the first one in and the last one out: both directions as long as there are bytes
 * for both, then the rest of one. */
static double link_s(const struct direction *in, const struct direction *out,
                     const struct blp_rates *rates)
{
    double both = fmin(in->bytes, out->bytes);
    double both_s = 2.0 * both / rates->both[in->engine][out->engine];
    double in_s = both_s + (in->bytes - both) / in->rate + in->batches * in->extra_s;
    double out_s = both_s + (out->bytes - both) / out->rate + out->batches * out->extra_s;
    return fmax(in_s, out_s);
}

/* In which each of so many blocks computes a unit: units per second lie on a straight line. */
static double unit_s(const struct blp_compute *compute, double blocks)
{
    double rate[2], share = 0.0;
    for (int i = 0; i < 2; i++)
        rate[i] = compute->blocks[i] / compute->unit_s[i];
    if (compute->blocks[0] > compute->blocks[1])
        share = (compute->blocks[0] - blocks) / (compute->blocks[0] - compute->blocks[1]);
    return blocks / fmax(rate[0] + share * (rate[1] - rate[0]), 0.1 * rate[1]);
}

/* Until each block has a unit to compute. */
static double first_units_s(const struct blp_work *work, const struct direction *in)
{
    double tasks = floor((double)blp_compute_blocks(work) / work->parts);
    tasks = fmin(fmax(tasks, 1.0), (double)work->tasks);
    return ceil(tasks / in->tasks) * batch_s(in);
}

double predict_s(const struct blp_work *work, const struct blp_rates *rates,
                 const struct blp_compute *compute)
{
    struct blp_rates beside = *rates;
    beside.row_s = fmax(rates->row_s, compute->row_s);
    struct direction in = direction_of(work, &beside, true);
    struct direction out = direction_of(work, &beside, false);
    double time_s = batch_s(&in) + link_s(&in, &out, rates);
    if (compute->blocks[0] > 0) {
        double blocks = blp_compute_blocks(work), one_s = unit_s(compute, blocks);
        double waves = ceil((double)blp_units(work) / blocks);
        time_s = fmax(time_s + one_s * work->stages, first_units_s(work, &in) + waves * one_s);
    }
    return rates->start_s[in.engine][out.engine] + in.whole_bytes / in.rate + time_s +
           batch_s(&out) + out.whole_bytes / out.rate;
}
