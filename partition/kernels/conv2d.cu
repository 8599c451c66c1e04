/* Convolution of an image with 5 x 5 coefficients; a border of two elements is not written. */

extern "C" __global__ void conv2d(const float *image, const float *coefficients, float *out,
                                  int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
        return;
    float sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            sum += image[(y + i - 2) * width + x + j - 2] * coefficients[i * 5 + j];
    out[y * width + x] = sum;
}

/* The coefficients of conv2d_constant: the program writes them by their name. */
__constant__ float conv2d_coefficients[25];

extern "C" __global__ void conv2d_constant(const float *image, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
        return;
    float sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            sum += image[(y + i - 2) * width + x + j - 2] * conv2d_coefficients[i * 5 + j];
    out[y * width + x] = sum;
}
