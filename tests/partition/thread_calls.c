/* thread_calls.c: an ordinary program for one GPU whose threads make driver calls at the same time.
 * Its output with and without several devices behind it must be the same.
 *
 *     thread_calls many|waiting MODULES OUTPUT */
#include <cuda.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 3000, BLOCK = 128, BLOCKS = (N + BLOCK - 1) / BLOCK, THREADS = 4, ROUNDS = 10 };

static CUcontext context;
static CUfunction smooth;
static float results[THREADS][N];
static sem_t allocated;

static void check(CUresult result, const char *call)
{
    const char *name = "an unknown error";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", call, name);
    exit(1);
}
#define DO(call) check(call, #call)

/* Launches in a stream of its own, on buffers of its own. */
static void round_of(intptr_t number, int round, CUstream stream)
{
    static _Thread_local float values[N];
    CUdeviceptr buffers[2];
    int n = N;
    for (int i = 0; i < N; i++)
        values[i] = (float)(i * (number + 3) % 101 + round);
    for (int i = 0; i < 2; i++) {
        DO(cuMemAlloc(&buffers[i], sizeof values));
        DO(cuMemcpyHtoD(buffers[i], values, sizeof values));
    }
    for (int i = 0; i < 6; i++) {
        void *arguments[] = {&buffers[i % 2], &buffers[1 - i % 2], &n};
        DO(cuLaunchKernel(smooth, BLOCKS, 1, 1, BLOCK, 1, 1, 0, stream, arguments, NULL));
    }
    DO(cuMemcpyDtoHAsync(results[number], buffers[0], sizeof values, stream));
    DO(cuStreamSynchronize(stream));
    for (int i = 0; i < 2; i++)
        DO(cuMemFree(buffers[i]));
}

static void *run_rounds(void *number)
{
    CUstream stream;
    DO(cuCtxSetCurrent(context));
    DO(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int round = 0; round < ROUNDS; round++)
        round_of((intptr_t)number, round, stream);
    DO(cuStreamDestroy(stream));
    return NULL;
}

static void many(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, run_rounds, (void *)i))
            exit(2);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void wait_for_allocation(void *unused)
{
    (void)unused;
    sem_wait(&allocated);
}

/* By then the other thread waits for the function that waits for this one. */
static void *allocate(void *unused)
{
    CUdeviceptr memory;
    usleep(200000);
    DO(cuCtxSetCurrent(context));
    DO(cuMemAlloc(&memory, 4096));
    sem_post(&allocated);
    return unused;
}

static void waiting(void)
{
    pthread_t thread;
    sem_init(&allocated, 0, 0);
    DO(cuLaunchHostFunc(NULL, wait_for_allocation, NULL));
    if (pthread_create(&thread, NULL, allocate, NULL))
        exit(2);
    DO(cuCtxSynchronize());
    pthread_join(thread, NULL);
}

int main(int count, char **words)
{
    char path[4096];
    CUmodule module;
    FILE *output = count == 4 ? fopen(words[3], "wb") : NULL;
    if (!output)
        return 2;
    snprintf(path, sizeof path, "%s/chain.so", words[2]);
    DO(cuInit(0));
    DO(cuCtxCreate(&context, NULL, 0, 0));
    DO(cuModuleLoad(&module, path));
    DO(cuModuleGetFunction(&smooth, module, "chain_smooth"));
    if (!strcmp(words[1], "waiting"))
        waiting();
    else
        many();
    fwrite(results, sizeof results, 1, output);
    DO(cuCtxDestroy(context));
    return fclose(output) ? 2 : 0;
}
