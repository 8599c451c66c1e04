/* cuda_profiler_api.h: the profiler marks are declared with the rest of the API. */
#include "cuda_runtime_api.h"
