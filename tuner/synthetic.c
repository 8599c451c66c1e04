#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/statistics.h"

#include "synthetic.h"
#include "synthetic_plan.h"

/* Two rules, of which the second takes as much of what the first left, leave about half. */
static const double share_of_rule = 0.3;

static void read_levels(const struct tuner_space *space, size_t configuration, double *level,
                        double *x)
{
    for (size_t p = 0; p < tuner_space_dimensions(space); p++) {
        size_t count = tuner_space_parameter(space, p)->count;
        level[p] = (double)tuner_space_index(space, configuration, p);
        x[p] = count > 1 ? level[p] / (double)(count - 1) : 0.0;
    }
}

static void set_times(struct synthetic *made, const struct plan *plan)
{
    double level[TUNER_PARAMETERS_MAX], x[TUNER_PARAMETERS_MAX];

    for (size_t i = 0; i < tuner_space_size(made->space); i++) {
        double sum = 0.0;
        read_levels(made->space, i, level, x);
        for (size_t e = 0; e < plan->effects; e++) {
            const struct effect *effect = &plan->effect[e];
            if (effect->way == ALWAYS || effect->way == (int)level[0])
                sum += effect->of(effect, level, x);
        }
        made->times[i] = 1e-3 * exp(sum);
    }
}

/* Those with the largest sums fail, of those that do not fail already. */
static void apply_rule(struct synthetic *made, const struct effect *rule)
{
    size_t size = tuner_space_size(made->space), left = 0;
    double level[TUNER_PARAMETERS_MAX], x[TUNER_PARAMETERS_MAX];
    double *sums = allocate_or_fail(size, sizeof *sums);
    double *sorted = allocate_or_fail(size, sizeof *sorted);

    for (size_t i = 0; i < size; i++) {
        read_levels(made->space, i, level, x);
        sums[i] = effect_sum(rule, x);
        if (!isnan(made->times[i]))
            sorted[left++] = sums[i];
    }
    statistics_sort(sorted, left);
    double limit = statistics_quantile(sorted, left, 1.0 - share_of_rule);
    for (size_t i = 0; i < size; i++)
        if (sums[i] > limit)
            made->times[i] = NAN;
    free(sorted);
    free(sums);
}

static void count(struct synthetic *made)
{
    made->best_s = INFINITY;
    made->failing = 0;
    for (size_t i = 0; i < tuner_space_size(made->space); i++) {
        made->failing += isnan(made->times[i]);
        made->best_s = fmin(made->best_s, made->times[i]);
    }
}

static void draw(struct plan *plan, const char *kind, uint64_t seed)
{
    if (!plan_draw(plan, kind, seed))
        fail("there is no kind of spaces %s: -h has their names", kind);
}

void synthetic_check_kind(const char *kind)
{
    struct plan plan;

    draw(&plan, kind, 0);
    free(plan.text);
}

void synthetic_make(struct synthetic *made, const char *kind, uint64_t seed, bool failing)
{
    struct plan plan;
    struct effect rule;

    draw(&plan, kind, seed);
    check_status(tuner_space_read(&made->space, plan.text, strlen(plan.text), kind));
    made->times = allocate_or_fail(tuner_space_size(made->space), sizeof *made->times);
    set_times(made, &plan);
    for (int i = 0; failing && i < 2; i++) {
        plan_draw_rule(&plan, &rule, tuner_space_dimensions(made->space));
        apply_rule(made, &rule);
    }
    count(made);
    free(plan.text);
}

void synthetic_free(struct synthetic *synthetic)
{
    tuner_space_free(synthetic->space);
    free(synthetic->times);
}

static enum dm_status look_up(void *context, size_t configuration, struct tuner_trial *trial)
{
    const struct synthetic *synthetic = context;

    trial->time_s = synthetic->times[configuration];
    if (isnan(trial->time_s))
        trial->outcome = TUNER_FAILED;
    else
        trial->cost_s = trial->time_s;
    return DM_OK;
}

struct tuner_objective synthetic_objective(struct synthetic *synthetic)
{
    return (struct tuner_objective){.measure = look_up, .context = synthetic};
}
