/* qcd.c: Wilson's operator of lattice quantum chromodynamics (common/workloads/qcd.h has its
 * formula), one time slice after the other: an iteration needs three slices of psi and two of the
 * links. */
#include "values.h"

struct complex {
    float re, im;
};

enum { SPINOR = 12, LINKS = 36 };

static struct complex add(struct complex a, struct complex b)
{
    struct complex sum = {a.re + b.re, a.im + b.im};
    return sum;
}

/* i^quarters * z */
static struct complex turn(struct complex z, int quarters)
{
    struct complex half = {(quarters & 2) ? -z.re : z.re, (quarters & 2) ? -z.im : z.im};
    struct complex quarter = {-half.im, half.re};
    return (quarters & 1) ? quarter : half;
}

/* sum + a * b */
static struct complex multiply_add(struct complex sum, struct complex a, struct complex b)
{
    sum.re += a.re * b.re;
    sum.re -= a.im * b.im;
    sum.im += a.re * b.im;
    sum.im += a.im * b.re;
    return sum;
}

/* a - factor * b */
static struct complex minus(struct complex a, float factor, struct complex b)
{
    struct complex difference = {a.re - factor * b.re, a.im - factor * b.im};
    return difference;
}

static struct complex conjugate(struct complex z)
{
    struct complex result = {z.re, -z.im};
    return result;
}

/* The element of gamma's upper right block in a row: its column, and its power of i. */
static int partner(int mu, int spin)
{
    return mu < 2 ? 1 - spin : spin;
}

static int quarters(int mu, int spin)
{
    if (mu == 0)
        return 1;
    if (mu == 1)
        return spin == 0 ? 2 : 0;
    return mu == 2 ? (spin == 0 ? 1 : 3) : 0;
}

/* The neighbour of a site, `stride` sites away, in a periodic lattice. */
static int after(int site, int n, int stride)
{
    return site / stride % n == n - 1 ? site - (n - 1) * stride : site + stride;
}

static int before(int site, int n, int stride)
{
    return site / stride % n == 0 ? site + (n - 1) * stride : site - stride;
}

/* Adds what a neighbour in direction mu contributes; `sign` is 2 forward and 0 backward. */
#define ADD_TERM(psi_slice, at, link_slice, link_at, mu, sign)                                     \
    for (int spin = 0; spin < 2; spin++)                                                           \
        for (int colour = 0; colour < 3; colour++)                                                 \
            half[spin][colour] =                                                                   \
                add(psi[psi_slice][spin * 3 + colour][at],                                         \
                    turn(psi[psi_slice][(2 + partner(mu, spin)) * 3 + colour][at],                 \
                         quarters(mu, spin) + sign));                                              \
    for (int row = 0; row < 3; row++) {                                                            \
        struct complex product[2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};                                  \
        for (int column = 0; column < 3; column++) {                                               \
            struct complex u =                                                                     \
                sign ? links[link_slice][mu * 9 + row * 3 + column][link_at]                       \
                     : conjugate(links[link_slice][mu * 9 + column * 3 + row][link_at]);           \
            for (int spin = 0; spin < 2; spin++)                                                   \
                product[spin] = multiply_add(product[spin], u, half[spin][column]);                \
        }                                                                                          \
        for (int spin = 0; spin < 2; spin++) {                                                     \
            sum[spin][row] = add(sum[spin][row], product[spin]);                                   \
            sum[2 + partner(mu, spin)][row] = add(sum[2 + partner(mu, spin)][row],                 \
                                                  turn(product[spin], sign - quarters(mu, spin))); \
        }                                                                                          \
    }

static void apply(int n, int chunk, int sites, float kappa, struct complex (*psi)[SPINOR][sites],
                  struct complex (*links)[LINKS][sites], struct complex (*result)[SPINOR][sites])
{
#pragma omp target teams distribute iterator(t = 0:n) \
    map(pipeline(t, chunk, 2), to: psi[t:3][0:SPINOR][0:sites], links[t:2][0:LINKS][0:sites]) \
    map(pipeline(t, chunk, 2), from: result[t:1][0:SPINOR][0:sites])
    for (int t = 0; t < n; t++) {
#pragma omp parallel for
        for (int site = 0; site < sites; site++) {
            struct complex sum[4][3], half[2][3];
            for (int spin = 0; spin < 4; spin++)
                for (int colour = 0; colour < 3; colour++)
                    sum[spin][colour].re = sum[spin][colour].im = 0.0f;
            for (int mu = 0; mu < 3; mu++) {
                const int stride = mu == 0 ? 1 : mu == 1 ? n : n * n;
                const int next = after(site, n, stride), last = before(site, n, stride);
                ADD_TERM(t + 1, next, t + 1, site, mu, 2)
                ADD_TERM(t + 1, last, t + 1, last, mu, 0)
            }
            ADD_TERM(t + 2, site, t + 1, site, 3, 2)
            ADD_TERM(t, site, t, site, 3, 0)
            for (int c = 0; c < SPINOR; c++)
                result[t][c][site] = minus(psi[t + 1][c][site], kappa, sum[c / 3][c % 3]);
        }
    }
}

int main(int count, char **words)
{
    const struct values_options options = values_options(count, words, 8, 1);
    const int n = options.size, sites = n * n * n;
    const size_t spinors = (size_t)sites * SPINOR, matrices = (size_t)sites * LINKS;
    void *psi = values_make(2 * spinors * (size_t)(n + 2), 0, 0);
    void *links = values_make(2 * matrices * (size_t)(n + 1), 1, 0);
    void *result = values_make(2 * spinors * (size_t)n, 2, 0);
    for (int time = 0; time < options.times; time++)
        apply(n, options.chunk, sites, 0.125f, psi, links, result);
    values_print("qcd", result, 2 * spinors * (size_t)n);
    free(psi);
    free(links);
    free(result);
    return 0;
}
