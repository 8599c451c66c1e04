/* virtual_gpu.h: the one GPU that the program sees, and the devices behind it.
 *
 * Every device has one stream, which gets all work in the program's order: a legal order for
 * whatever streams the program has. What a device needs of another one is ordered by events
 * (order.c). All handles that the program gets are those of device 0, so that calls that are not
 * interposed work there.
 *
 * What calls the driver returns a CUresult, what works something out a status (result.h). All run
 * under one lock, which virtual_gpu_enter() takes: a program may make calls from several threads.
 */
#ifndef VIRTUAL_GPU_H
#define VIRTUAL_GPU_H

#include <datamotion/partition_interpose.h>

#include "real_driver.h"
#include "result.h"

struct virtual_device {
    CUdevice device;
    CUcontext context;
    bool shared; /* it is that of a device before: the same GPU is used as several */
    CUstream stream;
    CUevent ready;          /* all that the stream had to do when it was last recorded */
    bool worked;            /* the stream got work since `ready` was recorded */
    uint64_t batches;       /* of copies that it was given so far */
    uint64_t ready_batches; /* ... when `ready` was recorded */
    uint64_t waited[PARTITION_MAX_DEVICES]; /* batches of each device that it has waited for */
    CUmodule pull_module;
    CUfunction pull;    /* copies from other devices; NULL: copy engines make all */
    CUfunction combine; /* what other devices' atomic operations made; NULL: cannot be */
};

/* Memory of the host that the devices may still be using: a range that holds all that is read, one
 * that holds all that is written, and the device that does it (ALL_DEVICES: several). */
struct host_range {
    uintptr_t begin, end;
};
struct host_use {
    struct host_range read, written;
    int device;
};

struct virtual_gpu {
    CUcontext handle; /* device 0's */
    bool primary;     /* made of primary contexts, */
    int retained;     /* ... retained that often by the program */
    int devices;
    int current; /* device whose context is current in the calling thread */
    struct virtual_device device[PARTITION_MAX_DEVICES];
    bool peer[PARTITION_MAX_DEVICES][PARTITION_MAX_DEVICES];
    struct partition_settings settings;
    struct buffer **buffers; /* sorted by address */
    size_t buffer_count, buffer_capacity;
    struct module *modules;
    struct launch_table *launches;
    uint64_t serial; /* of the last binding that got one */
    CUevent *events; /* those that the program recorded here */
    size_t event_count, event_capacity;
    struct host_use host_use; /* since all devices were waited for */
    uint64_t host_uses;       /* how often something was noted there */
    int captures;             /* streams of the program that are captured into graphs */
};

/* How the contexts of the devices are made. */
struct context_request {
    enum { CONTEXT_V2, CONTEXT_V4, CONTEXT_PRIMARY } kind;
    CUctxCreateParams *parameters;
    unsigned flags;
};

/* Makes the virtual GPU; its handle is then current, unless it is made of
 * primary contexts. One at a time: CUDA_ERROR_NOT_SUPPORTED if there is one. */
CUresult virtual_gpu_create(const struct context_request *request, CUcontext *handle);
/* Frees all that belongs to it, and the contexts. Between enter and leave. */
CUresult virtual_gpu_destroy(struct virtual_gpu *gpu);

/* Locks the virtual GPU and gives it, if it is the calling thread's current
 * context; NULL (and nothing is locked) if the call is to go to CUDA as it is.
 */
struct virtual_gpu *virtual_gpu_enter(void);
/* Like it, for a call that names a context rather than uses the current one. */
struct virtual_gpu *virtual_gpu_enter_context(CUcontext handle);
/* ... the virtual GPU of primary contexts. */
struct virtual_gpu *virtual_gpu_enter_primary(void);
/* ... the virtual GPU whatever context is current, for calls that need none. To be left by
 * virtual_gpu_leave_any(), which makes that context current again. */
struct virtual_gpu *virtual_gpu_enter_any(void);
CUresult virtual_gpu_leave_any(struct virtual_gpu *gpu, CUresult result);
/* As virtual_gpu_enter(), for a call that puts work into a stream; NULL, too, if that stream is
 * being captured: the work is to become part of a graph, which runs on device 0. */
struct virtual_gpu *virtual_gpu_enter_stream(CUstream stream);
bool virtual_gpu_is_captured(const struct virtual_gpu *gpu, CUstream stream);
/* Lets the host wait for what all devices have been given so far, and for `more` (or NULL) with
 * that stream. Other threads make calls in the meantime, which the host's functions in a stream may
 * be waiting for: nothing of the virtual GPU that was read before holds any longer, so that nothing
 * but virtual_gpu_leave() may follow. */
CUresult virtual_gpu_wait(struct virtual_gpu *gpu, CUresult (*more)(CUstream), CUstream stream);
/* Makes device 0 current again, unlocks, and returns `result`. */
CUresult virtual_gpu_leave(struct virtual_gpu *gpu, CUresult result);

/* Whether the program is to see one device: settings do not say `off`. */
bool virtual_gpu_is_on(void);

#endif
