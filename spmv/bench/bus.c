#include "bus.h"

#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"

static const double sample_s = 2e-3;
enum { COPIES_MAX = 100 };

static void copy(const struct spmv_bus *bus)
{
    check_cuda(cudaMemcpyAsync(bus->to_device ? bus->device : bus->host,
                               bus->to_device ? bus->host : bus->device, bus->bytes,
                               cudaMemcpyDefault, bus->stream));
}

double spmv_bus_time(struct spmv_bus *bus)
{
    float elapsed_ms;
    check_cuda(cudaEventRecord(bus->begin, bus->stream));
    for (int i = 0; i < bus->copies; i++)
        copy(bus);
    check_cuda(cudaEventRecord(bus->end, bus->stream));
    check_cuda(cudaStreamSynchronize(bus->stream));
    check_cuda(cudaEventElapsedTime(&elapsed_ms, bus->begin, bus->end));
    return 1e-3 * elapsed_ms / bus->copies;
}

void spmv_bus_open(struct spmv_bus *bus, bool to_device, size_t bytes)
{
    *bus = (struct spmv_bus){.to_device = to_device,
                             .bytes = bytes,
                             .host = memory_allocate(MEMORY_PINNED, bytes),
                             .device = memory_allocate(MEMORY_DEVICE, bytes),
                             .copies = 2};
    memset(bus->host, 0, bytes);
    check_cuda(cudaMemset(bus->device, 0, bytes));
    check_cuda(cudaStreamCreateWithFlags(&bus->stream, cudaStreamNonBlocking));
    check_cuda(cudaEventCreate(&bus->begin));
    check_cuda(cudaEventCreate(&bus->end));
    spmv_bus_time(bus);
    double copies = sample_s / spmv_bus_time(bus);
    bus->copies = copies < 1 ? 1 : copies < COPIES_MAX ? (int)copies : COPIES_MAX;
}

long spmv_bus_errors(struct spmv_bus *bus, unsigned long seed)
{
    void *from = bus->to_device ? bus->host : bus->device;
    void *random = memory_allocate(MEMORY_PAGEABLE, bus->bytes);
    random_fill_bytes(random, bus->bytes, seed);
    memory_copy(from, random, bus->bytes);
    check_cuda(cudaDeviceSynchronize());
    copy(bus);
    check_cuda(cudaStreamSynchronize(bus->stream));
    memory_copy(random, bus->to_device ? bus->device : bus->host, bus->bytes);
    long errors = (long)random_count_wrong_bytes(random, bus->bytes, seed);
    memory_release(MEMORY_PAGEABLE, random);
    return errors;
}

void spmv_bus_close(struct spmv_bus *bus)
{
    check_cuda(cudaStreamDestroy(bus->stream));
    check_cuda(cudaEventDestroy(bus->begin));
    check_cuda(cudaEventDestroy(bus->end));
    memory_release(MEMORY_PINNED, bus->host);
    memory_release(MEMORY_DEVICE, bus->device);
}
