/* What the applications of coarrays/ are compared with: the exact and the serial solution of the
 * Burgers equation, and the blocks and iterations of the Himeno benchmark. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/bench/burgers.h"
#include "coarrays/bench/himeno.h"
#include "tests/unit/test.h"

/* ---- Burgers ---- */

enum { CELLS = 256 };
static const double two_pi = 6.283185307179586;

static void exact_begins_as_the_problem_does(void)
{
    struct burgers_problem problem = burgers_problem(CELLS, 100);
    double start[CELLS], exact[CELLS];
    problem.time = 0.0;
    burgers_start(&problem, 0, CELLS, start);
    burgers_exact(&problem, 0, CELLS, exact);
    for (int i = 0; i < CELLS; i++)
        expect(fabs(start[i] - exact[i]) < 1e-12);
}

static void parts_are_those_of_the_whole(void)
{
    struct burgers_problem problem = burgers_problem(CELLS, 1000);
    double whole[CELLS], part[10];
    burgers_exact(&problem, 0, CELLS, whole);
    burgers_exact(&problem, 100, 10, part);
    expect(memcmp(part, whole + 100, sizeof part) == 0);
    burgers_start(&problem, 0, CELLS, whole);
    burgers_start(&problem, 100, 10, part);
    expect(memcmp(part, whole + 100, sizeof part) == 0);
}

static void exact_at(double time, double *u)
{
    struct burgers_problem problem = burgers_problem(CELLS, 1);
    problem.time = time;
    burgers_exact(&problem, 0, CELLS, u);
}

/* u_t + u u_x - nu u_xx by central differences, whose own error is below 0.01 here. */
static void exact_solves_the_equation(void)
{
    double before[CELLS], u[CELLS], after[CELLS];
    const double nu = 0.2, dt = 1e-4, dx = two_pi / CELLS;
    double largest_term = 0.0;
    exact_at(0.7 - dt, before);
    exact_at(0.7, u);
    exact_at(0.7 + dt, after);
    for (int i = 1; i + 1 < CELLS; i++) {
        double u_t = (after[i] - before[i]) / (2.0 * dt);
        double u_x = (u[i + 1] - u[i - 1]) / (2.0 * dx);
        double u_xx = (u[i + 1] - 2.0 * u[i] + u[i - 1]) / (dx * dx);
        expect(fabs(u_t + u[i] * u_x - nu * u_xx) < 0.01);
        largest_term = fmax(largest_term, fabs(u[i] * u_x));
    }
    expect(largest_term > 0.5);
}

static double serial_error(int cells, int steps)
{
    struct burgers_problem problem = burgers_problem(cells, steps);
    double *u = malloc((size_t)cells * sizeof *u), *exact = malloc((size_t)cells * sizeof *exact);
    double error = 0.0;
    burgers_start(&problem, 0, cells, u);
    burgers_serial(&problem, u);
    burgers_exact(&problem, 0, cells, exact);
    for (int i = 0; i < cells; i++)
        error = fmax(error, fabs(u[i] - exact[i]));
    expect(error <= burgers_bound(&problem));
    free(u);
    free(exact);
    return error;
}

/* Twice the cells need four times the steps to the same time. */
static void serial_is_of_second_order(void)
{
    double coarse = serial_error(128, 100), fine = serial_error(256, 400);
    expect(coarse / fine > 3.8 && coarse / fine < 4.2);
    expect(serial_error(256, 3000) > 0.0);
    expect(serial_error(4096, 200) > 0.0);
}

static void bound_is_tight(void)
{
    struct burgers_problem problem = burgers_problem(1024, 1000);
    double error = serial_error(1024, 1000);
    expect(burgers_bound(&problem) < 10.0 * error);
}

static void arrays_of_stages_differ(void)
{
    for (int step = 0; step < 4; step++) {
        for (int stage = 0; stage < BURGERS_STAGES; stage++) {
            int target = burgers_array(step, stage + 1);
            expect(target != burgers_array(step, stage) && target != burgers_array(step, 0));
            expect(target >= 0 && target < BURGERS_ARRAYS);
        }
        expect(burgers_array(step, BURGERS_STAGES) == burgers_array(step + 1, 0));
    }
}

/* ---- Himeno ---- */

static const int size[3] = {11, 9, 14};
static const int alone[3] = {1, 1, 1};

static void check_decomposition(const int images[3])
{
    enum { ALL_POINTS = 11 * 9 * 14 };
    char owners[ALL_POINTS] = {0};
    int count = images[0] * images[1] * images[2];
    for (int image = 1; image <= count; image++) {
        struct himeno_block block = himeno_block(size, images, image);
        for (int d = 0; d < 3; d++) {
            expect(block.extent[OWN][d] >= 1 && block.extent[OWN][d] <= block.extent[LARGEST][d]);
            int lower = block.neighbour[d][0], upper = block.neighbour[d][1];
            expect((lower == 0) == (block.start[d] == 1));
            expect((upper == 0) == (block.start[d] + block.extent[OWN][d] == size[d] - 1));
            if (lower) {
                struct himeno_block other = himeno_block(size, images, lower);
                expect(other.neighbour[d][1] == image);
                expect(other.extent[OWN][d] == block.extent[LOWER][d]);
                expect(other.start[d] + other.extent[OWN][d] == block.start[d]);
            }
        }
        for (int k = 0; k < block.extent[OWN][2]; k++)
            for (int j = 0; j < block.extent[OWN][1]; j++)
                for (int i = 0; i < block.extent[OWN][0]; i++)
                    owners[block.start[0] + i +
                           size[0] * (block.start[1] + j + size[1] * (block.start[2] + k))]++;
    }
    int owned = 0;
    for (int i = 0; i < ALL_POINTS; i++) {
        expect(owners[i] <= 1);
        owned += owners[i];
    }
    expect(owned == 9 * 7 * 12);
}

