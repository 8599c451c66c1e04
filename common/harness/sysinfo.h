/* sysinfo.h: a description of this machine. */
#ifndef COMMON_SYSINFO_H
#define COMMON_SYSINFO_H

#include <stddef.h>

#include "json.h"

struct sysinfo {
    char host[256];
    char system[256]; /* distribution */
    char kernel[256];
    char vendor[128]; /* of the computer; empty if the firmware does not tell */
    char cpu[256];
    double cpu_ghz; /* base or nominal frequency, 0 if unknown */
    int sockets;
    int cores_per_socket;
    int threads_per_core;
    int cores_online; /* logical, usable by this process */
    int numa_nodes;
    size_t memory_bytes;
    char network[256]; /* link layer and rate of the fastest interface that is up */
};

void sysinfo_read(struct sysinfo *info);

/* Writes the objects "system" and "devices" into the document. gpus: devices to describe. */
void sysinfo_write(struct json *json, const struct sysinfo *info);

#endif
