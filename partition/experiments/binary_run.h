/* binary_run.h: runs a program that nvcc built, as it is or with libpartition.so, and reads the
 * line that it ends with: NAME CHECKSUM SECONDS (programs/program.h). */
#ifndef PARTITION_BINARY_RUN_H
#define PARTITION_BINARY_RUN_H

#include <stdbool.h>
#include <stdint.h>

enum { BINARY_COMMAND = 4096, BINARY_NAME = 64, BINARY_ARGUMENTS = 128 };

/* A program and how it is started. */
struct binary {
    char name[BINARY_NAME];
    char arguments[BINARY_ARGUMENTS]; /* separated by blanks */
    const char *folder;  /* of the programs; NULL: partition/programs beside this one */
    const char *library; /* NULL: libpartition.so there */
    int devices;         /* with libpartition.so on so many; 0: as it is */
};

struct binary_result {
    uint64_t checksum;  /* of every bit of the program's result */
    double seconds;     /* what the program times: its launches and waiting for them */
    double whole_s;     /* from the start of the process to its end */
    int64_t launches;   /* -1: as it is, nobody counts */
    int64_t one_device; /* of these, on one device */
    int64_t d2d_bytes;
};

/* Reads "name:argument:argument"; ends the program with a sentence if it is none. */
void binary_read(struct binary *binary, const char *word);

/* Runs it. Ends this program with a sentence if it cannot be started, fails, takes longer than
 * `limit_s` or does not print that line. */
struct binary_result binary_run(const struct binary *binary, double limit_s);

#endif
