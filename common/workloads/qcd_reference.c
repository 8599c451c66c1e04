#include <complex.h>
#include <string.h>

#include "qcd.h"

/* C11 has it; clang 14 with glibc 2.36 does not. */
#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

/* gamma_mu[row][column], as printed in qcd.h. */
static const double complex gamma_matrices[4][4][4] = {
    {{0, 0, 0, I}, {0, 0, I, 0}, {0, -I, 0, 0}, {-I, 0, 0, 0}},
    {{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}},
    {{0, 0, I, 0}, {0, 0, 0, -I}, {-I, 0, 0, 0}, {0, I, 0, 0}},
    {{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}},
};

/* a * b, without the care that C's operator takes of infinities. */
static double complex times(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
                 creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* A number of psi or the links, which have `components` per site and begin with time -1. */
static double complex number(const float *array, long components, long n, const long position[4],
                             long component)
{
    long sites = n * n * n;
    long site = position[0] + n * (position[1] + n * position[2]);
    const float *at = array + 2 * (((position[3] + 1) * components + component) * sites + site);
    return CMPLX(at[0], at[1]);
}

/* Adds (1 + sign * gamma_mu) * U * psi(neighbour), U being the link's matrix or its adjoint. */
static void add_term(const float *psi, const float *links, long n, const long neighbour[4],
                     const long link[4], int mu, int sign, double complex sum[4][3])
{
    double complex moved[4][3] = {{0}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            double complex u =
                sign < 0 ? number(links, QCD_LINKS, n, link, mu * 9 + row * 3 + column)
                         : conj(number(links, QCD_LINKS, n, link, mu * 9 + column * 3 + row));
            for (int spin = 0; spin < 4; spin++)
                moved[spin][row] +=
                    times(u, number(psi, QCD_SPINOR, n, neighbour, spin * 3 + column));
        }
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            double complex factor = (row == column) + sign * gamma_matrices[mu][row][column];
            if (factor != 0)
                for (int colour = 0; colour < 3; colour++)
                    sum[row][colour] += times(factor, moved[column][colour]);
        }
}

static void compute_site(const float *psi, const float *links, struct qcd_shape shape,
                         const long here[4], double complex result[4][3])
{
    long n = shape.n;
    double complex hop[4][3] = {{0}};
    for (int mu = 0; mu < 4; mu++) {
        long after[4], before[4];
        memcpy(after, here, sizeof after);
        memcpy(before, here, sizeof before);
        after[mu] = mu < 3 ? (here[mu] + 1) % n : here[mu] + 1;
        before[mu] = mu < 3 ? (here[mu] + n - 1) % n : here[mu] - 1;
        add_term(psi, links, n, after, here, mu, -1, hop);
        add_term(psi, links, n, before, before, mu, 1, hop);
    }
    for (int spin = 0; spin < 4; spin++)
        for (int colour = 0; colour < 3; colour++)
            result[spin][colour] = number(psi, QCD_SPINOR, n, here, spin * 3 + colour) -
                                   (double)shape.kappa * hop[spin][colour];
}

static void copy_slice(float *array, long components, long n, long to, long from)
{
    size_t count = (size_t)(2 * components * n * n * n);
    memcpy(array + (size_t)to * count, array + (size_t)from * count, count * sizeof *array);
}

void qcd_fill_ghosts_of_psi(float *psi, long n)
{
    copy_slice(psi, QCD_SPINOR, n, 0, n);
    copy_slice(psi, QCD_SPINOR, n, n + 1, 1);
}

void qcd_fill_ghosts_of_links(float *links, long n)
{
    copy_slice(links, QCD_LINKS, n, 0, n);
}

void qcd_reference(const float *psi, const float *links, struct qcd_shape shape, float *result)
{
    long n = shape.n, sites = n * n * n;
    for (long at = 0; at < sites * n; at++) {
        long here[4] = {at % n, at / n % n, at / (n * n) % n, at / sites};
        double complex numbers[4][3];
        compute_site(psi, links, shape, here, numbers);
        for (long c = 0; c < QCD_SPINOR; c++) {
            float *out = result + 2 * ((here[3] * QCD_SPINOR + c) * sites + at % sites);
            out[0] = (float)creal(numbers[c / 3][c % 3]);
            out[1] = (float)cimag(numbers[c / 3][c % 3]);
        }
    }
}
