/* Seven-point stencil on an nx x ny x nz grid; the border keeps its values. */

extern "C" __global__ void stencil3d(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
        int id = (z * ny + y) * nx + x;
        float sum = in[id - 1] + in[id + 1];
        sum += in[id - nx] + in[id + nx];
        sum += in[id - nx * ny] + in[id + nx * ny];
        out[id] = 0.4f * in[id] + 0.1f * sum;
    }
}
