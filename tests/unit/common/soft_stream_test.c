/* soft_stream_test.c: the software GPU's runtime: order of streams, events and launches, and
 * errors. */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "soft_runtime_test.h"

enum { MIB = 1 << 20 };

static bool flag_is_set(atomic_bool *flag)
{
    return atomic_load(flag);
}

/* ---- order ---- */

struct log {
    int entries[64];
    int count;
};
struct entry {
    struct log *log;
    int number;
};

static void append(void *argument)
{
    struct entry *entry = argument;

    entry->log->entries[entry->log->count++] = entry->number;
}

static void a_stream_is_a_queue(void)
{
    struct log log = {{0}, 0};
    struct entry entries[40];
    cudaStream_t stream;

    expect_success(cudaStreamCreate(&stream));
    for (int i = 0; i < 40; i++) {
        entries[i] = (struct entry){&log, i};
        if (i % 2)
            expect_success(launch_c(append, &entries[i], stream));
        else
            expect_success(cudaLaunchHostFunc(stream, append, &entries[i]));
    }
    expect_success(cudaStreamSynchronize(stream));
    expect(log.count == 40);
    for (int i = 0; i < log.count; i++)
        expect(log.entries[i] == i);
    expect_success(cudaStreamDestroy(stream));
}

static void the_default_stream_waits_and_is_waited_for(void)
{
    struct gate first = {false, false}, second = {false, false};
    atomic_bool in_default = false, in_blocking = false, in_nonblocking = false;
    cudaStream_t blocking, nonblocking;

    expect_success(cudaStreamCreate(&blocking));
    expect_success(cudaStreamCreateWithFlags(&nonblocking, cudaStreamNonBlocking));
    expect_success(cudaLaunchHostFunc(blocking, pass_gate, &first));
    expect_success(cudaLaunchHostFunc(NULL, set_flag, &in_default));
    expect_success(cudaLaunchHostFunc(NULL, pass_gate, &second));
    expect_success(cudaLaunchHostFunc(blocking, set_flag, &in_blocking));
    expect_success(cudaLaunchHostFunc(nonblocking, set_flag, &in_nonblocking));
    expect(wait_flag(&in_nonblocking)); /* passes all the others */
    expect(wait_flag(&first.entered));
    usleep(20000);
    expect(!flag_is_set(&in_default));
    expect_error(cudaErrorNotReady, cudaStreamQuery(NULL));
    expect_error(cudaErrorNotReady, cudaStreamQuery(blocking));
    expect_success(cudaStreamQuery(nonblocking));
    atomic_store(&first.open, true);
    expect(wait_flag(&in_default));
    expect(wait_flag(&second.entered));
    usleep(20000);
    expect(!flag_is_set(&in_blocking));
    atomic_store(&second.open, true);
    expect_success(cudaDeviceSynchronize());
    expect(flag_is_set(&in_blocking));
    expect_success(cudaStreamDestroy(blocking));
    expect_success(cudaStreamDestroy(nonblocking));
}

struct number {
    atomic_int value;
    int seen;
};

static void double_it(void *argument)
{
    struct number *number = argument;

    atomic_store(&number->value, 2 * atomic_load(&number->value));
}

static void see_it(void *argument)
{
    struct number *number = argument;

    number->seen = atomic_load(&number->value);
}

