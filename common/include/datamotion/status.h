/* status.h: how the functions of all datamotion libraries report errors.
 *
 * A function that can fail returns a status and leaves a sentence, which dm_message() returns: what
 * failed, with which values, and what is needed. Results come back through pointers. Nothing in a
 * library prints, exits, aborts or leaves the MPI job; whoever calls decides:
 *
 *     if (pinning_cache_create(&cache, NULL) != DM_OK) {
 *         fprintf(stderr, "%s\n", dm_message());
 *         return 1;
 *     }
 *
 * After a failure the objects involved are as they were before, unless a function says otherwise.
 * Functions that close, release or free return nothing and take NULL. Functions that the caller
 * passes to enqueue kernels return CUDA's error, as CUDA's own do. */
#ifndef DATAMOTION_STATUS_H
#define DATAMOTION_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* What a library exports. */
#define DM_API __attribute__((visibility("default")))

enum dm_status {
    DM_OK = 0,
    DM_INVALID,     /* an argument or an input makes no sense, or comes at the wrong time */
    DM_NO_MEMORY,   /* host, page-locked or device memory ran out, or a limit on it was reached */
    DM_UNAVAILABLE, /* this machine, driver or build lacks what is needed */
    DM_TIMEOUT,     /* a wait reached its time limit */
    DM_LOST,        /* a device or another process ended */
    DM_FAILED       /* a call of the system, CUDA, MPI or another library failed */
};

/* The sentence of this thread's last failure, without a stop at its end; "" if there was none.
 * Valid until the next failure in this thread. */
DM_API const char *dm_message(void);

/* "ok", "invalid", "no memory", "unavailable", "timeout", "lost" or "failed". */
DM_API const char *dm_status_name(enum dm_status status);

/* For functions that the caller passes to a library: leaves a sentence and returns `status`. */
DM_API enum dm_status dm_fail(enum dm_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The version of the libraries: "0.1.0". */
DM_API const char *dm_version(void);

#ifdef __cplusplus
}
#endif
#endif
