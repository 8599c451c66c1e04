/* memory.h: the kinds of memory a GPU program can use, behind one small table of functions. */
#ifndef COMMON_MEMORY_H
#define COMMON_MEMORY_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum memory_kind {
    MEMORY_PAGEABLE,   /* H: malloc */
    MEMORY_PINNED,     /* P: cudaMallocHost, page-locked */
    MEMORY_REGISTERED, /* R: malloc, then cudaHostRegister */
    MEMORY_MAPPED,     /* Z: page-locked and mapped into the device's address space */
    MEMORY_MANAGED,    /* M: cudaMallocManaged, migrates */
    MEMORY_DEVICE,     /* D: cudaMalloc */
    MEMORY_KINDS
};

struct memory_operations {
    const char *name; /* "pageable", ... as in the CSV files */
    char letter;      /* H P R Z M D */
    const char *meaning;
    bool host_access; /* the CPU may use the pointer */
    cudaError_t (*allocate)(void **pointer, size_t bytes);
    cudaError_t (*release)(void *pointer);
};

/* Indexed by enum memory_kind. allocate returns cudaErrorMemoryAllocation when there is not enough.
 */
extern const struct memory_operations memory_operations[MEMORY_KINDS];

/* The kind of that name or letter, or MEMORY_KINDS if there is none. */
enum memory_kind memory_kind_of(const char *name);

/* A block of `bytes` (0 counts as 1) of that kind; *pointer is NULL on error. DM_NO_MEMORY with the
 * kind and the size in the sentence. */
enum dm_status memory_obtain(enum memory_kind kind, size_t bytes, void **pointer);

/* Gives it back. NULL is taken; errors, which a lost device gives, are ignored. */
void memory_give_back(enum memory_kind kind, void *pointer);

#ifdef __cplusplus
}
#endif
#endif
