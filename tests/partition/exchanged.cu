// Values that the threads of a block exchange: two of them are two values, of which nothing is
// known.

extern "C" __global__ void neighbours(const int *in, int *out, int n)
{
    __shared__ int tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n && tile[threadIdx.x ^ 1] == tile[threadIdx.x ^ 2])
        out[i] = 1;
}

extern "C" __global__ void changes(const int *in, int *out, int n)
{
    __shared__ int tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, before = 0;
    for (int k = 0; k < n; k++) {
        tile[threadIdx.x] = in[k];
        __syncthreads();
        if (tile[0] != before)
            out[i] = k;
        before = tile[0];
        __syncthreads();
    }
}
