/* qcd: what must hold for Wilson's operator whoever computes it, checked on the kernels alone. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/random.h"
#include "common/workloads/qcd.h"
#include "tests/unit/test.h"

#include "workloads_test.h"

struct lattice {
    struct benchmark *benchmark;
    struct qcd_shape shape;
    float *psi, *links, *result;
    long n, sites; /* of a slice */
};

static struct lattice lattice_create(long n, float kappa)
{
    struct benchmark *benchmark =
        benchmark_create(benchmark_kind_of("qcd"), (size_t)n, 1, MEMORY_PAGEABLE, 5);
    const struct dm_region_array *arrays = benchmark->region.arrays;
    benchmark_reset(benchmark);
    return (struct lattice){
        benchmark, {n, kappa}, arrays[QCD_PSI].host, arrays[QCD_LINK].host, arrays[QCD_RESULT].host,
        n,         n * n * n};
}

/* Applies the kernels: psi, complete with ghosts, to result. */
static void apply(struct lattice *lattice)
{
    struct dm_region region = lattice->benchmark->region;
    region.context = &lattice->shape;
    qcd_fill_ghosts_of_psi(lattice->psi, lattice->n);
    qcd_fill_ghosts_of_links(lattice->links, lattice->n);
    expect(execute_in_chunks(&region, 2, true) == cudaSuccess);
}

static float *number_at(float *array, long components, const struct lattice *lattice, long slice,
                        long component, long site)
{
    return array + 2 * ((slice * components + component) * lattice->sites + site);
}

static float *psi_at(const struct lattice *lattice, long t, long component, long site)
{
    return number_at(lattice->psi, QCD_SPINOR, lattice, t + 1, component, site);
}

static float *result_at(const struct lattice *lattice, long t, long component, long site)
{
    return number_at(lattice->result, QCD_SPINOR, lattice, t, component, site);
}

static void set_unit_links(struct lattice *lattice)
{
    for (long slice = 0; slice <= lattice->n; slice++)
        for (long c = 0; c < QCD_LINKS; c++)
            for (long site = 0; site < lattice->sites; site++) {
                float *u = number_at(lattice->links, QCD_LINKS, lattice, slice, c, site);
                u[0] = c % 9 % 4 == 0 ? 1.0f : 0.0f;
                u[1] = 0.0f;
            }
}

/* gamma_5: +1 for the upper spins, -1 for the lower. */
static double gamma_5(long component)
{
    return component < 6 ? 1.0 : -1.0;
}

/* A spinor for each site and its image: <other, gamma_5 image>, `other` in the layout of psi. */
static double complex product_with_image(const struct lattice *lattice, const float *other)
{
    double complex sum = 0;
    for (long t = 0; t < lattice->n; t++)
        for (long c = 0; c < QCD_SPINOR; c++)
            for (long site = 0; site < lattice->sites; site++) {
                const float *image = result_at(lattice, t, c, site);
                const float *at = other + 2 * (((t + 1) * QCD_SPINOR + c) * lattice->sites + site);
                sum += gamma_5(c) * (at[0] - I * at[1]) * (image[0] + I * image[1]);
            }
    return sum;
}

/* <a, gamma_5 M b> is the conjugate of <b, gamma_5 M a> for any links. */
static void is_gamma5_hermitian(void)
{
    for (long n = 2; n <= 5; n++) {
        struct lattice lattice = lattice_create(n, 0.2f);
        size_t bytes =
            dm_region_slice_size(&lattice.benchmark->region.arrays[QCD_PSI]) * (size_t)(n + 2);
        float *a = allocate_or_fail(1, bytes), *b = allocate_or_fail(1, bytes);
        random_fill_float(a, bytes / sizeof(float), 1);
        random_fill_float(b, bytes / sizeof(float), 2);
        memcpy(lattice.psi, b, bytes);
        apply(&lattice);
        double complex ab = product_with_image(&lattice, a);
        memcpy(lattice.psi, a, bytes);
        apply(&lattice);
        double complex ba = product_with_image(&lattice, b);
        expect(cabs(ab - conj(ba)) < 1e-5 * sqrt(24.0 * (double)(lattice.sites * n)));
        expect(cabs(ab) > 1e-2);
        free(a);
        free(b);
        benchmark_release(lattice.benchmark);
    }
}

