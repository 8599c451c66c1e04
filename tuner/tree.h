/* tree.h: regression trees (CART), one by one or as a forest.
 *
 * A tree divides the samples by `feature <= threshold` so that the squared error is least, until
 * the targets of a leaf are equal or nothing tells its samples apart. Source: Breiman, Friedman,
 * Olshen and Stone, Classification and Regression Trees, 1984, 8.4. */
#ifndef TUNER_TREE_H
#define TUNER_TREE_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

/* A leaf is its own child behind an infinite threshold: who goes on walking stays there. */
struct tree_node {
    float threshold;
    uint32_t feature;
    uint32_t child; /* for feature <= threshold; the other is the next one */
    float value;    /* mean of the node's targets */
};

struct tree {
    struct tree_node *nodes; /* the first is the root; to be released with free() */
    size_t node_count;
    size_t depth; /* steps from the root to the deepest leaf */
};

/* Samples, sorted by each feature once for all trees that are grown from them. */
struct tree_grower;

/* Takes copies. DM_NO_MEMORY. */
enum dm_status tree_grower_open(struct tree_grower **grower, const float *rows,
                                const float *targets, size_t count, size_t features);
void tree_grower_close(struct tree_grower *grower);

/* Grows a tree in which sample i counts weights[i] times, at least one of them more than 0. Of
 * splits that are equally good one feature's is taken, by the seed, with its lowest threshold: the
 * order of the features means nothing. DM_NO_MEMORY: then the tree has no nodes. */
enum dm_status tree_grow(struct tree_grower *grower, const uint32_t *weights, uint64_t seed,
                         struct tree *tree);

/* Adds the prediction for row i < TREE_ROWS to sums[i]; feature f of row i is
 * columns[f * TREE_ROWS + i]. All rows must be there, though not all may be wanted. */
enum { TREE_ROWS = 256 };
void tree_add(const struct tree *tree, const float *columns, double *sums);

#endif
