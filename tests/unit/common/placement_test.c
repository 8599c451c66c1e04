/* Which NUMA node has all CPUs of a rank, on machines made of files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/harness/placement.h"
#include "common/harness/ranks.h"
#include "tests/unit/test.h"

static char folder[] = "placement_XXXXXX";

static void add_node(const char *name, const char *list)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s/cpulist", folder, name);
    FILE *file = fopen(path, "w");
    expect(file && fputs(list, file) >= 0 && fclose(file) == 0);
}

static void remove_node(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s/cpulist", folder, name);
    remove(path);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

static int node_of(const char *cpus)
{
    unsigned char is_usable[16] = {0};
    for (const char *at = cpus; *at; at++)
        is_usable[*at >= 'a' ? *at - 'a' + 10 : *at - '0'] = 1;
    return placement_node(folder, is_usable, 16);
}

static void a_node_has_all_cpus_or_none_does(void)
{
    add_node("node0", "0-3,8-11\n");
    add_node("node1", "4-7,12-15\n");
    add_node("node10", "\n");
    add_node("nodes", "0-15\n");
    expect(node_of("0") == 0 && node_of("3b") == 0 && node_of("012389ab") == 0);
    expect(node_of("4") == 1 && node_of("7f") == 1);
    expect(node_of("34") == -1 && node_of("0123456789abcdef") == -1);
    add_node("node0", "0-,x\n"); /* what the kernel never writes */
    expect(node_of("1") == -1);
    remove_node("node0");
    remove_node("node1");
    remove_node("node10");
    remove_node("nodes");
    expect(node_of("0") == -1);
    expect(rmdir(folder) == 0);
    expect(node_of("0") == -1);
}

/* Alone, a rank is one of one. */
static void this_rank_is_gathered(void)
{
    struct placement *all = placement_gather(-1);
    expect(all && all[0].cpus >= 1 && all[0].numa_node >= -1 && all[0].gpu_numa_node == -1);
    free(all);
}

int main(void)
{
    if (!mkdtemp(folder)) {
        printf("not ok %s: no folder for files\n", folder);
        return 1;
    }
    run_test(a_node_has_all_cpus_or_none_does);
    run_test(this_rank_is_gathered);
    return end_tests();
}
