/* asian.h: Asian options priced by Monte Carlo (Fanfarillo 2016, 7.4).
 *
 * The payoff of an Asian option depends on the mean of the asset's price over `steps` days of
 * observation. The price follows geometric Brownian motion, which is sampled exactly:
 *
 *     S(k+1) = S(k) exp((rate - volatility^2 / 2) dt + volatility sqrt(dt) z),    z normal
 *
 * Random numbers are counter based: those of a path are a function of (seed, option, path) alone.
 * Payoffs are added within blocks of ASIAN_BLOCK_PATHS paths in a fixed order, and blocks in
 * theirs. So the sums of an option are the same bit for bit whoever computes them: any number of
 * threads, either version below, CPU or GPU.
 *
 *                       options of a request
 *     MT   all threads on the paths of one option, then of the next     asian_host_mt
 *     MO   one thread per option, its paths one block after the other   asian_host_mo
 *
 * asian_device.h has both for a GPU, asian_reference.h trusted prices. */
#ifndef COARRAYS_HETERO_ASIAN_H
#define COARRAYS_HETERO_ASIAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASIAN_BLOCK_PATHS = 4096, /* paths whose payoffs are added before others join */
    ASIAN_LANES = 512,        /* partial sums of a block: path p belongs to lane p % ASIAN_LANES */
    ASIAN_STEPS_UNIT = 4      /* a call of the generator gives the normals of that many steps */
};

/* What is agreed. Prices have any unit of money; rate and volatility are per year. */
struct asian_option {
    uint64_t id; /* chooses the random numbers */
    double spot; /* the asset's price today */
    double strike;
    double rate;
    double volatility;
    double maturity; /* years */
    bool is_put;     /* pays strike - mean if that is positive; else a call: mean - strike */
};

/* How it is priced. */
struct asian_simulation {
    uint64_t seed;
    int64_t paths; /* of each option */
    int steps;     /* observations per path, evenly apart, the last at maturity */
};

/* Sums over the paths of one option, of payoffs at maturity and of their squares, with the
 * arithmetic mean, which is what the option pays, and with the geometric mean of the same paths,
 * for which there is a closed form. */
struct asian_sums {
    double arithmetic, arithmetic_squares;
    double geometric, geometric_squares;
};

/* A price today with its standard error. */
struct asian_price {
    double value;
    double standard_error;
};

/* The option number `id` of a portfolio: call or put, spot 100, rate 0.01 .. 0.06, volatility
 * 0.1 .. 0.4, maturity 0.25 .. 2 years, strike within 1.5 standard deviations of the mean price
 * around the spot, so that some paths pay; all a function of (seed, id). */
struct asian_option asian_option_of(uint64_t seed, uint64_t id);

/* DM_INVALID, with what is wrong, unless paths are 2 to 2^32 and steps 4 to 65536 in multiples of
 * ASIAN_STEPS_UNIT. The functions below take only simulations that have passed. */
enum dm_status asian_check(const struct asian_simulation *simulation);

/* Number of blocks that the paths of an option make; the last may have fewer paths. */
int64_t asian_blocks(const struct asian_simulation *simulation);

/* The price that the sums of all paths say, discounted to today. */
struct asian_price asian_arithmetic_price(const struct asian_simulation *simulation,
                                          const struct asian_option *option,
                                          const struct asian_sums *sums);
struct asian_price asian_geometric_price(const struct asian_simulation *simulation,
                                         const struct asian_option *option,
                                         const struct asian_sums *sums);

/* sums[i] of options[i] for all i < count by at most `threads` OpenMP threads, which the caller's
 * is one of. MT: *busy, if busy is not NULL, is the number of threads that computed paths;
 * DM_NO_MEMORY. MO returns that number, and cannot fail. */
enum dm_status asian_host_mt(const struct asian_simulation *simulation,
                             const struct asian_option *options, size_t count, int threads,
                             struct asian_sums *sums, int *busy);
int asian_host_mo(const struct asian_simulation *simulation, const struct asian_option *options,
                  size_t count, int threads, struct asian_sums *sums);

/* The sums are the same bit for bit. */
bool asian_equal(const struct asian_sums *a, const struct asian_sums *b);

#ifdef __cplusplus
}
#endif
#endif
