/* placement.h: where the ranks of a run are: CPUs, NUMA nodes and hosts.
 *
 * Copies between a GPU and memory at another NUMA node are slower, so ranks are bound near their
 * GPUs, and results whose ranks were bound differently do not compare. The NUMA nodes are read from
 * Linux's /sys, as hwloc does. */
#ifndef COMMON_PLACEMENT_H
#define COMMON_PLACEMENT_H

#include "json.h"

/* Of one rank. */
struct placement {
    int cpus;          /* on which it may run */
    int numa_node;     /* that has all of these; -1: several, or not known */
    int gpu_numa_node; /* of its GPU; -1: not known, or it uses none */
};

/* The node that has all of these CPUs, given as the folder of a machine's nodes (NULL: this
 * machine's) describes them; -1: none has. */
int placement_node(const char *folder, const unsigned char *is_usable, int cpus);

/* Binds all threads of this process to those of its CPUs that are next to the device, as the file
 * DEVICES/<PCI address>/local_cpulist says. devices: a folder as /sys/bus/pci/devices, or NULL for
 * that; the software GPU is nowhere then. What is not known, or leaves no CPU, changes nothing.
 * Threads that are started later inherit it. */
void placement_bind(const char *devices, int device);

/* Called by all ranks; each gets those of all, to be freed. device: the rank's GPU, -1 for none. */
struct placement *placement_gather(int device);

/* Writes the array "placement", by rank. What is not known is left out. */
void placement_write(struct json *json, const struct placement *placements, int count);

/* Writes the object "job" with "nodes", as PBS or Slurm name those of the job; nothing outside of a
 * job. */
void placement_write_job(struct json *json);

#endif