/* Unit links and a constant spinor: each of four directions gives twice the spinor. */
static void constant_field(void)
{
    struct lattice lattice = lattice_create(4, 0.1f);
    set_unit_links(&lattice);
    for (long t = 0; t < 4; t++)
        for (long c = 0; c < QCD_SPINOR; c++)
            for (long site = 0; site < lattice.sites; site++)
                for (int part = 0; part < 2; part++)
                    psi_at(&lattice, t, c, site)[part] = 0.3f * (float)c - (float)part;
    apply(&lattice);
    for (long t = 0; t < 4; t++)
        for (long c = 0; c < QCD_SPINOR; c++)
            for (long site = 0; site < lattice.sites; site++)
                for (int part = 0; part < 2; part++) {
                    float expected = 0.2f * (0.3f * (float)c - (float)part);
                    float value = result_at(&lattice, t, c, site)[part];
                    expect(fabsf(value - expected) < 1e-5f);
                }
    benchmark_release(lattice.benchmark);
}

static double complex wave(const struct lattice *lattice, const long momentum[4], long t, long site)
{
    long n = lattice->n, phase = momentum[0] * (site % n) + momentum[1] * (site / n % n) +
                                 momentum[2] * (site / n / n) + momentum[3] * t;
    return cexp(2 * I * M_PI * (double)phase / (double)n);
}

/* psi = wave * spinor, applies the operator, and takes the spinor of -i * hop's part in gamma: for
 * a plane wave hop = sum over mu of 2 cos p_mu - 2 i gamma_mu sin p_mu. */
static void apply_gammas(struct lattice *lattice, const long momentum[4],
                         double complex spinor[QCD_SPINOR])
{
    double cosines = 0;
    for (int mu = 0; mu < 4; mu++)
        cosines += 2 * cos(2 * M_PI * (double)momentum[mu] / (double)lattice->n);
    for (long t = 0; t < lattice->n; t++)
        for (long c = 0; c < QCD_SPINOR; c++)
            for (long site = 0; site < lattice->sites; site++) {
                double complex value = wave(lattice, momentum, t, site) * spinor[c];
                psi_at(lattice, t, c, site)[0] = (float)creal(value);
                psi_at(lattice, t, c, site)[1] = (float)cimag(value);
            }
    apply(lattice);
    for (long c = 0; c < QCD_SPINOR; c++) {
        long site = lattice->sites / 2, t = 1;
        const float *result = result_at(lattice, t, c, site);
        double complex image = (result[0] + I * result[1]) / wave(lattice, momentum, t, site);
        double complex hop = (spinor[c] - image) / (double)lattice->shape.kappa;
        spinor[c] = I * (hop - cosines * spinor[c]) / 2;
    }
}

/* The gammas anticommute and are their own inverses: (sum of gamma_mu sin p_mu)^2 is the sum of the
 * squares of the sines, whatever the momentum. */
static void gammas_are_a_clifford_algebra(void)
{
    static const long momenta[][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1},
                                      {1, 2, 1, 3}, {2, 4, 3, 1}, {1, 1, 2, 2}};
    struct lattice lattice = lattice_create(5, 0.1f);
    set_unit_links(&lattice);
    for (size_t m = 0; m < sizeof momenta / sizeof *momenta; m++) {
        double complex spinor[QCD_SPINOR], before[QCD_SPINOR];
        double squares = 0;
        for (int mu = 0; mu < 4; mu++)
            squares += pow(sin(2 * M_PI * (double)momenta[m][mu] / 5), 2);
        for (long c = 0; c < QCD_SPINOR; c++)
            spinor[c] = before[c] = random_uniform(3, (uint64_t)c) - I * (double)(c % 5);
        apply_gammas(&lattice, momenta[m], spinor);
        apply_gammas(&lattice, momenta[m], spinor);
        for (long c = 0; c < QCD_SPINOR; c++)
            expect(cabs(spinor[c] - squares * before[c]) < 2e-4);
    }
    benchmark_release(lattice.benchmark);
}

static void ghosts_are_periodic(void)
{
    struct lattice lattice = lattice_create(4, 0.1f);
    size_t psi = (size_t)(2 * QCD_SPINOR * lattice.sites);
    size_t links = (size_t)(2 * QCD_LINKS * lattice.sites);
    expect(memcmp(lattice.psi, lattice.psi + 4 * psi, psi * sizeof(float)) == 0);
    expect(memcmp(lattice.psi + 5 * psi, lattice.psi + psi, psi * sizeof(float)) == 0);
    expect(memcmp(lattice.links, lattice.links + 4 * links, links * sizeof(float)) == 0);
    expect(memcmp(lattice.psi + psi, lattice.psi + 2 * psi, psi * sizeof(float)) != 0);
    benchmark_release(lattice.benchmark);
}

int main(void)
{
    run_test(is_gamma5_hermitian);
    run_test(constant_field);
    run_test(gammas_are_a_clifford_algebra);
    run_test(ghosts_are_periodic);
    return end_tests();
}
