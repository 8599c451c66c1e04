#include "tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

#include "allocate.h"

/* Part of a tree that is still to be grown: the samples at begin .. end - 1 of every list. */
struct branch {
    uint32_t node, begin, end, depth;
};

struct tree_grower {
    size_t count, features;
    float *targets;
    float *columns;         /* feature f of sample i: columns[f * count + i] */
    uint32_t *sorted;       /* likewise by feature: samples in ascending order */
    uint32_t *lists;        /* the same of the tree being grown, divided as its nodes are */
    uint32_t *scratch;      /* of one list */
    size_t *features_drawn; /* a permutation */
    bool *left;             /* by sample: which way it goes */
    struct branch *waiting; /* a stack */
};

struct split {
    double score; /* the sum of squared targets less the squared error: not below 0 */
    size_t feature;
    uint32_t end; /* the samples of its list before this one go left */
    float threshold;
};

/* ---- samples ---- */

static int compare_samples(const void *a, const void *b, void *context)
{
    const float *column = context;
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

    if (column[first] != column[second])
        return column[first] < column[second] ? -1 : 1;
    return first < second ? -1 : 1;
}

static void sort_samples(struct tree_grower *grower)
{
    size_t count = grower->count;

    for (size_t f = 0; f < grower->features; f++) {
        uint32_t *sorted = grower->sorted + f * count;
        for (size_t i = 0; i < count; i++)
            sorted[i] = (uint32_t)i;
        qsort_r(sorted, count, sizeof *sorted, compare_samples, grower->columns + f * count);
    }
}

static enum dm_status allocate_grower(struct tree_grower *grower)
{
    size_t count = grower->count, features = grower->features;

    grower->targets = allocate(count, sizeof *grower->targets);
    grower->columns = allocate(features * count, sizeof *grower->columns);
    grower->sorted = allocate(features * count, sizeof *grower->sorted);
    grower->lists = allocate(features * count, sizeof *grower->lists);
    grower->scratch = allocate(count, sizeof *grower->scratch);
    grower->features_drawn = allocate(features, sizeof *grower->features_drawn);
    grower->left = allocate(count, sizeof *grower->left);
    grower->waiting = allocate(count, sizeof *grower->waiting);
    return grower->targets && grower->columns && grower->sorted && grower->lists &&
                   grower->scratch && grower->features_drawn && grower->left && grower->waiting
               ? DM_OK
               : DM_NO_MEMORY;
}

enum dm_status tree_grower_open(struct tree_grower **grower, const float *rows,
                                const float *targets, size_t count, size_t features)
{
    struct tree_grower *made = allocate(1, sizeof *made);

    *grower = NULL;
    if (!made)
        return DM_NO_MEMORY;
    made->count = count;
    made->features = features;
    if (allocate_grower(made) != DM_OK) {
        tree_grower_close(made);
        return DM_NO_MEMORY;
    }
    memcpy(made->targets, targets, count * sizeof *targets);
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < features; f++)
            made->columns[f * count + i] = rows[i * features + f];
    sort_samples(made);
    *grower = made;
    return DM_OK;
}

void tree_grower_close(struct tree_grower *grower)
{
    if (!grower)
        return;
    free(grower->targets);
    free(grower->columns);
    free(grower->sorted);
    free(grower->lists);
    free(grower->scratch);
    free(grower->features_drawn);
    free(grower->left);
    free(grower->waiting);
    free(grower);
}

/* ---- one node ---- */

struct total {
    double weight, sum;
    bool pure; /* all targets are equal */
};

static struct total total_of(const struct tree_grower *grower, const uint32_t *weights,
                             const struct branch *branch)
{
    struct total total = {.pure = true};
    float first = grower->targets[grower->lists[branch->begin]];

    for (uint32_t i = branch->begin; i < branch->end; i++) {
        uint32_t sample = grower->lists[i];
        total.weight += weights[sample];
        total.sum += (double)weights[sample] * grower->targets[sample];
        total.pure &= grower->targets[sample] == first;
    }
    return total;
}

