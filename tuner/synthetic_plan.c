/* The kinds of generated spaces. Ranges are those of kernels: a parameter alone changes the time by
 * up to a factor of 8, and a step by 1.2 to 2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "synthetic.h"
#include "synthetic_plan.h"

/* ---- random numbers ---- */

static double uniform(struct plan *plan, double low, double high)
{
    return low + (high - low) * random_uniform(plan->seed, plan->drawn++);
}

static int whole(struct plan *plan, int low, int high)
{
    return low + (int)random_below(plan->seed, plan->drawn++, (uint64_t)(high - low + 1));
}

/* Different parameters, from `first` on. */
static void choose(struct plan *plan, size_t *chosen, size_t count, size_t first, size_t parameters)
{
    for (size_t i = 0; i < count;) {
        chosen[i] = (size_t)whole(plan, (int)first, (int)parameters - 1);
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new &= chosen[k] != chosen[i];
        i += is_new;
    }
}

/* ---- effects ---- */

static double bowl(const struct effect *effect, const double *level, const double *x)
{
    double distance = x[effect->parameters[0]] - effect->at[0];

    (void)level;
    return effect->weight * distance * distance;
}

static double valley(const struct effect *effect, const double *level, const double *x)
{
    double distance =
        x[effect->parameters[0]] - effect->at[0] + x[effect->parameters[1]] - effect->at[1];

    (void)level;
    return effect->weight * distance * distance;
}

double effect_sum(const struct effect *effect, const double *x)
{
    double sum = 0.0;

    for (int i = 0; i < EFFECT_PARAMETERS; i++)
        sum += effect->at[i] * x[effect->parameters[i]];
    return sum;
}

static double step(const struct effect *effect, const double *level, const double *x)
{
    (void)level;
    return effect_sum(effect, x) > effect->threshold ? effect->weight : 0.0;
}

/* Levels of powers of two are logarithms, so their sum is that of a product. Too much of it costs a
 * step for each factor of two, too little half as much. */
static double product(const struct effect *effect, const double *level, const double *x)
{
    double excess = -effect->threshold;

    (void)x;
    for (int i = 0; i < EFFECT_PARAMETERS; i++)
        excess += level[effect->parameters[i]];
    return effect->weight * (excess > 0.0 ? ceil(excess) : -0.5 * excess);
}

static double value(const struct effect *effect, const double *level, const double *x)
{
    (void)x;
    return effect->weight * random_uniform(effect->seed, (uint64_t)level[effect->parameters[0]]);
}

static struct effect *add_effect(struct plan *plan, effect_function *of, double low, double high)
{
    if (plan->effects == EFFECTS_MAX)
        fail("a generated space has more than %d effects", EFFECTS_MAX);
    struct effect *effect = &plan->effect[plan->effects++];

    *effect = (struct effect){.of = of, .weight = uniform(plan, low, high), .way = ALWAYS};
    for (int i = 0; i < EFFECT_PARAMETERS; i++)
        effect->at[i] = uniform(plan, 0.0, 1.0);
    return effect;
}

static void add_bowls(struct plan *plan, size_t first, size_t parameters, int way)
{
    for (size_t p = first; p < parameters; p++) {
        struct effect *effect = add_effect(plan, bowl, 0.2, 2.0);
        effect->parameters[0] = p;
        effect->way = way;
    }
}

/* `count` effects on parameters from `first` on. */
static void add_joint(struct plan *plan, effect_function *of, size_t count, size_t first,
                      size_t parameters)
{
    for (size_t i = 0; i < count; i++) {
        struct effect *effect = add_effect(plan, of, 0.2, 0.7);
        choose(plan, effect->parameters, EFFECT_PARAMETERS, first, parameters);
        effect->threshold =
            uniform(plan, 0.3, 0.8) * (effect->at[0] + effect->at[1] + effect->at[2]);
    }
}

static void add_products(struct plan *plan, size_t count, size_t first, size_t parameters)
{
    for (size_t i = 0; i < count; i++) {
        struct effect *effect = add_effect(plan, product, 0.1, 0.5);
        choose(plan, effect->parameters, EFFECT_PARAMETERS, first, parameters);
        effect->threshold = whole(plan, 3, 7);
    }
}

