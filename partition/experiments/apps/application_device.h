/* application_device.h: what every test program does on CUDA's driver API: context, module,
 * buffers, launches. After the first error nothing more is called; application_end() frees. */
#ifndef APPLICATION_DEVICE_H
#define APPLICATION_DEVICE_H

#include <cuda.h>
#include <stdbool.h>

#include "application.h"

enum {
    APPLICATION_OBJECTS = 16,
    APPLICATION_WIDEST = 46340 /* width of the largest matrix that 32-bit indices reach */
};

struct application_run {
    CUcontext context;
    CUdevice device;
    bool own; /* cuCtxCreate's, else the device's primary context */
    CUmodule module;
    CUdeviceptr buffers[APPLICATION_OBJECTS];
    void *host[APPLICATION_OBJECTS]; /* page-locked arrays */
    size_t buffer_count, host_count;
    double mark; /* time of the last application_lap() */
    int error;   /* a CUresult; 0: none so far */
};

/* Calls, unless there was an error; prints the call and the cause if this one fails. */
#define attempt(run, call)                                                                         \
    do {                                                                                           \
        if (!(run)->error)                                                                         \
            application_note((run), (call), #call);                                                \
    } while (0)
void application_note(struct application_run *run, CUresult result, const char *call);

/* Ends the run with CUDA_ERROR_INVALID_VALUE and the sentence, unless `right`. */
void application_require(struct application_run *run, bool right, const char *sentence);

/* Device 0's primary context, or with _own one made for this run, and the module of that name. */
void application_begin(struct application_run *run, const struct application_input *input,
                       const char *module);
void application_begin_own(struct application_run *run, const struct application_input *input,
                           const char *module);

/* Retains a device's primary context and makes it current; cuDevicePrimaryCtxRelease gives it back.
 */
CUresult application_context(CUcontext *context, CUdevice device);
/* Loads the module of that name from the input's directory into the current context. */
void application_module(struct application_run *run, const struct application_input *input,
                        const char *name, CUmodule *module);

CUdeviceptr application_buffer(struct application_run *run, size_t bytes);
/* Page-locked host memory; NULL after an error. */
void *application_host(struct application_run *run, size_t bytes);
CUfunction application_function(struct application_run *run, const char *name);

/* The input's block or, where it names none, the default. Where the default is one thread, so must
 * the input's be: the kernels do not use that dimension. */
void application_block(struct application_run *run, const struct application_input *input,
                       unsigned x, unsigned y, unsigned z, unsigned block[3]);
/* At least so many threads in each dimension. */
void application_launch(struct application_run *run, CUfunction function, size_t x, size_t y,
                        size_t z, const unsigned block[3], CUstream stream, void **parameters);

/* Seconds since the last call. */
double application_lap(struct application_run *run);

/* Frees everything but `kept`, one of the host arrays, which becomes the result unless there was an
 * error. Returns the error. */
int application_end(struct application_run *run, void *kept, size_t kept_bytes, void **result,
                    size_t *result_bytes);

/* Uniform random numbers in [low, high); does nothing for NULL. */
void application_fill(float *values, size_t count, uint64_t seed, float low, float high);

/* Memory for a reference's result, filled from application_fill; ends the program if there is none.
 */
float *application_filled(size_t count, uint64_t seed, float low, float high);

#endif
