/* program.h: what the programs here share: memory that is filled the same way each time, the clock,
 * and the line at the end, whose checksum is of every bit of the result. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cuda_runtime.h>

static double start_s;

static inline double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Ends the program if a call failed. */
static inline void check(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}
#define CHECK(call) check(call, #call)

/* The argument of that place, or the default. */
static inline int argument(int argc, char **argv, int place, int otherwise)
{
    int value = place < argc ? atoi(argv[place]) : otherwise;
    if (value < 1) {
        fprintf(stderr, "%s: argument %d must be a number from 1\n", argv[0], place);
        exit(1);
    }
    return value;
}

static inline void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "no host memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

/* Numbers from 0 to 1, the same in every run. */
static inline float *random_floats(size_t count, uint32_t seed)
{
    float *values = (float *)allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(seed >> 8) / 16777216.0f;
    }
    return values;
}

static inline void *on_device(size_t bytes, const void *contents)
{
    void *memory;
    CHECK(cudaMalloc(&memory, bytes));
    if (contents)
        CHECK(cudaMemcpy(memory, contents, bytes, cudaMemcpyHostToDevice));
    else
        CHECK(cudaMemset(memory, 0, bytes));
    return memory;
}

static inline float *floats_on_device(size_t count, const float *contents)
{
    return (float *)on_device(count * sizeof *contents, contents);
}

/* What follows is timed. */
static inline void begin(void)
{
    CHECK(cudaDeviceSynchronize());
    start_s = now_s();
}

static inline uint64_t checksum(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* The end: NAME checksum SECONDS. */
static inline void finish_host(const char *name, const void *result, size_t bytes)
{
    double seconds = now_s() - start_s;
    printf("%s %016llx %.6f\n", name,
           (unsigned long long)checksum(0xcbf29ce484222325u, result, bytes), seconds);
}

static inline void finish(const char *name, const void *device, size_t bytes)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    double seconds = now_s() - start_s;
    void *result = allocate(bytes);
    CHECK(cudaMemcpy(result, device, bytes, cudaMemcpyDeviceToHost));
    printf("%s %016llx %.6f\n", name,
           (unsigned long long)checksum(0xcbf29ce484222325u, result, bytes), seconds);
    free(result);
}

#endif
