/* listings.c: the two listings of the thesis (Cui, fig. 3.2 and 4.2) with their directives as they
 * are printed there. The first one's sections end one element early; pipelinecc says so and goes by
 * the index. */
#include "values.h"

#define Index3D(_nx, _ny, _i, _j, _k) ((_i) + (_nx) * ((_j) + (_ny) * (_k)))
#define DATA_TYPE                     float

enum { _PB_NI = 130, _PB_NJ = 130 };

static void stencil(float c0, float c1, float *A0, float *Anext, const int nx, const int ny,
                    const int nz)
{
    int i, j, k;
#pragma omp target \
  map(pipeline(k,1,3),to:A0[k-1:3][0:ny-1][0:nx-1])\
  map(pipeline(k,1,3),from:Anext[k:1][0:ny-1][0:nx-1])\
  iterator(k = 1:nz-1)
for(k=1;k<nz-1;k++) {
#pragma omp target teams distribute parallel for
  for(i=1;i<nx-1;i++) {
    for(j=1;j<ny-1;j++) {
      Anext[Index3D (nx, ny, i, j, k)] =
        (A0[Index3D (nx, ny, i, j, k + 1)] +
         A0[Index3D (nx, ny, i, j, k - 1)] +
         A0[Index3D (nx, ny, i, j + 1, k)] +
         A0[Index3D (nx, ny, i, j - 1, k)] +
         A0[Index3D (nx, ny, i + 1, j, k)] +
         A0[Index3D (nx, ny, i - 1, j, k)])*c1
        - A0[Index3D (nx, ny, i, j, k)]*c0;
    } }
}
}

static void convolution(DATA_TYPE A[_PB_NI][_PB_NJ], DATA_TYPE B[_PB_NI][_PB_NJ])
{
    int i, j;
#pragma omp target teams distribute \
  map(pipeline(i,to,4):A[i-1:3][0:_PB_NI-1]) \
  map(pipeline(i,from,4):B[i:1][0:_PB_NJ-1]) \
  iterator(i = 1:_PB_NI-1)
for (i = 1; i < _PB_NI - 1; ++i){
  #pragma omp parallel for
  for (j = 1; j < _PB_NJ - 1; ++j)
  {
     B[i][j] = 0.2 * A[i-1][j-1] + 0.5 * A[i-1][j]
             + -0.8 * A[i-1][j+1] + -0.3 * A[ i ][j-1]
             + 0.6 * A[ i ][j]      + -0.9 * A[ i ][j+1]
             + 0.4 * A[i+1][j-1] + 0.7 * A[i+1][j]
             + 0.1 * A[i+1][j+1];
  }
}
}

int main(void)
{
    const int nx = 30, ny = 20, nz = 25;
    float *from = values_make((size_t)(nx * ny * nz), 0, 0);
    float *to = values_make((size_t)(nx * ny * nz), 1, 0);
    DATA_TYPE(*A)[_PB_NJ] = values_make(_PB_NI * _PB_NJ, 2, 0);
    DATA_TYPE(*B)[_PB_NJ] = values_make(_PB_NI * _PB_NJ, 3, 0);
    stencil(1.0f / 6.0f, 1.0f / 6.0f, from, to, nx, ny, nz);
    convolution(A, B);
    values_print("fig. 3.2", to, (size_t)(nx * ny * nz));
    values_print("fig. 4.2", B, _PB_NI * _PB_NJ);
    free(from);
    free(to);
    free(A);
    free(B);
    return 0;
}