static void events_order_streams(void)
{
    struct gate gate = {false, false};
    struct number number = {1, 0};
    cudaStream_t a, b;
    cudaEvent_t event, never;

    expect_success(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    expect_success(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    expect_success(cudaEventCreate(&event));
    expect_success(cudaEventCreate(&never));
    expect_success(cudaStreamWaitEvent(b, never, 0)); /* never recorded: nothing to wait for */
    expect_success(cudaEventQuery(never));
    expect_success(cudaEventSynchronize(never));
    expect_success(cudaLaunchHostFunc(a, pass_gate, &gate));
    expect_success(launch_c(double_it, &number, a));
    expect_success(cudaEventRecord(event, a));
    expect_success(cudaStreamWaitEvent(b, event, 0));
    expect_success(cudaLaunchHostFunc(b, see_it, &number));
    usleep(20000); /* time for it to go wrong */
    expect_error(cudaErrorNotReady, cudaEventQuery(event));
    expect_success(cudaEventDestroy(event)); /* pending: the wait still holds */
    atomic_store(&gate.open, true);
    expect_success(cudaStreamSynchronize(b));
    expect(number.seen == 2);
    expect_error(cudaErrorInvalidResourceHandle, cudaEventRecord(event, a));
    expect_error(cudaErrorInvalidResourceHandle, cudaEventDestroy(event));
    expect_success(cudaEventDestroy(never));
    expect_success(cudaStreamDestroy(a));
    expect_success(cudaStreamDestroy(b));
    expect_error(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(b));
    expect_error(cudaErrorInvalidResourceHandle, cudaStreamDestroy(b));
}

static void nap(void *argument)
{
    usleep(*(useconds_t *)argument);
}

static void events_take_the_time(void)
{
    useconds_t microseconds = 30000;
    struct gate gate = {false, false};
    cudaStream_t stream;
    cudaEvent_t start, end, timeless;
    float ms = -1;

    expect_success(cudaStreamCreate(&stream));
    expect_success(cudaEventCreate(&start));
    expect_success(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
    expect_success(cudaEventCreateWithFlags(&timeless, cudaEventDisableTiming));
    expect_error(cudaErrorInvalidValue, cudaEventCreateWithFlags(&end, 0x100));
    expect_error(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, end));
    expect_success(cudaEventRecord(start, stream));
    expect_success(launch_c(nap, &microseconds, stream));
    expect_success(cudaEventRecord(end, stream));
    expect_success(cudaEventSynchronize(end));
    expect_success(cudaEventElapsedTime(&ms, start, end));
    expect(ms >= 30 && ms < 5000);
    expect_success(cudaEventElapsedTime(&ms, end, start));
    expect(ms < 0);
    expect_error(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, start, end));
    expect_success(cudaEventRecord(timeless, stream));
    expect_error(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, timeless));
    expect_error(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, NULL, end));
    expect_success(cudaLaunchHostFunc(stream, pass_gate, &gate));
    expect_success(cudaEventRecord(end, stream));
    expect_error(cudaErrorNotReady, cudaEventElapsedTime(&ms, start, end));
    atomic_store(&gate.open, true);
    expect_success(cudaStreamDestroy(stream)); /* the work that is left is still done */
    expect_success(cudaEventSynchronize(end));
    expect_success(cudaEventDestroy(start));
    expect_success(cudaEventDestroy(end));
    expect_success(cudaEventDestroy(timeless));
}

/* ---- copies in streams ---- */

static void pageable_is_read_before_the_call_returns(void)
{
    enum { SMALL = 100000 };
    struct gate gate = {false, false};
    char *pageable = malloc(SMALL), *pinned, *a, *b, back = 0;
    cudaStream_t stream;

    expect_success(cudaStreamCreate(&stream));
    expect_success(cudaMalloc((void **)&a, SMALL));
    expect_success(cudaMalloc((void **)&b, SMALL));
    expect_success(cudaMallocHost((void **)&pinned, SMALL));
    memset(pageable, 1, SMALL);
    memset(pinned, 1, SMALL);
    expect_success(cudaLaunchHostFunc(stream, pass_gate, &gate));
    expect_success(cudaMemcpyAsync(a, pageable, SMALL, cudaMemcpyHostToDevice, stream));
    expect_success(cudaMemcpyAsync(b, pinned, SMALL, cudaMemcpyHostToDevice, stream));
    expect(!flag_is_set(&gate.open)); /* neither copy was executed, */
    memset(pageable, 2, SMALL);       /* but this one has its source in safety */
    memset(pinned, 2, SMALL);
    atomic_store(&gate.open, true);
    expect_success(cudaStreamSynchronize(stream));
    expect_success(cudaMemcpy(&back, a + SMALL - 1, 1, cudaMemcpyDefault));
    expect(back == 1);
    expect_success(cudaMemcpy(&back, b + SMALL - 1, 1, cudaMemcpyDefault));
    expect(back == 2);
    expect_success(cudaFree(a));
    expect_success(cudaFree(b));
    expect_success(cudaFreeHost(pinned));
    expect_success(cudaStreamDestroy(stream));
    free(pageable);
}

static void large_pageable_copies_pass_the_bounce_buffer(void)
{
    size_t n = 5 * MIB + 3, wrong = 0;
    unsigned char *source = malloc(n), *back = calloc(1, n), *device;
    cudaStream_t stream;

    for (size_t i = 0; i < n; i++)
        source[i] = (unsigned char)(i * 7 + i / 65536);
    expect_success(cudaStreamCreate(&stream));
    expect_success(cudaMalloc((void **)&device, n));
    expect_success(cudaMemcpyAsync(device, source, n, cudaMemcpyHostToDevice, stream));
    for (size_t i = 0; i < n; i++)
        source[i] ^= 0xff; /* read already */
    expect_success(cudaMemcpyAsync(back, device, n, cudaMemcpyDeviceToHost, stream));
    for (size_t i = 0; i < n; i++)
        wrong += back[i] != (unsigned char)~source[i];
    expect(wrong == 0);
    expect_success(cudaFree(device));
    expect_success(cudaStreamDestroy(stream));
    free(source);
    free(back);
}

