/* common_machine: describes this machine by the rows of the specification sheets in Peshne (2018),
 * tables 6-1 to 6-4: cluster, compute node, GPU node, interconnect; and one of what a program has
 * to know of the GPU. Nothing is timed. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/device.h"
#include "common/harness/program.h"
#include "common/harness/sysinfo.h"

static const struct variant variants[] = {{"machine", "what the system says about itself"}, {0}};

struct row {
    const char *sheet, *name, *specification;
};
static const struct column columns[] = {
    PARAMETER(struct row, sheet, "cluster, compute_node, gpu_node, interconnect or gpu"),
    PARAMETER(struct row, name, "row of the sheet"),
    METRIC(struct row, specification, "what this machine has there, in words"),
    {0},
};

static void add_row(struct run *run, const char *sheet, const char *name, const char *specification)
{
    struct row row = {sheet, name, *specification ? specification : "not told by the system"};
    record_row(run, "machine", 0, &row, NAN, 0);
}

static void number_row(struct run *run, const char *sheet, const char *name, const char *format,
                       double number)
{
    char specification[128] = "";
    if (number > 0.0)
        snprintf(specification, sizeof specification, format, number);
    add_row(run, sheet, name, specification);
}

static void node_rows(struct run *run, const char *sheet, const struct sysinfo *info)
{
    add_row(run, sheet, "Manufacturer", info->vendor);
    add_row(run, sheet, "Processor", info->cpu);
    number_row(run, sheet, "Base Processor Frequency", "%.2f GHz", info->cpu_ghz);
    number_row(run, sheet, "Sockets", "%.0f", info->sockets);
    number_row(run, sheet, "Cores per socket", "%.0f", info->cores_per_socket);
    number_row(run, sheet, "Thread(s) per core", "%.0f", info->threads_per_core);
}

static void gpu_rows(struct run *run)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        add_row(run, "gpu_node", "GPU", "none");
        return;
    }
    struct cudaDeviceProp properties;
    check_cuda(cudaGetDeviceProperties(&properties, 0));
    char gpu[400];
    snprintf(gpu, sizeof gpu, "%d x %s", devices, properties.name);
    add_row(run, "gpu_node", "GPU", gpu);
    number_row(run, "gpu_node", "Memory per GPU", "%.0f GiB",
               (double)properties.totalGlobalMem / 0x1p30);
}

/* What the kernel says about a PCI device, as a number: "32.0 GT/s PCIe" is 32. 0 if it does not
 * tell.
 */
static double pci_number(const char *address, const char *name)
{
    char path[128], line[64] = "";
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%.31s/%s", address, name);
    FILE *file = fopen(path, "r");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return atof(line);
}

/* 10^9 byte/s of a link: each lane has one bit per transfer. Source: the PCI Express Base
 * Specification; 8 bits of 10 are data up to 5 GT/s, 128 of 130 up to 32, 242 bytes of 256 above.
 */
static double link_gbs(double lanes, double gigatransfers)
{
    double share = gigatransfers <= 5 ? 0.8 : gigatransfers <= 32 ? 128.0 / 130 : 242.0 / 256;
    return lanes * gigatransfers * share / 8;
}

static void link_row(struct run *run, int device)
{
    char address[32] = "", specification[128] = "";
    check_cuda(cudaDeviceGetPCIBusId(address, sizeof address, device));
    for (char *c = address; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    double lanes = pci_number(address, "max_link_width");
    double rate = pci_number(address, "max_link_speed");
    if (lanes > 0 && rate > 0)
        snprintf(specification, sizeof specification, "%.1f GB/s (%.0f lanes of %g GT/s)",
                 link_gbs(lanes, rate), lanes, rate);
    add_row(run, "gpu", "PCIe link", strcmp(GPU_KIND, "cuda") ? "none" : specification);
}

/* Of the first GPU; no rows where there is none. */
static void programming_rows(struct run *run)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return;
    number_row(run, "gpu", "Threads per warp", "%.0f", gpu_attribute(cudaDevAttrWarpSize, 0));
    add_row(run, "gpu", "Memory shared with the CPU",
            gpu_attribute(cudaDevAttrIntegrated, 0) ? "yes" : "no");
    link_row(run, 0);
}

/* PBS's file names a node once for each of its slots, in a row. */
static double nodes_in_file(const char *path)
{
    char line[256], last[256] = "";
    int count = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        count += strcmp(line, last) != 0;
        memcpy(last, line, sizeof last);
    }
    if (file)
        fclose(file);
    return count > 0 ? count : 1;
}

/* A batch job's node count is the only thing a node knows about its cluster. */
static double nodes_of_job(void)
{
    const char *slurm = getenv("SLURM_JOB_NUM_NODES"), *pbs = getenv("PBS_NODEFILE");
    if (slurm && atof(slurm) >= 1.0)
        return atof(slurm);
    return pbs ? nodes_in_file(pbs) : 1.0;
}

static void describe(struct run *run)
{
    struct sysinfo info;
    sysinfo_read(&info);
    double nodes = nodes_of_job();
    double memory_gib = (double)info.memory_bytes / 0x1p30;
    number_row(run, "cluster", "Nodes of this job", "%.0f", nodes);
    number_row(run, "cluster", "Total Cores", "%.0f", nodes * info.sockets * info.cores_per_socket);
    number_row(run, "cluster", "Memory", "%.0f GiB", nodes * memory_gib);
    node_rows(run, "compute_node", &info);
    number_row(run, "compute_node", "Memory per node", "%.0f GiB", memory_gib);
    node_rows(run, "gpu_node", &info);
    gpu_rows(run);
    number_row(run, "gpu_node", "Memory per node", "%.0f GiB", memory_gib);
    add_row(run, "interconnect", "Node Connection", info.network);
    programming_rows(run);
}

const struct program program = {
    .name = "common_machine",
    .summary = "describes this machine as the specification sheets of the theses do",
    .variants = variants,
    .columns = columns,
    .run = describe,
};
