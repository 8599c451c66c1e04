/* common_machine: describes this machine by the rows of the specification sheets in Peshne (2018),
 * tables 6-1 to 6-4: cluster, compute node, GPU node, interconnect. Nothing is timed. */
#include "program.h"
#include "sysinfo.h"

#include <math.h>
#include <stdlib.h>

static const struct variant variants[] = {{"machine", "what the system says about itself"}, {0}};

static const struct column columns[] = {
    {"sheet", COLUMN_PARAMETER, "cluster, compute_node, gpu_node or interconnect"},
    {"name", COLUMN_PARAMETER, "row of the sheet"},
    {"specification", COLUMN_METRIC, "what this machine has there, in words"},
    {0},
};

static void row(struct run *run, const char *sheet, const char *name, const char *specification)
{
    struct value values[] = {text(sheet), text(name), text(specification)};
    if (specification[0] == '\0')
        values[2] = text("not told by the system");
    record_row(run, "machine", 0, values, NAN, 0);
}

static void number_row(struct run *run, const char *sheet, const char *name, const char *format,
                       double number)
{
    char specification[128] = "";
    if (number > 0.0)
        snprintf(specification, sizeof specification, format, number);
    row(run, sheet, name, specification);
}

static void node_rows(struct run *run, const char *sheet, const struct sysinfo *info)
{
    row(run, sheet, "Manufacturer", info->vendor);
    row(run, sheet, "Processor", info->cpu);
    number_row(run, sheet, "Base Processor Frequency", "%.2f GHz", info->cpu_ghz);
    number_row(run, sheet, "Sockets", "%.0f", info->sockets);
    number_row(run, sheet, "Cores per socket", "%.0f", info->cores_per_socket);
    number_row(run, sheet, "Thread(s) per core", "%.0f", info->threads_per_core);
}

static void gpu_rows(struct run *run)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        row(run, "gpu_node", "GPU", "none");
        return;
    }
    struct cudaDeviceProp properties;
    check_cuda(cudaGetDeviceProperties(&properties, 0));
    char gpu[400];
    snprintf(gpu, sizeof gpu, "%d x %s", devices, properties.name);
    row(run, "gpu_node", "GPU", gpu);
    number_row(run, "gpu_node", "Memory per GPU", "%.0f GiB",
               (double)properties.totalGlobalMem / 0x1p30);
}

/* A batch job's node count is the only thing a node knows about its cluster. */
static double nodes_of_job(void)
{
    const char *nodes = getenv("SLURM_JOB_NUM_NODES");
    return nodes && atof(nodes) >= 1.0 ? atof(nodes) : 1.0;
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
    row(run, "interconnect", "Node Connection", info.network);
}

static const struct program program = {
    .name = "common_machine",
    .summary = "describes this machine as the specification sheets of the theses do",
    .variants = variants,
    .columns = columns,
    .run = describe,
};

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
