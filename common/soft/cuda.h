/* cuda.h: stands in for CUDA's driver API header, of which programs here need the version alone. */
#ifndef SOFT_CUDA_H
#define SOFT_CUDA_H

#define CUDA_VERSION 13000

#endif
