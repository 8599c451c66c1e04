/* allocate.h: memory for programs: there is enough, or the program ends with a sentence. */
#ifndef COMMON_ALLOCATE_H
#define COMMON_ALLOCATE_H

#include "common/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block of a kind of memory, of 0 bytes too; memory_release gives it back. */
void *memory_allocate(enum memory_kind kind, size_t bytes);
void memory_release(enum memory_kind kind, void *pointer);

/* Copies from any kind to any other, and has arrived for all streams when it returns: cudaMemcpy of
 * pageable memory returns when the bytes have been staged, and a stream that was created with
 * cudaStreamNonBlocking does not wait for their arrival. */
void memory_copy(void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
