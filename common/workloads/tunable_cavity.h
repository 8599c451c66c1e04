/* tunable_cavity.h: ldc, one explicit time step of the flow in a square cavity whose lid moves.
 *
 * Incompressible flow of velocity (u, v) and pressure p (divided by the density) in the unit
 * square, by the method of artificial compressibility:
 *
 *     u_t = -u u_x - v u_y - p_x + nu (u_xx + u_yy)
 *     v_t = -u v_x - v v_y - p_y + nu (v_xx + v_yy)
 *     p_t = -c2 (u_x + v_y)
 *
 * on size x size points with distance h, row-major, all three quantities in every point; column j
 * is x = j h, row i is y = i h. A step is Euler's, all differences are central. Walls stand still
 * (u = v = 0); the lid, the whole last row, moves with u = 1. A point of the border gets the new
 * pressure of the interior point next to it, so that there is no gradient into the wall.
 *
 * The numbers are chosen per cell, whatever the size is: CAVITY_COURANT = dt / h, CAVITY_DIFFUSION
 * = nu dt / h^2 and c2 = CAVITY_SQUARED_SPEED, so the Reynolds number is (size - 1) *
 * CAVITY_COURANT / CAVITY_DIFFUSION. They keep repeated steps stable: diffusion <= 1/4, courant^2 *
 * c2 <= diffusion. Source: Chorin, "A numerical method for solving incompressible viscous flow
 * problems", J. Comput. Phys. 2 (1967); the benchmark: Cui, table 5.1. */
#ifndef COMMON_WORKLOADS_TUNABLE_CAVITY_H
#define COMMON_WORKLOADS_TUNABLE_CAVITY_H

#include "tunable_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAVITY_COURANT       0.2f
#define CAVITY_DIFFUSION     0.1f
#define CAVITY_SQUARED_SPEED 1.0f
#define CAVITY_LID           1.0f /* u of the lid */

/* The arrays, in this order: of the time step before, and of this one. */
enum { CAVITY_U, CAVITY_V, CAVITY_P, CAVITY_U_NEW, CAVITY_V_NEW, CAVITY_P_NEW, CAVITY_ARRAYS };

tunable_launch_function ldc_tunable_launch;
tunable_reference_function ldc_tunable_reference;

#ifdef __cplusplus
}
#endif
#endif
