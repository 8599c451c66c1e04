/* random_program.h: a program for one GPU that is made from a seed. All that it does is legal and
 * has one result: calls in different streams are ordered by events, memory of the host is touched
 * by the program only after it has waited. */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/random.h"

enum { BUFFERS = 4, STREAMS = 2, BYTES_MAX = 12000, ARENA_BYTES = 16384, CALLS_MAX = 60 };

/* A host function: adds to bytes of the arena. */
struct host_task {
    unsigned char *bytes;
    size_t count;
};

struct random_program {
    uint64_t seed, drawn;
    const char *modules;
    bool whole; /* each launch writes all of a buffer: what the last-writer rule is right for */
    unsigned launches;   /* of 10 calls */
    unsigned one_device; /* of 6 launches: those that cannot be split */
    const char *last;    /* the last call */
    CUdeviceptr buffer[BUFFERS];
    size_t bytes[BUFFERS];
    int read, written;  /* buffers, by the last launch */
    bool again;         /* the next launch is to read that buffer, too */
    CUdeviceptr places; /* a permutation: ints */
    CUdeviceptr coefficients;
    CUstream stream[STREAMS];
    CUevent event;
    int current; /* stream */
    unsigned char *arena;
    struct host_task tasks[CALLS_MAX];
    int task_count;
    struct loaded {
        const char *file;
        CUmodule module;
    } loaded[16];
    int loaded_count;
};

enum { PLACES = 1024 };

uint64_t program_below(struct random_program *program, uint64_t bound);
/* Ends the process with a line, unless the call succeeded. */
void program_check(struct random_program *program, CUresult result, const char *call);
#define CALL(call) program_check(program, call, #call)

CUmodule program_module(struct random_program *program, const char *file);

/* One random call on memory, streams or events; one launch. */
void program_memory_call(struct random_program *program);
void program_launch(struct random_program *program);
/* Of these: copies and fills of rows. */
void program_copy_rows(struct random_program *program);
void program_fill_rows(struct random_program *program);

/* A launch behind which its reader is to be late: everything may be on one device before;
 * afterwards the buffer that it wrote is filled, so that nobody has to wait for it, and the one
 * that it read is overwritten in some way and read again. */
void program_overwrite(struct random_program *program);
/* By a kernel that cannot be split. */
void program_scale_in_place(struct random_program *program, int buffer);

/* Runs that many calls and puts the arena and all buffers in `result`, which has room for
 * RESULT_BYTES. */
enum { RESULT_BYTES = ARENA_BYTES + BUFFERS * BYTES_MAX };
void program_run(struct random_program *program, int calls, unsigned char *result);

#endif
