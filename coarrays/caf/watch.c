/* A descriptor of a process becomes readable when it ends, at once and whatever its number is used
 * for later; where the system has none, a signal that is none tells. */
#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "error.h"

static const double PAUSE_S = 1e-3;

static struct pollfd *processes; /* processes[place]; fd -1: this image, or none */
static double looked_s;
static bool found_dead;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int open_process(int pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

enum dm_status watch_start(void)
{
    processes = calloc((size_t)runtime.near_count, sizeof *processes);
    if (!processes)
        return error_no_memory((size_t)runtime.near_count * sizeof *processes);
    for (int place = 0; place < runtime.near_count; place++) {
        int image = runtime.near[place];
        int pid = atomic_load(&control_of(image)->pid);
        processes[place].fd = image == runtime.image ? -1 : open_process(pid);
        processes[place].events = POLLIN;
    }
    return DM_OK;
}

static bool has_ended(int place)
{
    int image = runtime.near[place];
    if (processes[place].fd >= 0)
        return processes[place].revents & POLLIN;
    return image != runtime.image && kill(atomic_load(&control_of(image)->pid), 0) != 0 &&
           errno == ESRCH;
}

/* Not by caf_fail, whose process ends like all others. */
static bool died(int image)
{
    return image_state(image) == IMAGE_FAILED && !atomic_load(&control_of(image)->left);
}

void watch_images(bool now)
{
    double time = now_s();
    if (!processes || (!now && time < looked_s + PAUSE_S))
        return;
    looked_s = time;
    if (poll(processes, (nfds_t)runtime.near_count, 0) < 0)
        return;
    for (int place = 0; place < runtime.near_count; place++)
        if (has_ended(place)) {
            control_failed(runtime.near[place]);
            found_dead = found_dead || died(runtime.near[place]);
        }
}

bool watch_found_dead(void)
{
    return found_dead;
}

void watch_kill_others(void)
{
    watch_images(true);
    for (int place = 0; processes && place < runtime.near_count; place++) {
        int image = runtime.near[place];
        if (image != runtime.image && !has_ended(place))
            kill(atomic_load(&control_of(image)->pid), SIGKILL);
    }
}

void watch_end(void)
{
    for (int place = 0; processes && place < runtime.near_count; place++)
        if (processes[place].fd >= 0)
            close(processes[place].fd);
    free(processes);
    processes = NULL;
}
