/* qcd.h: the Wilson operator of lattice quantum chromodynamics on an n^4 lattice, in two kernels:
 *
 *     hop(x)    = sum over mu of   (1 - gamma_mu) U_mu(x)        psi(x + mu)
 *                                + (1 + gamma_mu) U_mu(x - mu)^* psi(x - mu)
 *     result(x) = psi(x) - kappa * hop(x)
 *
 * psi has 4 spins of 3 colours at each site, U_mu(x) is the 3x3 matrix of the link from x to x +
 * mu, all complex; ^* is the adjoint. U need not be unitary here. mu is x, y, z, t; gamma_mu are
 * the matrices of DeGrand and Rossi: Hermitian, gamma_mu = (0, S; S^*, 0) with 2x2 blocks
 *
 *     S_x = (0, i; i, 0)   S_y = (0, -1; 1, 0)   S_z = (i, 0; 0, -i)   S_t = (1, 0; 0, 1)
 *
 * so that gamma_5 = gamma_x gamma_y gamma_z gamma_t = diag(1, 1, -1, -1) up to its sign.
 *
 * Layout: a slice is the n^3 sites of one t, site = x + n * (y + n * z), as an array of complex
 * numbers (real, imaginary) for each component, so that threads of neighbouring sites read
 * neighbouring numbers:
 *     psi, hop, result   component spin * 3 + colour                12 of them, 24 floats per site
 *     links              component mu * 9 + row * 3 + column        36 of them, 72 floats per site
 * The number of component c of a site is at c * n^3 + site. Space is periodic. In t there are ghost
 * slices: psi's slice t + 1 is time t, slices 0 and n + 1 are times -1 and n; slice t + 1 of the
 * links is time t, slice 0 is time -1. As a region: iteration t computes slice t of the result from
 * slices t, t+1, t+2 of psi and t, t+1 of the links.
 * Source: Cui, 3.3.1 (lattice QCD of SciDAC, whose code the thesis does not give). */
#ifndef COMMON_WORKLOADS_QCD_H
#define COMMON_WORKLOADS_QCD_H

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

struct benchmark_kind;

enum { QCD_SPINOR = 12, QCD_MATRIX = 9, QCD_LINKS = 36 }; /* complex components of a site */

/* What region.context points to. */
struct qcd_shape {
    long n;
    float kappa;
};

/* The arrays of the region, in this order. */
enum { QCD_PSI, QCD_LINK, QCD_HOP, QCD_RESULT, QCD_ARRAYS };

/* Per site: in 8 directions 12 sums to project, 132 operations for two products of a matrix and a
 * vector, and 24 sums, but for the first direction; then 24 products and sums. */
static inline double qcd_flops(double n)
{
    return (1320.0 + 48.0) * n * n * n * n;
}

/* Bytes that must cross the memory bus: psi and the links with ghosts are read, the result is
 * written; hop may stay in the cache. */
static inline double qcd_bytes(double n)
{
    return 2 * sizeof(float) * n * n * n *
           (QCD_SPINOR * (n + 2) + QCD_LINKS * (n + 1) + QCD_SPINOR * n);
}

/* Thread blocks are used as one-dimensional ones. Errors: cudaErrorInvalidValue for iterations
 * outside of the loop, cudaErrorInvalidConfiguration for an impossible block, and those of the
 * launch. */
dm_region_launch qcd_launch;

/* On the CPU, with gamma matrices as 4x4 matrices, in double. */
void qcd_reference(const float *psi, const float *links, struct qcd_shape shape, float *result);

/* Copy the slices at either end to the ghosts, for a lattice that is periodic in t. */
void qcd_fill_ghosts_of_psi(float *psi, long n);
void qcd_fill_ghosts_of_links(float *links, long n);

extern const struct benchmark_kind qcd_benchmark;

#ifdef __cplusplus
}
#endif
#endif
