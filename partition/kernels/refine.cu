/* Mesh refinement: each launch works on a window of the mesh only. What it does not write keeps
 * the value of an earlier launch, maybe one with another window. */

/* 0 < begin and end < length of the mesh: the neighbours of the window are read too. */
extern "C" __global__ void refine(const float *in, float *out, int begin, int end)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= begin && id < end)
        out[id] = 0.25f * in[id - 1] + 0.5f * in[id] + 0.25f * in[id + 1];
}