void plan_draw_rule(struct plan *plan, struct effect *rule, size_t parameters)
{
    *rule = (struct effect){.way = ALWAYS};
    choose(plan, rule->parameters, EFFECT_PARAMETERS, 0, parameters);
    for (int i = 0; i < EFFECT_PARAMETERS; i++)
        rule->at[i] = uniform(plan, -1.0, 1.0);
}

/* ---- texts ---- */

static void write_power2(FILE *out, struct plan *plan, size_t parameter, int low, int high)
{
    fprintf(out, "power2 p%zu 1 %d\n", parameter, 1 << (whole(plan, low, high) - 1));
}

static void write_integer(FILE *out, struct plan *plan, size_t parameter, int low, int high)
{
    fprintf(out, "integer p%zu 1 %d\n", parameter, whole(plan, low, high));
}

static void write_numbers(FILE *out, struct plan *plan, size_t first, size_t end)
{
    for (size_t p = first; p < end; p++)
        (whole(plan, 0, 1) ? write_power2 : write_integer)(out, plan, p, 4, 7);
}

static void draw_smooth(struct plan *plan, FILE *out)
{
    write_numbers(out, plan, 0, 6);
    add_bowls(plan, 0, 6, ALWAYS);
    add_joint(plan, valley, 4, 0, 6);
}

static void draw_cliffs(struct plan *plan, FILE *out)
{
    write_numbers(out, plan, 0, 6);
    add_bowls(plan, 0, 6, ALWAYS);
    add_joint(plan, step, 6, 0, 6);
}

static void draw_products(struct plan *plan, FILE *out)
{
    fprintf(out, "category p0 a b c\n");
    for (size_t p = 1; p < 8; p++)
        write_power2(out, plan, p, 3, 5);
    struct effect *effect = add_effect(plan, value, 0.2, 0.7);
    effect->seed = (uint64_t)whole(plan, 0, 1 << 30);
    add_products(plan, 6, 1, 8);
    add_bowls(plan, 1, 4, ALWAYS);
}

static void draw_constraints(struct plan *plan, FILE *out)
{
    for (size_t p = 0; p < 4; p++)
        write_power2(out, plan, p, 4, 6);
    write_numbers(out, plan, 4, 7);
    fprintf(out, "require p0 * p1 <= %d\n", 1 << whole(plan, 4, 6));
    fprintf(out, "require p1 * p2 * p3 >= %d\n", 1 << whole(plan, 3, 5));
    fprintf(out, "require p4 %% 2 == 0 || p5 <= %d\n", whole(plan, 2, 3));
    add_products(plan, 3, 0, 4);
    add_bowls(plan, 2, 7, ALWAYS);
    add_joint(plan, valley, 2, 2, 7);
}

static void draw_conditional(struct plan *plan, FILE *out)
{
    enum { WAYS = 3, SHARED = 5, OWN = 2 }; /* parameters: the way, four shared, two of each way */

    fprintf(out, "category p0 a b c\n");
    write_numbers(out, plan, 1, SHARED + WAYS * OWN);
    add_bowls(plan, 1, SHARED, ALWAYS);
    struct effect *effect = add_effect(plan, value, 0.2, 0.7);
    effect->seed = (uint64_t)whole(plan, 0, 1 << 30);
    for (int way = 0; way < WAYS; way++) {
        size_t first = SHARED + (size_t)way * OWN;
        for (size_t p = first; p < first + OWN; p++)
            fprintf(out, "only p%zu if p0 == \"%c\"\n", p, 'a' + way);
        add_bowls(plan, first, first + OWN, way);
    }
    add_joint(plan, step, 3, 1, SHARED);
}

/* ---- kinds ---- */

const char *const synthetic_kinds[] = {"smooth",      "cliffs",      "products",
                                       "constraints", "conditional", NULL};

bool plan_draw(struct plan *plan, const char *kind, uint64_t seed)
{
    static void (*const draws[])(struct plan *, FILE *) = {draw_smooth, draw_cliffs, draw_products,
                                                           draw_constraints, draw_conditional};
    size_t bytes;

    for (size_t i = 0; synthetic_kinds[i]; i++)
        if (strcmp(kind, synthetic_kinds[i]) == 0) {
            *plan = (struct plan){.seed = random_bits(seed, i)};
            FILE *out = open_memstream(&plan->text, &bytes);
            check_errno(out != NULL);
            draws[i](plan, out);
            check_errno(fclose(out) == 0);
            return true;
        }
    return false;
}
