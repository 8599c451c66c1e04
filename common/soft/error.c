/* error.c: names and sentences of the error codes. */
#include <cuda_runtime_api.h>

#define SOFT_CASE_NAME(name, number, sentence)                                                     \
    case name:                                                                                     \
        return #name;
#define SOFT_CASE_SENTENCE(name, number, sentence)                                                 \
    case name:                                                                                     \
        return sentence;

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
        SOFT_ERROR_LIST(SOFT_CASE_NAME)
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
        SOFT_ERROR_LIST(SOFT_CASE_SENTENCE)
    }
    return "unrecognized error code";
}
