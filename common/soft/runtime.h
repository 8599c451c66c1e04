/* runtime.h: the insides of the runtime half of the software GPU.
 *
 *   stream.c event.c copy.c launch.c ...   the API: check arguments, make operations
 *            |
 *   schedule.c     streams: FIFO queues of operations, one worker thread each
 *   timeline.c     how far streams are, who has an engine
 *   allocations.c  which allocation does an address belong to?
 *   managed.c      where does each unit of managed memory reside?
 */
#ifndef SOFT_RUNTIME_H
#define SOFT_RUNTIME_H

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/execution.h"

enum {
    MAX_DEVICES = 16,
    PAGE_BYTES = 4096,
    SHARED_BYTES_PER_BLOCK = 48 * 1024,
    SHARED_BYTES_OPT_IN = 99 * 1024,
    THREADS_PER_BLOCK = 1024,
    PRIORITY_HIGHEST = -5
};

/* ---- schedule.c, timeline.c ---- */

/* A timeline counts the finished operations of a stream. A point is a value on it; it is reached
 * when the count is at least that value. Events, dependencies between streams and waits are all
 * points. */
struct timeline {
    unsigned references;
    uint64_t submitted, completed;
    pthread_cond_t progress;
};

struct point {
    struct timeline *timeline;
    uint64_t value;
};

/* A part of a device that does one thing at a time; waiters get it by priority, then arrival. */
struct engine {
    bool busy;
    struct engine_waiter *first;
};

struct device;

/* One element of a stream's queue. */
struct operation {
    struct operation *next;
    struct engine *engine; /* held while running; NULL: none needed */
    /* Called once, in stream order. `status` is the device's sticky error; unless it is cudaSuccess
     * nothing may be computed, but whoever waits must be told. */
    void (*run)(struct operation *operation, cudaError_t status);
    void (*destroy)(struct operation *operation); /* frees it, whether it was run or not */
    uint64_t value;                               /* its place on the stream's timeline */
    unsigned point_count;
    struct point *points; /* must be reached first; each holds a reference */
};

struct CUstream_st {
    struct CUstream_st *next; /* in the device's list, or in the list of unused handles */
    struct device *device;
    const void *owner; /* of soft_owner, when it was made */
    bool live;         /* false: destroyed, though work may be left */
    bool is_default, nonblocking, worker_started, worker_finished;
    unsigned flags;
    int priority;
    struct timeline *timeline;
    struct operation *first, *last;
    struct capture *capture; /* that it is part of (graph.h), or NULL */
    pthread_cond_t wake;
    pthread_t worker;
};
typedef struct CUstream_st stream_t;

extern pthread_mutex_t schedule_lock; /* guards all streams, timelines, engines and events */

cudaError_t stream_make(struct device *device, unsigned flags, int priority, bool is_default,
                        stream_t **made);
void stream_retire(stream_t *stream);
void streams_discard(struct device *device, const void *owner); /* NULL: everybody's */
void schedule_shut_down(void);

/* Appends; the stream owns the operation, also when an error is returned. `wait_for` (or NULL) is a
 * point that must be reached first. */
cudaError_t schedule_submit(stream_t *stream, struct operation *operation,
                            const struct point *wait_for);
/* As schedule_submit, and *point becomes the operation's point, for point_wait. */
cudaError_t schedule_submit_point(stream_t *stream, struct operation *operation,
                                  struct point *point);
/* If nothing is left to wait for, takes the next place in the stream and the engine for the calling
 * thread, which runs the operation itself and calls schedule_inline_end. */
bool schedule_inline_begin(stream_t *stream, struct operation *operation);
void schedule_inline_end(stream_t *stream, struct operation *operation);

struct point point_last(const stream_t *stream); /* takes a reference; schedule_lock is held */
bool point_reached(const struct point *point);   /* schedule_lock is held */
void point_drop(struct point *point);            /* schedule_lock is held */
void point_wait(struct point *point);            /* waits, then drops it */
void stream_wait(stream_t *stream);
void device_wait(struct device *device); /* all streams of the device */

/* ---- device.c ---- */
struct device {
    int index;
    size_t memory_bytes;
    _Atomic int sticky;        /* cudaError_t that every call returns until a reset */
    _Atomic int reported_once; /* cudaError_t of an operation, for the next call that waits */
    _Atomic long operations;   /* API calls, for SOFTGPU_FAIL_AFTER */
    _Atomic unsigned peers;    /* bit per device that this one may access */
    struct engine compute, to_device, to_host;
    stream_t *default_stream;
    stream_t *streams; /* all, the default stream last */
};

extern struct device soft_devices[MAX_DEVICES];

/* The environment, read once. */
struct settings {
    int devices;
    int multiprocessors;
    long fail_after; /* -1: never */
    bool mlock_required;
    size_t memory_bytes; /* per device */
};
extern struct settings soft_settings;
bool settings_read(struct settings *settings); /* false: a sentence was printed */

cudaError_t runtime_start(void); /* reads the environment; the error is the same on every call */
struct device *device_current(void);
struct device *device_numbered(int index); /* NULL: there is none */

/* Every API call that needs a device starts with api_begin (its current device and its sticky
 * error) and all end with api_end, which keeps the error for cudaGetLastError. */
