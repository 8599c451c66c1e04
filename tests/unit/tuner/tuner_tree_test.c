/* Regression trees: every split against the definition, and what forests gain. */
#include <stdbool.h>
#include <stdlib.h>

#include "tuner/tree.h"

#include "tuner_model_test.h"

/* Of a node's targets from their mean; the definition, without shortcuts. */
static double squared_error(const uint32_t *weights, const bool *inside, size_t count)
{
    double weight = 0, mean = 0, error = 0;

    for (size_t i = 0; i < count; i++)
        weight += inside[i] ? weights[i] : 0;
    for (size_t i = 0; i < count; i++)
        mean += inside[i] ? weights[i] * targets[i] / weight : 0;
    for (size_t i = 0; i < count; i++)
        error += inside[i] ? weights[i] * (targets[i] - mean) * (targets[i] - mean) : 0;
    return error;
}

/* Squared error of both sides when the node's samples are divided at the threshold; infinite if one
 * side is empty. */
static double divided_error(const uint32_t *weights, const bool *inside, size_t count,
                            size_t feature, float threshold)
{
    bool side[2][SAMPLES] = {{false}};
    size_t counts[2] = {0};

    for (size_t i = 0; i < count; i++) {
        int right = rows[i * FEATURES + feature] > threshold;
        side[right][i] = inside[i];
        counts[right] += inside[i];
    }
    if (!counts[0] || !counts[1])
        return INFINITY;
    return squared_error(weights, side[0], count) + squared_error(weights, side[1], count);
}

static double least_divided_error(const uint32_t *weights, const bool *inside, size_t count)
{
    double least = INFINITY;

    for (size_t f = 0; f < FEATURES; f++)
        for (size_t i = 0; i < count; i++)
            if (inside[i])
                least =
                    fmin(least, divided_error(weights, inside, count, f, rows[i * FEATURES + f]));
    return least;
}

/* Checks the node and those below it; every decision must be one of the best. */
static void check_node(const struct tree *tree, uint32_t at, const uint32_t *weights,
                       const bool *inside, size_t count, size_t depth)
{
    const struct tree_node *node = &tree->nodes[at];
    double error = squared_error(weights, inside, count), weight = 0, sum = 0;

    for (size_t i = 0; i < count; i++) {
        weight += inside[i] ? weights[i] : 0;
        sum += inside[i] ? (double)weights[i] * targets[i] : 0;
    }
    expect(weight > 0);
    expect(fabs(node->value - sum / weight) < 1e-6);
    expect(depth <= tree->depth);
    if (node->child == at) {
        expect(error < 1e-10 || least_divided_error(weights, inside, count) == INFINITY);
        return;
    }
    expect(error > 0);
    expect(divided_error(weights, inside, count, node->feature, node->threshold) <=
           least_divided_error(weights, inside, count) + 1e-9);
    for (int right = 0; right < 2; right++) {
        bool side[SAMPLES];
        for (size_t i = 0; i < count; i++)
            side[i] =
                inside[i] && (rows[i * FEATURES + node->feature] > node->threshold) == (right == 1);
        check_node(tree, node->child + (uint32_t)right, weights, side, count, depth + 1);
    }
}

static void check_tree(size_t count, const uint32_t *weights, uint64_t seed)
{
    struct tree_grower *grower;
    struct tree tree;
    bool inside[SAMPLES];

    expect_ok(tree_grower_open(&grower, rows, targets, count, FEATURES));
    for (size_t i = 0; i < count; i++)
        inside[i] = weights[i] > 0;
    for (int time = 0; time < 2; time++) { /* a grower can be used again */
        expect_ok(tree_grow(grower, weights, seed + (uint64_t)time, &tree));
        expect(tree.node_count % 2 == 1 && tree.node_count < 2 * count);
        check_node(&tree, 0, weights, inside, count, 0);
        free(tree.nodes);
    }
    tree_grower_close(grower);
}

