/* cu_addresses.h: the driver's functions for CUDA's run time. */
#ifndef INTERPOSE_CU_ADDRESSES_H
#define INTERPOSE_CU_ADDRESSES_H

#include "partition/interpose/gpu/real_driver.h"

/* cuGetProcAddress_v2 for who looks it up by dlsym(), as CUDA's run time does: all GPUs are seen,
 * of which the first is the virtual GPU. The run time compares the GPUs that it finds with those
 * that the driver knows, and does not work where one is missing. */
CUresult CUDAAPI runtime_get_address(const char *symbol, void **function, int version,
                                     cuuint64_t flags, CUdriverProcAddressQueryResult *status);

#endif
