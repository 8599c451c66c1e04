/* server.h: what tuner-kernel, which measures kernels, does with lines from the tuner.
 *
 * It is a process of its own, because a kernel that crashes takes its process's GPU context with
 * it, and one that hangs can only be killed. Lines on stdin, words between single blanks, a path as
 * the rest of its line; references lie in the working folder, so that they outlive a crash:
 *
 *     settings RUNS SEED TOLERANCE FLUSH ENERGY
 *     array ELEMENT COUNT DIRECTION CONTENTS [PATH]     of an array argument, in order
 *     against PATH                                      the reference of the array before
 *     scalar ELEMENT
 *     begin                                             reply: ready ARCHITECTURE DEVICE
 *     run IMAGE NAME GX GY GZ BX BY BZ SHARED VALUE...  VALUE: of each scalar; reply:
 *         ok TIME_S SPREAD_S ENERGY_J                   (0: unknown)
 *         invalid SENTENCE                              no launch of that shape
 *         failed SENTENCE                               cannot be loaded
 *         wrong SENTENCE                                wrong results
 *         crash SENTENCE                                the server ends
 *
 * Any line may be replied to by `error SENTENCE`; then the server ends. */
#ifndef TUNER_CUDA_SERVER_H
#define TUNER_CUDA_SERVER_H

#include <cuda.h>

#include "contents.h"

enum { SERVER_ARGUMENTS_MAX = 32, SERVER_LINE_BYTES = 1 << 14 };

struct server_argument {
    const struct element *element;
    bool scalar;
    uint64_t value; /* of a scalar */
    /* Of an array. */
    size_t count;
    bool checked; /* the kernel writes it */
    enum contents contents;
    char *path, *against;
    CUdeviceptr device, original; /* as launches change it, and as it was */
    void *reference;              /* NULL: not known yet */
    double scale;                 /* of the reference */
};

struct server {
    int runs;
    uint64_t seed;
    double tolerance;
    bool flush, energy;
    struct server_argument arguments[SERVER_ARGUMENTS_MAX];
    size_t argument_count;
    CUdevice device;
    CUstream stream;
    CUevent *events; /* 2 x runs */
    double *times;
    CUdeviceptr flushed; /* twice the L2 cache */
    size_t flushed_bytes;
    void *results; /* host memory for the largest array */
};

struct launch {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void *parameters[SERVER_ARGUMENTS_MAX];
};

/* A failed call's "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY"; DM_OK for CUDA_SUCCESS. */
enum dm_status server_status(CUresult result, const char *call);
#define TRY_DRIVER(expression) TRY(server_status((expression), #expression))

/* Device, arrays, references (server_data.c). */
enum dm_status server_begin(struct server *server);
enum dm_status server_restore(struct server *server);

/* Compares what the last launch wrote with the references, or makes these of it. A sentence into
 * `why` for wrong results, else it is empty. */
enum dm_status server_check(struct server *server, char *why, size_t size);

/* Measures one configuration; the reply is printed (server_run.c). */
enum dm_status server_run(struct server *server, const char *image, const char *name,
                          struct launch *launch);

#endif