static void every_inner_point_has_one_owner(void)
{
    check_decomposition(alone);
    check_decomposition((const int[]){1, 2, 2});
    check_decomposition((const int[]){4, 1, 1});
    check_decomposition((const int[]){2, 3, 5});
    check_decomposition((const int[]){9, 7, 12});
}

/* What a block starts with is what the whole grid has there. */
static void blocks_start_as_the_whole_does(void)
{
    static const int images[3] = {2, 1, 2};
    struct himeno_block whole = himeno_block(size, alone, 1);
    struct himeno_block block = himeno_block(size, images, 4);
    struct himeno_coefficients all = himeno_start(size, &whole, 5);
    struct himeno_coefficients part = himeno_start(size, &block, 5);
    size_t in_part = himeno_points(block.extent[OWN]), in_all = himeno_points(whole.extent[OWN]);
    int i = block.start[0] - 1, j = block.start[1] - 1, k = block.start[2] - 1;
    size_t at = (size_t)(i + whole.extent[OWN][0] * (j + whole.extent[OWN][1] * k));
    for (size_t c = 0; c < 4; c++)
        expect(part.a[c * in_part] == all.a[c * in_all + at]);
    for (size_t c = 0; c < 3; c++)
        expect(part.b[c * in_part] == all.b[c * in_all + at] &&
               part.c[c * in_part] == all.c[c * in_all + at]);
    expect(part.bound[0] == all.bound[at] && part.source[0] == all.source[at]);
    himeno_free(&all);
    himeno_free(&part);

    float whole_pressure[11 * 9 * 14], pressure[11 * 9 * 14];
    himeno_pressure(size, &whole, 5, whole_pressure);
    himeno_pressure(size, &block, 5, pressure);
    expect(pressure[0] == whole_pressure[i + size[0] * (j + size[1] * k)]);
}

/* One iteration of the single-precision version against the plain one. */
static void jacobi_is_the_serial_version(void)
{
    struct himeno_block block = himeno_block(size, alone, 1);
    block.extent[LARGEST][0] += 3; /* as if others had more points */
    block.extent[LARGEST][1] += 1;
    struct himeno_coefficients coefficients = himeno_start(size, &block, 7);
    size_t points = himeno_points(block.extent[OWN]);
    size_t halo_points = himeno_halo_points(block.extent[OWN]);
    float *start = malloc(halo_points * sizeof *start),
          *result = malloc(halo_points * sizeof *result);
    float *pressure = calloc(himeno_halo_points(block.extent[LARGEST]), sizeof *pressure);
    float *next = malloc(points * sizeof *next);
    himeno_pressure(size, &block, 7, start);
    himeno_spread(&block, start, pressure);
    double gosa = himeno_jacobi(&block, &coefficients, pressure, next);
    himeno_update(&block, next, pressure);
    himeno_compact(&block, pressure, result);

    struct himeno_block whole = himeno_block(size, alone, 1);
    double right = himeno_serial(&whole, &coefficients, 1, start);
    expect(right > 0.0 && fabs(gosa - right) < 1e-5 * right);
    for (size_t i = 0; i < halo_points; i++)
        expect(fabsf(start[i] - result[i]) < 1e-6f);
    himeno_free(&coefficients);
    free(start);
    free(result);
    free(pressure);
    free(next);
}

static void iterations_converge(void)
{
    struct himeno_block whole = himeno_block(size, alone, 1);
    struct himeno_coefficients coefficients = himeno_start(size, &whole, 7);
    float pressure[11 * 9 * 14];
    himeno_pressure(size, &whole, 7, pressure);
    double first = himeno_serial(&whole, &coefficients, 1, pressure);
    double later = himeno_serial(&whole, &coefficients, 200, pressure);
    expect(later < 1e-3 * first);
    himeno_free(&coefficients);
}

/* A layer is taken with the halo in the dimensions that were exchanged before. */
static void layers_hold_the_edges(void)
{
    static const int images[3] = {2, 2, 2};
    struct himeno_block block = himeno_block(size, images, 1);
    struct himeno_layer layer = himeno_layer(&block, 1, 1);
    const int *extent = block.extent[OWN];
    expect(layer.first[0] == 0 && layer.count[0] == extent[0] + 2);
    expect(layer.first[1] == extent[1] && layer.count[1] == 1 && layer.target[1] == 0);
    expect(layer.first[2] == 1 && layer.count[2] == extent[2]);
    block = himeno_block(size, images, 8);
    layer = himeno_layer(&block, 2, 0);
    expect(layer.first[2] == 1 && layer.target[2] == block.extent[LOWER][2] + 1);
    expect(layer.first[0] == 0 && layer.first[1] == 0);
}

int main(void)
{
    run_test(exact_begins_as_the_problem_does);
    run_test(parts_are_those_of_the_whole);
    run_test(exact_solves_the_equation);
    run_test(serial_is_of_second_order);
    run_test(bound_is_tight);
    run_test(arrays_of_stages_differ);
    run_test(every_inner_point_has_one_owner);
    run_test(blocks_start_as_the_whole_does);
    run_test(jacobi_is_the_serial_version);
    run_test(iterations_converge);
    run_test(layers_hold_the_edges);
    return end_tests();
}
