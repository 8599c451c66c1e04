/* A step of a 7-point stencil on n x n x n floats: out = centre * in + side * (six neighbours). A
 * block computes a column of planes, a thread several points of each. All that is in stencil.space
 * is a macro here. */

#define columns (block_x * work_x) /* of the part of a plane that a block computes */
#define rows    (block_y * work_y)

#define AT(x, y, z) (((z)*n + (y)) * n + (x))
#if read_only
#define READ(place) __ldg(&in[place])
#else
#define READ(place) in[place]
#endif

/* The place of a thread's point number i: a block apart or beside one another. */
#define X(i) (strided ? threadIdx.x + (i)*block_x : threadIdx.x * work_x + (i))
#define Y(i) (threadIdx.y + (i)*block_y)

extern "C" __global__ void __launch_bounds__(block_x *block_y, blocks_min)
    stencil(const float *__restrict__ in, float *__restrict__ out, float centre, float side)
{
#if staged
    __shared__ float plane[rows + 2][columns + 2 + pad];
#endif
    constexpr int unrolled = unroll_z; /* host preprocessors expand no macros in pragmas */
    const int x0 = blockIdx.x * columns, y0 = blockIdx.y * rows, z0 = blockIdx.z * planes;
    float below[work_y][work_x], here[work_y][work_x], above[work_y][work_x];

    for (int j = 0; j < work_y; j++)
        for (int i = 0; i < work_x; i++) {
            const int x = x0 + X(i), y = y0 + Y(j);
            below[j][i] = z0 > 0 ? READ(AT(x, y, z0 - 1)) : 0.0f;
            here[j][i] = READ(AT(x, y, z0));
        }
#pragma unroll unrolled
    for (int z = z0; z < z0 + planes; z++) {
#if staged
        __syncthreads();
        for (int j = threadIdx.y; j < rows + 2; j += block_y)
            for (int i = threadIdx.x; i < columns + 2; i += block_x) {
                const int x = x0 + i - 1, y = y0 + j - 1;
                plane[j][i] = x >= 0 && x < n && y >= 0 && y < n ? READ(AT(x, y, z)) : 0.0f;
            }
        __syncthreads();
#endif
        for (int j = 0; j < work_y; j++)
            for (int i = 0; i < work_x; i++) {
                const int x = x0 + X(i), y = y0 + Y(j);
                above[j][i] = z + 1 < n ? READ(AT(x, y, z + 1)) : 0.0f;
#if staged
                const float sides = plane[Y(j) + 1][X(i)] + plane[Y(j) + 1][X(i) + 2] +
                                    plane[Y(j)][X(i) + 1] + plane[Y(j) + 2][X(i) + 1];
#else
                const float sides = (x > 0 ? READ(AT(x - 1, y, z)) : 0.0f) +
                                    (x + 1 < n ? READ(AT(x + 1, y, z)) : 0.0f) +
                                    (y > 0 ? READ(AT(x, y - 1, z)) : 0.0f) +
                                    (y + 1 < n ? READ(AT(x, y + 1, z)) : 0.0f);
#endif
                out[AT(x, y, z)] = centre * here[j][i] + side * (sides + below[j][i] + above[j][i]);
                below[j][i] = here[j][i];
                here[j][i] = above[j][i];
            }
    }
}
