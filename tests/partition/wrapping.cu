/* Kernels whose numbers wrap, are cut off or change their sign, in guards, indices and loops:
 * whatever is accepted of them must be right, from source and from PTX, or not be split. */
#define X            ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define T            (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name) extern "C" __global__ void name(const float *in, float *out, int N)

KERNEL(wraps_guard_product)
{
    if (blockIdx.x * blockDim.x * 1048576 < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_product_u)
{
    if (blockIdx.x * blockDim.x * 1048576u < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_sum)
{
    if (T * 1048576 + 0x7fffffff > N)
        out[X] = in[X];
}

KERNEL(wraps_guard_shift)
{
    if (T << 20 < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_scalar)
{
    if (T * N < 2000000)
        out[X] = in[X];
}

KERNEL(wraps_guard_scalar_cast)
{
    if ((int)(N * 1048576u) < T)
        out[X] = in[X];
}

KERNEL(wraps_guard_difference)
{
    if (N - T < 2000000)
        out[X] = in[X];
}

KERNEL(wraps_loop_product)
{
    float s = 0;
    for (int i = 0; i < blockIdx.x * 1048576 * 1024; i += 1 << 28)
        s += in[(i >> 28) + 3];
    out[X] = s;
}

KERNEL(wraps_index_product)
{
    out[X] = in[T * (1 << 28)];
}

KERNEL(wraps_index_sum)
{
    out[X] = in[T * (1 << 20) + N - (T * (1 << 20))];
}

KERNEL(wraps_index_shift)
{
    out[X] = in[(T << 30) >> 28];
}

KERNEL(wraps_guard_division)
{
    if (T * 1048576 / 1024 < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_modulo)
{
    if (T * 1048576 % 1024 < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_long)
{
    if ((long)(T * 1048576) < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_ulong)
{
    if ((unsigned long)(T * 1048576) < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_cast)
{
    int a = T * 1048576;
    if (a < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_equal)
{
    if (T * 1048576 == 0)
        out[X] = in[X];
}

KERNEL(wraps_guard_equal_shift)
{
    if (T << 20 == 0)
        out[X] = in[X];
}

KERNEL(wraps_guard_short)
{
    short a = T * 256;
    if (a < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_char)
{
    unsigned char a = T;
    if (a < N)
        out[X] = in[X];
}

KERNEL(wraps_index_short)
{
    unsigned short a = T * 16;
    out[X] = in[a];
}

KERNEL(wraps_guard_and)
{
    if ((T & 1023) < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_sub_n)
{
    if (T < N - 1000000u)
        out[X] = in[X];
}

KERNEL(wraps_guard_minus)
{
    if (-T < N)
        out[X] = in[X];
}

KERNEL(wraps_guard_times_block)
{
    if (T * blockDim.x * 1024 < N)
        out[X] = in[X];
}

KERNEL(wraps_loop_step)
{
    float s = 0;
    for (unsigned i = T; i < N; i += 1u << 30)
        s += in[i];
    out[X] = s;
}

KERNEL(wraps_loop_down)
{
    float s = 0;
    for (unsigned i = N; i > 4294967290u || i < 100; i--) {
        s += in[i & 15];
    }
    out[X] = s;
}

KERNEL(wraps_guard_xor)
{
    if (~T < N)
        out[X] = in[X];
}

KERNEL(wraps_min)
{
    unsigned a = min(T * 1048576u, 3000000000u);
    if (a < N)
        out[X] = in[X];
}

KERNEL(wraps_max)
{
    int a = max((int)(T * 1048576u), -5);
    if (a < N)
        out[X] = in[X];
}

KERNEL(wraps_div)
{
    out[X] = in[(T * 1048576u) / 268435456u];
}

KERNEL(wraps_sdiv)
{
    out[X] = in[((int)(T * 1048576u) / 268435456) & 31];
}

KERNEL(wraps_mod)
{
    out[X] = in[(T * 1048579u) % 13u];
}

KERNEL(wraps_wide)
{
    out[X] = in[((unsigned long)T * 1048576u) >> 20];
}

KERNEL(wraps_narrow)
{
    out[X] = in[(unsigned char)T];
}

KERNEL(wraps_schar)
{
    out[X] = in[(signed char)T + 128];
}

KERNEL(wraps_and)
{
    out[X] = in[(T * 16777217u) & 31];
}

KERNEL(wraps_or)
{
    out[X] = in[(T << 1 | 1) & 63];
}

KERNEL(wraps_shr)
{
    out[X] = in[(T * 16777216u) >> 27];
}

KERNEL(wraps_sel)
{
    int i = T * 1048576 < N ? X : 3;
    out[X] = in[i];
}

KERNEL(wraps_loop_u)
{
    float s = 0;
    for (unsigned k = T * 1048576u; k < 2000000000u; k += 500000000u)
        s += in[k >> 27];
    out[X] = s;
}

KERNEL(wraps_loop_ne)
{
    float s = 0;
    for (unsigned k = T & 7; k != 8; k++)
        s += in[k];
    out[X] = s;
}

KERNEL(wraps_neg)
{
    if (X - 5 > N)
        out[X] = in[X];
}

KERNEL(wraps_negu)
{
    if (T - 5 > N)
        out[X] = in[X];
}

KERNEL(wraps_diff)
{
    unsigned d = T - 7;
    if (d < 10)
        out[X] = in[X];
}

KERNEL(wraps_two)
{
    if (X >= 3 && X < N - 2)
        out[X] = in[X + 1] + in[X - 2];
}

KERNEL(wraps_mulhi)
{
    out[X] = in[(unsigned)(((unsigned long)T * (1u << 28)) >> 32) & 31];
}

KERNEL(wraps_umul)
{
    out[X] = in[(T / 3)];
}

KERNEL(wraps_smul)
{
    out[X] = in[X / 5 + X % 7];
}

KERNEL(wraps_grid)
{
    out[X] = in[blockIdx.x * 3 + (gridDim.x - blockIdx.x)];
}

KERNEL(wraps_back)
{
    out[blockDim.x * gridDim.x - 1 - T] = in[X];
}

KERNEL(wraps_long)
{
    long i = T;
    i = i * 3 - 2 * i;
    out[i] = in[i];
}

KERNEL(wraps_cond)
{
    unsigned i = T;
    if (i > 5)
        i -= 5;
    out[X] = in[i];
}

KERNEL(wraps_while)
{
    int i = X;
    while (i > 10)
        i -= 10;
    out[X] = in[i];
}

KERNEL(wraps_write2)
{
    out[2 * X] = in[X];
    if (X < N)
        out[2 * X + 1] = in[X];
}

KERNEL(wraps_overflow_add)
{
    int i = X + 2147483000;
    if (i < 0)
        out[X] = in[X];
}

KERNEL(wraps_overflow_u)
{
    unsigned i = T + 4294966000u;
    if (i < 2000)
        out[X] = in[X];
}

KERNEL(wraps_sh_amount)
{
    out[X] = in[1 << (T & 3)];
}

KERNEL(wraps_clamp)
{
    int i = min(max(X - 2, 0), N - 1);
    out[X] = in[i];
}

KERNEL(wraps_cut_off)
{
    long scaled = (long)(int)((long)T * 1048576);
    if ((unsigned long)scaled / 8 < N)
        out[X] = in[X];
}

KERNEL(wraps_widened)
{
    long scaled = (long)(int)(T * 1048576u);
    if ((unsigned long)scaled / 8 < N)
        out[X] = in[X];
}
