/* burgers.h: the viscous Burgers equation u_t + u u_x = nu u_xx on [0, 2 pi), periodic, with
 * u(x, 0) = sin x, solved on several images (Fanfarillo 2016, 6.4.3).
 *
 * Central differences of second order in space, Runge-Kutta of third order in time (Shu and Osher
 * 1988) with an explicit, stable step. Each image owns equally many neighbouring cells and fetches,
 * in each of the three stages, one value from either neighbour. */
#ifndef COARRAYS_BENCH_BURGERS_H
#define COARRAYS_BENCH_BURGERS_H

/* Weights of one time step: convection is time step / (4 dx), diffusion is nu * time step / dx^2.
 */
struct burgers_problem {
    int cells; /* all images together */
    int steps;
    double time; /* after the steps */
    double convection, diffusion;
};

struct burgers_problem burgers_problem(int cells, int steps);

/* u at the cells first .. first + count - 1 at the beginning. */
void burgers_start(const struct burgers_problem *problem, int first, int count, double *u);

/* The solution of the differential equation at that time, by the Cole-Hopf transformation. */
void burgers_exact(const struct burgers_problem *problem, int first, int count, double *u);

/* How far from it the scheme may be: second order in dx, and rounding. */
double burgers_bound(const struct burgers_problem *problem);

/* All steps on all cells by one process, u in and out: what every variant is compared with. */
void burgers_serial(const struct burgers_problem *problem, double *u);

/* The arrays that the stages work on: three of a step, and one for its result, which is the next
 * step's first. Each has room for the neighbours' values at its ends. */
enum { BURGERS_STAGES = 3, BURGERS_ARRAYS };

/* Stage 0, 1 or 2 on `count` cells: target = keep * start + (1 - keep) * (u + a time step of u),
 * with a weight `keep` of the stage's own. u[0] and u[count + 1] are the neighbours' values; the
 * cells of start and target, too, begin with index 1. */
void burgers_stage(int stage, int count, double convection, double diffusion,
                   const double *restrict start, const double *restrict u, double *restrict target);

/* Number of the array that a stage reads, and, as that of the next stage, writes; stage 3 is the
 * first of the step that follows. */
static inline int burgers_array(int step, int stage)
{
    return stage == 0 ? step % 2 : stage == BURGERS_STAGES ? (step + 1) % 2 : stage + 1;
}

/* What every variant can do. Collective, in this order; `cells` and u are of this image; left and
 * right are the neighbours' image numbers, from 1, its own if it is alone. */
struct burgers_kernels {
    void (*create)(int cells);
    void (*set)(const double *u);
    void (*run)(int steps, double convection, double diffusion, int left, int right);
    void (*get)(double *u);
    void (*destroy)(void);
};
extern const struct burgers_kernels burgers_caf, burgers_mpi;

#endif
