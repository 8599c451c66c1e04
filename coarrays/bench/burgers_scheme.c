#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "burgers.h"

static const double viscosity = 0.2;
static const double two_pi = 6.283185307179586477;
/* With more, the error of the solution that is kept is below rounding. */
enum { MODES = 64, POINTS = 256 };

struct burgers_problem burgers_problem(int cells, int steps)
{
    double dx = two_pi / cells;
    /* Within the stability of three-stage Runge-Kutta for diffusion (0.62) and convection (1.7). */
    double step = fmin(0.25 * dx * dx / viscosity, 0.5 * dx);
    return (struct burgers_problem){
        .cells = cells,
        .steps = steps,
        .time = steps * step,
        .convection = step / (4.0 * dx),
        .diffusion = viscosity * step / (dx * dx),
    };
}

void burgers_start(const struct burgers_problem *problem, int first, int count, double *u)
{
    for (int i = 0; i < count; i++)
        u[i] = sin(two_pi * (first + i) / problem->cells);
}

/* u = -2 nu phi_x / phi, where phi obeys the heat equation and phi(x, 0) = exp(cos x / (2 nu)) up
 * to a factor: an even function, so phi = c_0 / 2 + sum of c_k exp(-nu k^2 t) cos kx. */
static void heat_modes(double time, double modes[MODES])
{
    double start[POINTS];
    for (int j = 0; j < POINTS; j++)
        start[j] = exp((cos(two_pi * j / POINTS) - 1.0) / (2.0 * viscosity));
    for (int k = 0; k < MODES; k++) {
        double sum = 0.0;
        /* The trapezoidal rule is exact to rounding for a smooth periodic function. */
        for (int j = 0; j < POINTS; j++)
            sum += start[j] * cos(two_pi * ((long)j * k % POINTS) / POINTS);
        modes[k] = 2.0 * sum / POINTS * exp(-viscosity * k * k * time);
    }
}

void burgers_exact(const struct burgers_problem *problem, int first, int count, double *u)
{
    double modes[MODES];
    heat_modes(problem->time, modes);
    for (int i = 0; i < count; i++) {
        double x = two_pi * (first + i) / problem->cells;
        double phi = 0.5 * modes[0], slope = 0.0;
        /* Multiples of the angle by recurrence. */
        double cosine = 1.0, sine = 0.0, c = cos(x), s = sin(x);
        for (int k = 1; k < MODES; k++) {
            double next = cosine * c - sine * s;
            sine = sine * c + cosine * s;
            cosine = next;
            phi += modes[k] * cosine;
            slope -= k * modes[k] * sine;
        }
        u[i] = -2.0 * viscosity * slope / phi;
    }
}

double burgers_bound(const struct burgers_problem *problem)
{
    double dx = two_pi / problem->cells;
    return dx * dx * fmin(problem->time, 1.0) + 1e-15 * problem->steps + 1e-12;
}

void burgers_stage(int stage, int count, double convection, double diffusion,
                   const double *restrict start, const double *restrict u, double *restrict target)
{
    static const double keeps[BURGERS_STAGES] = {0.0, 3.0 / 4.0, 1.0 / 3.0};
    double keep = keeps[stage];
    for (int i = 1; i <= count; i++) {
        double moved = u[i] - convection * (u[i + 1] * u[i + 1] - u[i - 1] * u[i - 1]) +
                       diffusion * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
        target[i] = keep * start[i] + (1.0 - keep) * moved;
    }
}

void burgers_serial(const struct burgers_problem *problem, double *u)
{
    size_t count = (size_t)problem->cells;
    double *array[BURGERS_ARRAYS];
    for (int a = 0; a < BURGERS_ARRAYS; a++)
        array[a] = allocate_or_fail(count + 2, sizeof(double));
    memcpy(array[0] + 1, u, count * sizeof *u);
    for (int step = 0; step < problem->steps; step++)
        for (int stage = 0; stage < BURGERS_STAGES; stage++) {
            double *now = array[burgers_array(step, stage)];
            now[0] = now[count];
            now[count + 1] = now[1];
            burgers_stage(stage, problem->cells, problem->convection, problem->diffusion,
                          array[burgers_array(step, 0)], now,
                          array[burgers_array(step, stage + 1)]);
        }
    memcpy(u, array[burgers_array(problem->steps, 0)] + 1, count * sizeof *u);
    for (int a = 0; a < BURGERS_ARRAYS; a++)
        free(array[a]);
}