/* A source page that cannot be read until the test allows it stops a pageable copy halfway, with
 * its engine held: the copying thread waits in this handler of the page fault. */
static struct gate source_gate;
static char *source_page;

static void wait_in_fault(int signal_number, siginfo_t *information, void *context)
{
    (void)signal_number;
    (void)context;
    if ((char *)information->si_addr < source_page ||
        (char *)information->si_addr >= source_page + 4096)
        abort();
    pass_gate(&source_gate);
    mprotect(source_page, 4096, PROT_READ | PROT_WRITE);
}

struct upload {
    cudaStream_t stream;
    char *host, *device;
    cudaError_t error;
};

static void *upload_main(void *argument)
{
    struct upload *self = argument;

    self->error =
        cudaMemcpyAsync(self->device, self->host, 4 * MIB, cudaMemcpyHostToDevice, self->stream);
    return NULL;
}

static void engines_work_at_the_same_time(void)
{
    struct sigaction action = {.sa_sigaction = wait_in_fault, .sa_flags = SA_SIGINFO}, before;
    struct gate kernel_gate = {false, false};
    struct upload upload;
    cudaStream_t streams[4];
    char *pinned, *other;
    atomic_bool kernel_ran = false;
    pthread_t thread;

    for (int i = 0; i < 4; i++)
        expect_success(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    expect_success(cudaMalloc((void **)&upload.device, 4 * MIB));
    expect_success(cudaMalloc((void **)&other, 4 * MIB));
    expect_success(cudaMallocHost((void **)&pinned, 4 * MIB));
    upload.stream = streams[0];
    upload.host = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    source_page = upload.host + 2 * MIB;
    mprotect(source_page, 4096, PROT_NONE);
    sigaction(SIGSEGV, &action, &before);
    pthread_create(&thread, NULL, upload_main, &upload);
    expect(wait_flag(&source_gate.entered)); /* 2 MiB have passed: the copy has its engine */

    expect_success(launch_c(pass_gate, &kernel_gate, streams[1]));
    expect(wait_flag(&kernel_gate.entered)); /* a kernel runs beside the copy */
    expect_success(cudaMemcpyAsync(pinned, other, 4 * MIB, cudaMemcpyDeviceToHost, streams[2]));
    expect(soon(cudaStreamQuery, streams[2])); /* a copy in the other direction, too */
    expect_success(cudaMemcpyAsync(other, pinned, 4 * MIB, cudaMemcpyHostToDevice, streams[2]));
    expect_success(launch_c(set_flag, &kernel_ran, streams[3]));
    usleep(50000);
    expect_error(cudaErrorNotReady, cudaStreamQuery(streams[2])); /* one engine per direction */
    expect(!flag_is_set(&kernel_ran));                            /* and one for kernels */

    atomic_store(&source_gate.open, true);
    expect(soon(cudaStreamQuery, streams[2]));
    pthread_join(thread, NULL);
    expect(upload.error == cudaSuccess);
    atomic_store(&kernel_gate.open, true);
    expect_success(cudaDeviceSynchronize());
    expect(flag_is_set(&kernel_ran));
    sigaction(SIGSEGV, &before, NULL);
    munmap(upload.host, 4 * MIB);
    expect_success(cudaFree(upload.device));
    expect_success(cudaFree(other));
    expect_success(cudaFreeHost(pinned));
    for (int i = 0; i < 4; i++)
        expect_success(cudaStreamDestroy(streams[i]));
}

static void priorities_and_flags(void)
{
    cudaStream_t stream;
    int least, greatest, priority, device;
    unsigned flags;

    expect_success(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    expect(least == 0 && greatest < 0);
    expect_success(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10));
    expect_success(cudaStreamGetPriority(stream, &priority));
    expect(priority == greatest);
    expect_success(cudaStreamGetFlags(stream, &flags));
    expect(flags == cudaStreamNonBlocking);
    expect_success(cudaStreamGetDevice(stream, &device));
    expect(device == 0);
    expect_success(cudaSetDevice(1));
    expect_error(cudaErrorInvalidResourceHandle, launch_c(nap, NULL, stream)); /* of device 0 */
    expect_success(cudaSetDevice(0));
    expect_success(cudaStreamDestroy(stream));
    expect_error(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 2));
    expect_error(cudaErrorInvalidValue, cudaStreamCreate(NULL));
    expect_error(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
    expect_error(cudaErrorNotSupported, cudaStreamSynchronize(cudaStreamPerThread));
    expect_success(cudaStreamSynchronize(cudaStreamLegacy));
}

/* Whether of two streams that wait for a third the more important goes first. A worker must have
 * seen what an operation waits for before the next comes: it has pause_us. */
static bool important_one_goes_first(useconds_t pause_us)
{
    struct gate gate = {false, false};
    struct log log = {{0}, 0};
    struct entry low = {&log, 1}, high = {&log, 2};
    cudaStream_t streams[3];

    for (int i = 0; i < 3; i++)
        expect_success(cudaStreamCreateWithPriority(&streams[i], cudaStreamNonBlocking, -i));
    expect_success(launch_c(pass_gate, &gate, streams[0]));
    expect(wait_flag(&gate.entered));
    expect_success(launch_c(append, &low, streams[1]));
    usleep(pause_us);
    expect_success(launch_c(append, &high, streams[2]));
    usleep(pause_us);
    atomic_store(&gate.open, true);
    expect_success(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++)
        expect_success(cudaStreamDestroy(streams[i]));
    expect(log.count == 2);
    return log.entries[0] == 2 && log.entries[1] == 1;
}

static void important_streams_go_first(void)
{
    bool right = important_one_goes_first(50000);

    for (useconds_t pause_us = 500000; pause_us <= 5000000 && !right; pause_us *= 10)
        right = important_one_goes_first(pause_us);
    expect(right);
}

/* ---- host functions ---- */

static void call_the_api(void *argument)
{
    *(cudaError_t *)argument = cudaDeviceSynchronize();
}

static void note_status(cudaStream_t stream, cudaError_t status, void *argument)
{
    (void)stream;
    *(cudaError_t *)argument = status;
}

static void host_functions(void)
{
    cudaError_t inside = cudaSuccess, status = cudaErrorUnknown;

    expect_error(cudaErrorInvalidValue, cudaLaunchHostFunc(NULL, NULL, NULL));
    expect_error(cudaErrorInvalidValue, cudaStreamAddCallback(NULL, note_status, &status, 1));
    expect_success(cudaLaunchHostFunc(NULL, call_the_api, &inside));
    expect_success(cudaStreamAddCallback(NULL, note_status, &status, 0));
    expect_success(cudaStreamSynchronize(NULL));
    expect(inside == cudaErrorNotPermitted);
    expect(status == cudaSuccess);
}

/* ---- many threads ---- */

static void *use_everything(void *argument)
{
    intptr_t seed = (intptr_t)argument;
    char host[1800], back[1800];

    memset(host, (int)seed, sizeof host);
    for (int round = 0; round < 40; round++) {
        char *device, *pinned;
        cudaStream_t stream;
        cudaEvent_t event;
        bool good = !cudaSetDevice((int)seed % 2) && !cudaMalloc((void **)&device, sizeof host) &&
                    !cudaMallocHost((void **)&pinned, sizeof host) && !cudaStreamCreate(&stream) &&
                    !cudaEventCreate(&event) &&
                    !cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyDefault, stream) &&
                    !cudaEventRecord(event, stream) && !cudaStreamWaitEvent(NULL, event, 0) &&
                    !cudaMemcpyAsync(pinned, device, sizeof host, cudaMemcpyDefault, stream) &&
                    !cudaMemcpy(back, device, sizeof host, cudaMemcpyDeviceToHost) &&
                    !cudaStreamSynchronize(stream) && memcmp(back, host, sizeof host) == 0 &&
                    memcmp(pinned, host, sizeof host) == 0 && !cudaEventDestroy(event) &&
                    !cudaStreamDestroy(stream) && !cudaFreeHost(pinned) && !cudaFree(device);
        if (!good)
            return (void *)1;
    }
    return NULL;
}

static void many_threads(void)
{
    pthread_t threads[6];

    for (intptr_t i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, use_everything, (void *)i);
    for (int i = 0; i < 6; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        expect(failed == NULL);
    }
}

int main(void)
{
    setenv("SOFTGPU_DEVICES", "2", 1);
    setenv("SOFTGPU_MEMORY", "128M", 1);
    run_test(a_stream_is_a_queue);
    run_test(the_default_stream_waits_and_is_waited_for);
    run_test(events_order_streams);
    run_test(events_take_the_time);
    run_test(pageable_is_read_before_the_call_returns);
    run_test(large_pageable_copies_pass_the_bounce_buffer);
    run_test(engines_work_at_the_same_time);
    run_test(priorities_and_flags);
    run_test(important_streams_go_first);
    run_test(host_functions);
    run_test(many_threads);
    expect(atomic_load(&calls_alive) == 0);
    return end_tests();
}
