/* driver_error.c: names and sentences of the driver's error codes, and what they are for the errors
 * of the runtime half. */
#include "soft_driver.h"

#define SOFT_CASE_NAME(code, number, sentence)                                                     \
    case code:                                                                                     \
        return #code;
#define SOFT_CASE_SENTENCE(code, number, sentence)                                                 \
    case code:                                                                                     \
        return sentence;
#define SOFT_CASE_CODE(code, number, sentence)                                                     \
    case code:                                                                                     \
        return code;

static const char *name_of(CUresult error)
{
    switch (error) {
        SOFT_DRIVER_ERROR_LIST(SOFT_CASE_NAME)
    }
    return NULL;
}

static const char *sentence_of(CUresult error)
{
    switch (error) {
        SOFT_DRIVER_ERROR_LIST(SOFT_CASE_SENTENCE)
    }
    return NULL;
}

static CUresult give(const char *text, const char **out)
{
    if (out)
        *out = text;
    return out && text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    return give(name_of(error), name);
}

CUresult cuGetErrorString(CUresult error, const char **sentence)
{
    return give(sentence_of(error), sentence);
}

/* Most errors have one number in both APIs; the others are the runtime's words for wrong values. */
CUresult driver_result(cudaError_t error)
{
    if (error == cudaErrorInvalidDeviceFunction)
        return CUDA_ERROR_INVALID_HANDLE;
    switch ((int)error) {
        SOFT_DRIVER_ERROR_LIST(SOFT_CASE_CODE)
    }
    return CUDA_ERROR_INVALID_VALUE;
}
