/* Which NUMA node has all CPUs of a rank, and which CPUs are next to its GPU, on machines made of
 * files. */
#include <pthread.h>
#include <sched.h>
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

static int cpus_of(pid_t thread)
{
    cpu_set_t set;
    return sched_getaffinity(thread, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

static pthread_barrier_t bound;

static void *cpus_of_this_thread(void *cpus)
{
    pthread_barrier_wait(&bound); /* it runs */
    pthread_barrier_wait(&bound); /* it was bound, or not */
    *(int *)cpus = cpus_of(0);
    return NULL;
}

/* How many CPUs a process with two threads has after it was bound; -1 if the threads differ. */
static int cpus_when_bound(const char *list)
{
    char path[128];
    int first = 0, second = 0;
    pthread_t thread;
    snprintf(path, sizeof path, "%s/0000:01:00.0", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/0000:01:00.0/local_cpulist", folder);
    FILE *file = fopen(path, "w");
    expect(file && fputs(list, file) >= 0 && fclose(file) == 0);
    pthread_barrier_init(&bound, NULL, 2);
    expect(pthread_create(&thread, NULL, cpus_of_this_thread, &second) == 0);
    pthread_barrier_wait(&bound);
    placement_bind(folder, 0);
    first = cpus_of(0);
    pthread_barrier_wait(&bound);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&bound);
    remove(path);
    path[strlen(path) - strlen("/local_cpulist")] = '\0';
    rmdir(path);
    return first == second ? first : -1;
}

static void a_rank_is_bound_next_to_its_gpu(void)
{
    char list[32];
    cpu_set_t all;
    expect(sched_getaffinity(0, sizeof all, &all) == 0);
    const int count = CPU_COUNT(&all);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET((size_t)last, &all))
        last--;
    placement_bind(NULL, 0); /* the software GPU is nowhere */
    placement_bind(folder, 0);
    placement_bind(folder, -1);
    expect(cpus_of(0) == count);
    expect(cpus_when_bound("") == count && cpus_when_bound("x\n") == count);
    expect(cpus_when_bound("1022-1023\n") == count); /* none of ours */
    expect(cpus_when_bound("0-1023\n") == count);
    snprintf(list, sizeof list, "%d,1023\n", last);
    expect(cpus_when_bound(list) == 1);
    expect(sched_getaffinity(0, sizeof all, &all) == 0 && CPU_ISSET((size_t)last, &all));
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
    run_test(a_rank_is_bound_next_to_its_gpu);
    run_test(a_node_has_all_cpus_or_none_does);
    run_test(this_rank_is_gathered);
    return end_tests();
}
