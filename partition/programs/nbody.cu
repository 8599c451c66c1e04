/* nbody [N] [STEPS]: all pairs, positions in shared memory. */
#include "program.h"

#define BLOCK 128

__global__ void forces(const float4 *position, float4 *velocity, int n, float dt)
{
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 own = i < n ? position[i] : make_float4(0, 0, 0, 0);
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int first = 0; first < n; first += BLOCK) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < BLOCK; k++) {
            float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float factor = tile[k].w * inverse * inverse * inverse;
            ax += factor * dx;
            ay += factor * dy;
            az += factor * dz;
        }
        __syncthreads();
    }
    if (i < n) {
        float4 v = velocity[i];
        velocity[i] = make_float4(v.x + dt * ax, v.y + dt * ay, v.z + dt * az, v.w);
    }
}

__global__ void move(float4 *position, const float4 *velocity, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 p = position[i], v = velocity[i];
        position[i] = make_float4(p.x + dt * v.x, p.y + dt * v.y, p.z + dt * v.z, p.w);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 4096), steps = argument(argc, argv, 2, 3);
    float *values = random_floats(4 * (size_t)n, 7);
    float4 *position = (float4 *)on_device(n * sizeof *position, values);
    float4 *velocity = (float4 *)on_device(n * sizeof *velocity, NULL);
    begin();
    for (int step = 0; step < steps; step++) {
        forces<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(position, velocity, n, 0.01f);
        move<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(position, velocity, n, 0.01f);
    }
    finish("nbody", position, n * sizeof *position);
    free(values);
    return 0;
}