static void trees_take_the_best_split(void)
{
    uint32_t weights[SAMPLES];

    for (uint64_t seed = 1; seed <= 6; seed++) {
        seed % 2 ? fill(seed) : fill_coarse(seed);
        for (size_t i = 0; i < SAMPLES; i++)
            weights[i] = 1;
        check_tree(SAMPLES, weights, seed);
        check_tree(1 + seed, weights, seed);
        for (size_t i = 0; i < SAMPLES; i++)
            weights[i] = (uint32_t)random_below(seed, i, 4);
        check_tree(SAMPLES, weights, seed);
    }
}

/* Neighbouring numbers: their middle is one of them, and the lower one must not be above it. */
static void thresholds_separate_the_closest_numbers(void)
{
    float low = 16777214, high = nextafterf(low, INFINITY), close[] = {low, high, -INFINITY};
    const float values[] = {0, 1};
    const struct tuner_model_kind *cart = kind("cart");

    for (int time = 0; time < 3; time++) {
        float result[2];
        struct tuner_model *model = fit_model(cart, close, values, 2, 1, 1);
        expect_ok(cart->predict(model, close, NULL, 2, result));
        expect(result[0] == 0 && result[1] == 1);
        cart->release(model);
        close[0] = time ? -3e38f : -1e-45f;
        close[1] = time ? 3e38f : 0;
    }
}

static void cart_knows_its_samples(void)
{
    fill(3);
    predict_all(kind("cart"), SAMPLES, 1, predicted);
    for (size_t i = 0; i < SAMPLES; i++)
        expect(predicted[i] == targets[i]);
}

static void forests_predict_better_than_a_tree(void)
{
    int better = 0;

    for (uint64_t seed = 1; seed <= 5; seed++) {
        fill(seed);
        double tree = held_out_r2(kind("cart"), seed), forest = held_out_r2(kind("forest"), seed);
        expect(forest > 0.7);
        better += forest > tree;
    }
    expect(better == 5);
}

/* Any feature tells two samples apart: each one is taken in a third of the trees. */
static void equally_good_features_are_drawn(void)
{
    enum { TREES = 600 };
    const float two[] = {0, 0, 0, 1, 1, 1}, values[] = {0, 1};
    const float asked[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const struct tuner_model_kind *cart = kind("cart");
    double taken[FEATURES] = {0};

    for (uint64_t seed = 0; seed < TREES; seed++) {
        float result[FEATURES];
        struct tuner_model *model = fit_model(cart, two, values, 2, FEATURES, seed);
        expect_ok(cart->predict(model, asked, NULL, FEATURES, result));
        cart->release(model);
        expect(result[0] + result[1] + result[2] == 1);
        for (size_t f = 0; f < FEATURES; f++)
            taken[f] += result[f] / TREES;
    }
    for (size_t f = 0; f < FEATURES; f++)
        expect(fabs(taken[f] - 1.0 / FEATURES) < 0.08);
}

/* A quarter of the bootstrap samples of two are one of them twice, a quarter the other. */
static void forests_draw_with_replacement(void)
{
    enum { FORESTS = 20 };
    const float two[] = {0, 1}, values[] = {0, 1};
    const struct tuner_model_kind *forest = kind("forest");
    double low = 0, high = 0;

    for (uint64_t seed = 0; seed < FORESTS; seed++) {
        float result[2];
        struct tuner_model *model = fit_model(forest, two, values, 2, 1, seed);
        expect_ok(forest->predict(model, two, NULL, 2, result));
        forest->release(model);
        low += result[0] / FORESTS;
        high += result[1] / FORESTS;
    }
    expect(fabs(low - 0.25) < 0.04);
    expect(fabs(high - 0.75) < 0.04);
}

int main(void)
{
    run_test(trees_take_the_best_split);
    run_test(thresholds_separate_the_closest_numbers);
    run_test(cart_knows_its_samples);
    run_test(forests_predict_better_than_a_tree);
    run_test(equally_good_features_are_drawn);
    run_test(forests_draw_with_replacement);
    return end_tests();
}
