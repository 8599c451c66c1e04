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
#include "watch_far.h"

static const double PAUSE_S = 1e-3;

/* Most launchers end all processes when one dies: who would see it before has nothing to say. One
 * that goes on, as cafrun's, is known by runtime.recovers. */
static const double GRACE_S = 1;

static struct pollfd *processes; /* processes[place]; fd -1: this image, or none */
static double looked_s;
static double first_dead_s; /* 0: none yet */
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

static bool all_are_ended(void)
{
    for (int place = 0; place < runtime.near_count; place++)
        if (atomic_load(&control_of(runtime.near[place])->ending))
            return true;
    return false;
}

/* Whether the dead are to be taken for failed images already. */
static bool is_patience_over(double time)
{
    if (first_dead_s == 0)
        first_dead_s = time;
    if (all_are_ended())
        sleep(1);
    return runtime.recovers || time >= first_dead_s + GRACE_S;
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
            int image = runtime.near[place];
            if (image_state(image) == IMAGE_RUNNING && is_patience_over(time))
                control_failed(image);
            found_dead = found_dead || died(image);
        }
}

bool watch_has_ended(int image)
{
    if (!caf_is_near(image))
        return watch_far_is_gone(image);
    watch_images(true);
    return processes && has_ended(runtime.place_of[image]);
}

bool watch_found_dead(void)
{
    return found_dead || watch_far_found_dead();
}

void watch_say_ending(void)
{
    if (!processes)
        return;
    atomic_store(&control_of(runtime.image)->ending, 1);
    watch_far_say_ending();
}

void watch_kill_others(void)
{
    if (!processes)
        return;
    watch_say_ending();
    poll(processes, (nfds_t)runtime.near_count, 0);
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
