#include "allocate.h"

#include "exit.h"

void *memory_allocate(enum memory_kind kind, size_t bytes)
{
    void *pointer;
    check_status(memory_obtain(kind, bytes, &pointer));
    return pointer;
}

void memory_release(enum memory_kind kind, void *pointer)
{
    check_cuda(memory_operations[kind].release(pointer));
}

void memory_copy(void *to, const void *from, size_t bytes)
{
    check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    check_cuda(cudaStreamSynchronize(NULL));
}