/* Between two different numbers, so that the lower one is not above it. */
static float threshold_between(float low, float high)
{
    float middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

static void split_by_feature(const struct tree_grower *grower, const uint32_t *weights,
                             const struct branch *branch, const struct total *total, size_t feature,
                             struct split *best)
{
    const uint32_t *list = grower->lists + feature * grower->count;
    const float *column = grower->columns + feature * grower->count;
    double weight = 0, sum = 0;

    for (uint32_t i = branch->begin; i + 1 < branch->end; i++) {
        uint32_t sample = list[i];
        weight += weights[sample];
        sum += (double)weights[sample] * grower->targets[sample];
        float value = column[sample], next = column[list[i + 1]];
        if (!(value < next))
            continue;
        double rest = total->sum - sum;
        double score = sum * sum / weight + rest * rest / (total->weight - weight);
        if (score > best->score)
            *best = (struct split){score, feature, i + 1, threshold_between(value, next)};
    }
}

/* Divides every list as the split says; within each part the order stays. */
static void divide(struct tree_grower *grower, const struct branch *branch,
                   const struct split *split)
{
    const uint32_t *chosen = grower->lists + split->feature * grower->count;

    for (uint32_t i = branch->begin; i < branch->end; i++)
        grower->left[chosen[i]] = i < split->end;
    for (size_t f = 0; f < grower->features; f++) {
        uint32_t *list = grower->lists + f * grower->count;
        uint32_t kept = branch->begin, moved = 0;
        if (f == split->feature)
            continue;
        for (uint32_t i = branch->begin; i < branch->end; i++) {
            uint32_t sample = list[i], left = grower->left[sample];
            list[kept] = sample;
            grower->scratch[moved] = sample;
            kept += left;
            moved += !left;
        }
        memcpy(list + kept, grower->scratch, moved * sizeof *list);
    }
}

/* ---- a tree ---- */

static size_t choose_samples(struct tree_grower *grower, const uint32_t *weights)
{
    size_t chosen = 0;

    for (size_t f = 0; f < grower->features; f++) {
        const uint32_t *sorted = grower->sorted + f * grower->count;
        uint32_t *list = grower->lists + f * grower->count;
        chosen = 0;
        for (size_t i = 0; i < grower->count; i++)
            if (weights[sorted[i]])
                list[chosen++] = sorted[i];
    }
    return chosen;
}

/* The next of the features in random order, when `drawn` were drawn before. */
static size_t draw_feature(struct tree_grower *grower, size_t drawn, uint64_t seed)
{
    size_t *next = &grower->features_drawn[drawn];
    size_t other = random_below(seed, drawn, grower->features - drawn), feature = next[other];

    next[other] = *next;
    return *next = feature;
}

/* Makes the branch's node a leaf (false), or divides its samples as *split says (true). Features
 * are tried in random order: the first one of those that are equally good is taken. */
static bool grow_node(struct tree_grower *grower, const uint32_t *weights,
                      const struct branch *branch, uint64_t seed, struct tree_node *node,
                      struct split *split)
{
    struct total total = total_of(grower, weights, branch);

    *node = (struct tree_node){
        .threshold = INFINITY, .child = branch->node, .value = (float)(total.sum / total.weight)};
    *split = (struct split){.score = -1};
    if (!total.pure)
        for (size_t f = 0; f < grower->features; f++)
            split_by_feature(grower, weights, branch, &total, draw_feature(grower, f, seed), split);
    if (split->end == 0)
        return false;
    divide(grower, branch, split);
    node->feature = (uint32_t)split->feature;
    node->threshold = split->threshold;
    return true;
}

enum dm_status tree_grow(struct tree_grower *grower, const uint32_t *weights, uint64_t seed,
                         struct tree *tree)
{
    size_t samples = choose_samples(grower, weights), waiting = 0;

    for (size_t f = 0; f < grower->features; f++)
        grower->features_drawn[f] = f;
    *tree = (struct tree){.nodes = allocate(2 * samples, sizeof *tree->nodes), .node_count = 1};
    if (!tree->nodes)
        return DM_NO_MEMORY;
    grower->waiting[waiting++] = (struct branch){.end = (uint32_t)samples};
    while (waiting) {
        struct branch branch = grower->waiting[--waiting];
        struct tree_node *node = &tree->nodes[branch.node];
        struct split split;
        if (branch.depth > tree->depth)
            tree->depth = branch.depth;
        if (!grow_node(grower, weights, &branch, random_bits(seed, branch.node), node, &split))
            continue;
        uint32_t child = (uint32_t)tree->node_count, depth = branch.depth + 1;
        node->child = child;
        tree->node_count += 2;
        grower->waiting[waiting++] = (struct branch){child, branch.begin, split.end, depth};
        grower->waiting[waiting++] = (struct branch){child + 1, split.end, branch.end, depth};
    }
    return DM_OK;
}

/* ---- prediction ---- */

/* Several rows take their steps in turn: their memory accesses do not wait for one another. */
enum { LANES = 8 };

void tree_add(const struct tree *tree, const float *columns, double *sums)
{
    const struct tree_node *nodes = tree->nodes;

    for (size_t row = 0; row < TREE_ROWS; row += LANES) {
        uint32_t at[LANES] = {0};
        for (size_t step = 0; step < tree->depth; step++)
            for (size_t lane = 0; lane < LANES; lane++) {
                const struct tree_node *node = &nodes[at[lane]];
                float value = columns[node->feature * TREE_ROWS + row + lane];
                at[lane] = node->child + (value > node->threshold);
            }
        for (size_t lane = 0; lane < LANES; lane++)
            sums[row + lane] += nodes[at[lane]].value;
    }
}
