/* asian_path.h: one random path of an asset's price, step by step, the same on host and device; see
 * asian_random.h for how products and sums are written. */
#ifndef COARRAYS_HETERO_ASIAN_PATH_H
#define COARRAYS_HETERO_ASIAN_PATH_H

#include "asian.h"
#include "asian_random.h"

/* What all paths of an option share. Logarithms are to base 2 and of price / spot. */
struct asian_walk {
    struct asian_key key;
    uint32_t id[2];         /* of the option, low word first */
    uint32_t groups;        /* of ASIAN_STEPS_UNIT steps */
    float drift, deviation; /* of the logarithm in one step */
    float inverse_steps;
    float spot, mean_scale, strike; /* times -1 for a put; mean_scale is spot / steps */
};

/* Where a path is: the logarithm of its price, and the sums of prices and logarithms so far. */
struct asian_path {
    float logarithm, prices, logarithms;
};

ASIAN_ANYWHERE void asian_step(const struct asian_walk *walk, float z, struct asian_path *path)
{
    path->logarithm = asian_fma(walk->deviation, z, path->logarithm + walk->drift);
    path->logarithms += path->logarithm;
    path->prices += asian_exp2(path->logarithm);
}

/* The next ASIAN_STEPS_UNIT steps of the path with that index. */
ASIAN_ANYWHERE void asian_advance(const struct asian_walk *walk, uint32_t index, uint32_t group,
                                  struct asian_path *path)
{
    struct asian_words counter = {{index, group, walk->id[0], walk->id[1]}};
    struct asian_normals normals = asian_four_normals(counter, walk->key);
    asian_step(walk, normals.z[0], path);
    asian_step(walk, normals.z[1], path);
    asian_step(walk, normals.z[2], path);
    asian_step(walk, normals.z[3], path);
}

/* What the option pays for a finished path, with either mean. */
ASIAN_ANYWHERE float asian_arithmetic_payoff(const struct asian_walk *walk,
                                             const struct asian_path *path)
{
    float payoff = asian_fma(path->prices, walk->mean_scale, -walk->strike);
    return payoff > 0.0f ? payoff : 0.0f;
}

ASIAN_ANYWHERE float asian_geometric_payoff(const struct asian_walk *walk,
                                            const struct asian_path *path)
{
    /* The added 0 keeps the product from being fused with what asian_exp2 adds to it. */
    float mean = asian_exp2(asian_fma(path->logarithms, walk->inverse_steps, 0.0f));
    float payoff = asian_fma(mean, walk->spot, -walk->strike);
    return payoff > 0.0f ? payoff : 0.0f;
}

/* Adds the payoffs of a path. Squares of floats are exact in double: fused or not is the same. */
ASIAN_ANYWHERE void asian_add_path(const struct asian_walk *walk, const struct asian_path *path,
                                   struct asian_sums *sums)
{
    double arithmetic = asian_arithmetic_payoff(walk, path);
    double geometric = asian_geometric_payoff(walk, path);
    sums->arithmetic += arithmetic;
    sums->arithmetic_squares += arithmetic * arithmetic;
    sums->geometric += geometric;
    sums->geometric_squares += geometric * geometric;
}

ASIAN_ANYWHERE void asian_add_sums(struct asian_sums *sums, const struct asian_sums *more)
{
    sums->arithmetic += more->arithmetic;
    sums->arithmetic_squares += more->arithmetic_squares;
    sums->geometric += more->geometric;
    sums->geometric_squares += more->geometric_squares;
}

/* Paths of block `block`: ASIAN_BLOCK_PATHS, or fewer in the last one. */
ASIAN_ANYWHERE int asian_paths_of_block(int64_t paths, int64_t block)
{
    int64_t left = paths - block * ASIAN_BLOCK_PATHS;
    return left < ASIAN_BLOCK_PATHS ? (int)left : ASIAN_BLOCK_PATHS;
}

#ifdef __cplusplus
extern "C" {
#endif

/* The walk of an option. In asian.c. */
struct asian_walk asian_walk_of(const struct asian_simulation *simulation,
                                const struct asian_option *option);

#ifdef __cplusplus
}
#endif
#endif
