/* qcd_device.h: the two stages of the Wilson operator on the device, one site per thread.
 *
 * (1 -+ gamma_mu) has rank 2: with upper spins u and lower spins l,
 *     (1 - gamma) (u, l) = (h, -S^* h), h = u - S l        (1 + gamma) (u, l) = (h, S^* h), h = u +
 * S l so a matrix multiplies two spins instead of four. S has one element in each row, a power of
 * i. */
#ifndef COMMON_WORKLOADS_QCD_DEVICE_H
#define COMMON_WORKLOADS_QCD_DEVICE_H

#include "qcd.h"

struct qcd_spinor {
    float2 of[4][3]; /* [spin][colour] */
};

/* i^quarters * z */
static __forceinline__ __device__ float2 qcd_turn(float2 z, int quarters)
{
    switch (quarters & 3) {
    case 0:
        return z;
    case 1:
        return make_float2(-z.y, z.x);
    case 2:
        return make_float2(-z.x, -z.y);
    default:
        return make_float2(z.y, -z.x);
    }
}

static __forceinline__ __device__ float2 qcd_sum(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

/* sum + a * b */
static __forceinline__ __device__ float2 qcd_multiply_add(float2 sum, float2 a, float2 b)
{
    sum.x += a.x * b.x;
    sum.x -= a.y * b.y;
    sum.y += a.x * b.y;
    sum.y += a.y * b.x;
    return sum;
}

/* The column of the element of S in row `spin`, */
static __forceinline__ __device__ int qcd_partner(int mu, int spin)
{
    return mu < 2 ? 1 - spin : spin;
}

/* and its power of i. */
static __forceinline__ __device__ int qcd_quarters(int mu, int spin)
{
    switch (mu) {
    case 0:
        return 1;
    case 1:
        return spin == 0 ? 2 : 0;
    case 2:
        return spin == 0 ? 1 : 3;
    default:
        return 0;
    }
}

/* Adds the term of one direction to the sum. psi: of the neighbour; link: the first component of
 * the matrix; components are `sites` apart. mu and forward should be constants. */
static __forceinline__ __device__ void qcd_add_term(struct qcd_spinor *sum, const float2 *psi,
                                                    const float2 *link, size_t sites, int mu,
                                                    bool forward)
{
    int sign = forward ? 2 : 0; /* quarter turns: -1 or 1 */
    float2 half[2][3];
    for (int spin = 0; spin < 2; spin++)
        for (int colour = 0; colour < 3; colour++) {
            int lower = 2 + qcd_partner(mu, spin);
            half[spin][colour] =
                qcd_sum(psi[(spin * 3 + colour) * sites],
                        qcd_turn(psi[(lower * 3 + colour) * sites], qcd_quarters(mu, spin) + sign));
        }
    for (int row = 0; row < 3; row++) {
        float2 product[2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
        for (int column = 0; column < 3; column++) {
            float2 u = link[(forward ? row * 3 + column : column * 3 + row) * sites];
            if (!forward)
                u.y = -u.y;
            for (int spin = 0; spin < 2; spin++)
                product[spin] = qcd_multiply_add(product[spin], u, half[spin][column]);
        }
        for (int spin = 0; spin < 2; spin++) {
            float2 *upper = &sum->of[spin][row], *lower = &sum->of[2 + qcd_partner(mu, spin)][row];
            *upper = qcd_sum(*upper, product[spin]);
            *lower = qcd_sum(*lower, qcd_turn(product[spin], sign - qcd_quarters(mu, spin)));
        }
    }
}

/* The neighbour of a site in its slice, `stride` = n^mu sites away. */
static __forceinline__ __device__ int qcd_after(int site, int n, int stride)
{
    return site / stride % n == n - 1 ? site - (n - 1) * stride : site + stride;
}

static __forceinline__ __device__ int qcd_before(int site, int n, int stride)
{
    return site / stride % n == 0 ? site + (n - 1) * stride : site - stride;
}

static __forceinline__ __device__ void qcd_add_terms_in_space(struct qcd_spinor *sum,
                                                              const float2 *psi,
                                                              const float2 *links, int site, int n,
                                                              size_t sites, int mu, int stride)
{
    const float2 *matrices = links + mu * QCD_MATRIX * sites;
    int before = qcd_before(site, n, stride);
    qcd_add_term(sum, psi + qcd_after(site, n, stride), matrices + site, sites, mu, true);
    qcd_add_term(sum, psi + before, matrices + before, sites, mu, false);
}

static inline __device__ void qcd_hop_site(const struct dm_slices *views, struct qcd_shape shape,
                                           long t, int site)
{
    int n = (int)shape.n;
    size_t sites = (size_t)n * n * n, time_matrices = 3 * QCD_MATRIX * sites;
    const float2 *psi = (const float2 *)dm_slice<float>(views[QCD_PSI], t + 1);
    const float2 *psi_before = (const float2 *)dm_slice<float>(views[QCD_PSI], t);
    const float2 *psi_after = (const float2 *)dm_slice<float>(views[QCD_PSI], t + 2);
    const float2 *links = (const float2 *)dm_slice<float>(views[QCD_LINK], t + 1);
    const float2 *links_before = (const float2 *)dm_slice<float>(views[QCD_LINK], t);
    float2 *hop = (float2 *)dm_slice<float>(views[QCD_HOP], t) + site;
    struct qcd_spinor sum = {};

    qcd_add_terms_in_space(&sum, psi, links, site, n, sites, 0, 1);
    qcd_add_terms_in_space(&sum, psi, links, site, n, sites, 1, n);
    qcd_add_terms_in_space(&sum, psi, links, site, n, sites, 2, n * n);
    qcd_add_term(&sum, psi_after + site, links + time_matrices + site, sites, 3, true);
    qcd_add_term(&sum, psi_before + site, links_before + time_matrices + site, sites, 3, false);
    for (int spin = 0; spin < 4; spin++)
        for (int colour = 0; colour < 3; colour++)
            hop[(spin * 3 + colour) * sites] = sum.of[spin][colour];
}

/* Quadruples of floats in a slice of psi, hop and the result. */
static inline __device__ long qcd_quadruples(struct qcd_shape shape)
{
    return 2 * QCD_SPINOR / 4 * shape.n * shape.n * shape.n;
}

static inline __device__ void qcd_combine_quadruple(const struct dm_slices *views,
                                                    struct qcd_shape shape, long t, long i)
{
    float4 psi = ((const float4 *)dm_slice<float>(views[QCD_PSI], t + 1))[i];
    float4 hop = ((const float4 *)dm_slice<float>(views[QCD_HOP], t))[i];
    ((float4 *)dm_slice<float>(views[QCD_RESULT], t))[i] =
        make_float4(psi.x - shape.kappa * hop.x, psi.y - shape.kappa * hop.y,
                    psi.z - shape.kappa * hop.z, psi.w - shape.kappa * hop.w);
}

/* Part `part` of `parts` of slice t of hop: an equal share of its sites. Like the others, called by
 * all threads of a one-dimensional block. */
static inline __device__ void qcd_hop_part(const struct dm_slices *views, struct qcd_shape shape,
                                           long t, long part, long parts)
{
    long sites = shape.n * shape.n * shape.n, end = sites * (part + 1) / parts;
    for (long site = sites * part / parts + threadIdx.x; site < end; site += blockDim.x)
        qcd_hop_site(views, shape, t, (int)site);
}

/* Part `part` of slice t of the result, which needs all parts of slice t of hop. */
static inline __device__ void qcd_combine_part(const struct dm_slices *views,
                                               struct qcd_shape shape, long t, long part,
                                               long parts)
{
    long count = qcd_quadruples(shape), end = count * (part + 1) / parts;
    for (long i = count * part / parts + threadIdx.x; i < end; i += blockDim.x)
        qcd_combine_quadruple(views, shape, t, i);
}

static inline __device__ void qcd_hop(const struct dm_slices *views, struct qcd_shape shape, long t)
{
    qcd_hop_part(views, shape, t, 0, 1);
}

static inline __device__ void qcd_combine(const struct dm_slices *views, struct qcd_shape shape,
                                          long t)
{
    qcd_combine_part(views, shape, t, 0, 1);
}

#endif