cudaError_t api_begin(struct device **device);
cudaError_t api_end(cudaError_t error);
cudaError_t device_status(struct device *device); /* what a waiting call returns */
void device_break(struct device *device, cudaError_t error);
void device_mend(struct device *device); /* clears its errors; one that was lost stays lost */
/* Waits for the device, ends the owner's streams and frees the owner's device memory; NULL:
 * everybody's. */
void device_give_back(struct device *device, const void *owner);
cudaError_t stream_check(cudaStream_t handle, struct device *current, stream_t **stream);

/* True on a thread that runs a host function of a stream, where API calls are forbidden. */
extern _Thread_local bool soft_in_host_function;

/* The context of the driver API for which the calling thread makes streams and device memory, so
 * that they can end with it; NULL: the device's primary context, which is also the runtime's. */
extern _Thread_local const void *soft_owner;

/* ---- allocations.c: an ordered table of all allocations ---- */
enum allocation_kind {
    DEVICE_MEMORY,
    IPC_MEMORY,
    MODULE_MEMORY, /* a variable of a kernel module; its owner is the module */
    PINNED_MEMORY,
    REGISTERED_MEMORY,
    MANAGED_MEMORY
};

struct allocation {
    uintptr_t base;
    size_t bytes;        /* as asked for */
    size_t mapped_bytes; /* whole pages, without the guard page */
    enum allocation_kind kind;
    int device;
    const void *owner; /* of soft_owner, when it was made */
    unsigned flags;
    int shared_file; /* device memory that another process can map: its memfd; else -1 */
    struct managed_region *managed;
};

cudaError_t allocation_insert(const struct allocation *allocation);
bool allocation_find(const void *address, struct allocation *found);
bool allocation_overlaps(const void *address, size_t bytes);
/* Takes out the one that starts at `address` and is of one of the kinds (a bit mask). */
bool allocation_take(const void *address, unsigned kinds, struct allocation *taken);
void allocation_set_shared_file(const void *base, int file);
/* Any allocation of the device (and of the owner; NULL: everybody's). */
bool allocation_of_device(int device, unsigned kinds, const void *owner, struct allocation *found);

/* ---- device_memory.c ---- */
void device_memory_release(const struct allocation *allocation);
void *soft_map_pages(size_t bytes); /* zeroed pages followed by a guard page, or NULL */

static inline size_t whole_pages(size_t bytes)
{
    return (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
}

/* ---- staging.c: two page-locked slots through which pageable memory is copied ---- */
enum { STAGING_SLOTS = 2, STAGING_BYTES = 256 * 1024 };

struct staging {
    struct staging *next_unused;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    unsigned references;
    size_t filled, drained; /* slots since the start of this copy */
    bool abandoned;         /* the copy will not be executed */
    char *slots[STAGING_SLOTS];
};

struct staging *staging_take(unsigned references); /* NULL: out of memory */
void staging_drop(struct staging *staging);
/* The producer waits for a free slot, writes it and calls staging_filled; the consumer waits for a
 * full one, reads it and calls staging_drained. NULL: abandoned. */
char *staging_wait_free(struct staging *staging);
void staging_filled(struct staging *staging);
char *staging_wait_full(struct staging *staging);
void staging_drained(struct staging *staging);
void staging_abandon(struct staging *staging);

/* ---- managed.c ---- */
struct managed_region *managed_make(void *base, size_t bytes);
void managed_destroy(struct managed_region *region);
void managed_kernel_begin(struct device *device);
void managed_kernel_end(struct device *device);
void managed_show_host(void); /* after the host has waited: its own pages are touchable again */
/* Between these two calls the calling thread may access the range from the host. */
void managed_open(struct managed_region *region, const void *start, size_t bytes, bool write);
void managed_close(struct managed_region *region, const void *start, size_t bytes);
/* Moves the whole range; device -1 is the host. */
void managed_prefetch(struct managed_region *region, const void *start, size_t bytes, int device);
/* Forgets what the units hold that lie within the range as a whole; they are nowhere until somebody
 * touches them, and then zero. */
void managed_discard(struct managed_region *region, const void *start, size_t bytes);
void managed_advise(struct managed_region *region, const void *start, size_t bytes,
                    enum cudaMemoryAdvise advice, int device);
struct managed_hints {
    bool read_mostly;
    int preferred, last_prefetch; /* device, cudaCpuDeviceId or cudaInvalidDeviceId */
    uint32_t accessed_by;         /* bit per device; bit MAX_DEVICES: the host */
};
/* False if the range's pages do not all agree; then *hints has the neutral value where they differ.
 */
void managed_hints(struct managed_region *region, const void *start, size_t bytes,
                   struct managed_hints *hints);

/* Memory in use on a device, by cudaMalloc and by resident managed memory. */
bool device_memory_reserve(struct device *device, size_t bytes);
void device_memory_unreserve(struct device *device, size_t bytes);
size_t device_memory_free(struct device *device);

size_t dynamic_shared_limit(void); /* launch.c */

/* copy.c: fills `height` rows, `pitch` bytes apart, each with `width` bytes of copies of `value`,
 * whose `value_bytes` (1, 2 or 4) divide the address, the pitch and the width. */
cudaError_t soft_fill(void *pointer, size_t pitch, unsigned value, unsigned value_bytes,
                      size_t width, size_t height, cudaStream_t stream, bool wait);

#endif
