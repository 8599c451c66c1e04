#include "tunable_cavity.h"

#include "common/gpu.h"

#include "tunable_device.h"

struct flow {
    const float *u, *v, *p;
    float *u_new, *v_new, *p_new;
};

/* The step of u or v, `w`, in an interior point; `gradient` is p's difference in its direction. */
static inline __device__ float velocity(const float *w, int n, int at, float u, float v,
                                        float gradient)
{
    float east = w[at + 1], west = w[at - 1], north = w[at + n], south = w[at - n];
    float change = u * (east - west) + v * (north - south) + gradient;
    float curvature = east + west + north + south - 4.0f * w[at];
    return w[at] - 0.5f * CAVITY_COURANT * change + CAVITY_DIFFUSION * curvature;
}

static __global__ void __launch_bounds__(TUNABLE_THREADS) cavity_kernel(struct flow flow, int n)
{
    int i = tunable_row(), j = tunable_column();
    if (i >= n || j >= n)
        return;
    int at = i * n + j;
    int inner = min(max(i, 1), n - 2) * n + min(max(j, 1), n - 2);
    float divergence =
        flow.u[inner + 1] - flow.u[inner - 1] + flow.v[inner + n] - flow.v[inner - n];
    flow.p_new[at] = flow.p[inner] - 0.5f * CAVITY_COURANT * CAVITY_SQUARED_SPEED * divergence;
    if (at != inner) {
        flow.u_new[at] = i == n - 1 ? CAVITY_LID : 0.0f;
        flow.v_new[at] = 0.0f;
        return;
    }
    float u = flow.u[at], v = flow.v[at];
    flow.u_new[at] = velocity(flow.u, n, at, u, v, flow.p[at + 1] - flow.p[at - 1]);
    flow.v_new[at] = velocity(flow.v, n, at, u, v, flow.p[at + n] - flow.p[at - n]);
}

cudaError_t ldc_tunable_launch(const struct tunable *tunable, float *const *arrays, dim3 block,
                               cudaStream_t stream)
{
    struct flow flow = {arrays[CAVITY_U],     arrays[CAVITY_V],     arrays[CAVITY_P],
                        arrays[CAVITY_U_NEW], arrays[CAVITY_V_NEW], arrays[CAVITY_P_NEW]};
    dm_launch(cavity_kernel, tunable_blocks(tunable->size, tunable->size, block), block, 0, stream,
              flow, (int)tunable->size);
    return cudaGetLastError();
}
