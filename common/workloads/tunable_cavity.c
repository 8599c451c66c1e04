#include "tunable_cavity.h"

/* Per interior point and each of u and v: 6 for what flows in and out, 1 for the pressure's
 * difference, 5 for the curvature and 4 to put them together; 3 for p, as its divergence adds two
 * differences that are there already. */
static const double flops_per_point = 2.0 * (6.0 + 1.0 + 5.0 + 4.0) + 3.0;

static void describe_ldc(struct tunable *tunable)
{
    static const char *const names[CAVITY_ARRAYS] = {"u", "v", "p", "u_new", "v_new", "p_new"};
    size_t n = tunable->size;
    for (int a = 0; a < CAVITY_ARRAYS; a++)
        tunable_add_array(tunable, names[a], n * n,
                          a < CAVITY_U_NEW ? TUNABLE_READ : TUNABLE_WRITTEN);
    tunable->flops = flops_per_point * (double)(n - 2) * (double)(n - 2);
    tunable->terms = 12.0; /* u itself, 4 of the flow, 2 of the pressure, 5 of the curvature */
}

static const struct tunable_dataset ldc_sizes[] = {
    {"tiny", 35}, {"small", 160}, {"full", 2048}, {0}};

const struct tunable_kind ldc_tunable = {
    .name = "ldc",
    .meaning = "lid-driven cavity: an explicit time step of a viscous flow with artificial "
               "compressibility; x of the block divides the columns, y the rows; size: rows and "
               "columns of the grid",
    .datasets = ldc_sizes,
    .smallest = 3,
    .largest = 16384,
    .describe = describe_ldc,
    .launch = ldc_tunable_launch,
    .reference = ldc_tunable_reference};
