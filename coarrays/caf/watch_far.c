/* Each pair of images on different nodes has a TCP connection, over which nothing is said but a
 * byte now and then. When a process ends its kernel closes it, at once; when a host does, what was
 * sent stays without an acknowledgement. A thread of each image looks at its connections, also
 * while the program computes. */
#include "watch_far.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "stop.h"

enum {
    BEAT_MS = 100,    /* between two bytes */
    SILENCE_MS = 600, /* without an acknowledgement the host is dead */
    START_S = 20,     /* for a connection */
    ENDING_S = 2,     /* after an error stop of another image, until this one ends by itself */
    ADDRESSES = 4
};

static const char BEAT = '.', ENDING = 'E';

/* Where an image listens, as all learn it. */
struct place {
    uint32_t address[ADDRESSES], mask[ADDRESSES]; /* IPv4; 0: none */
    uint16_t port;
};

/* What the one that connects says first: whose connection it is, of this run. */
struct hello {
    uint64_t run;
    int32_t image;
};

static struct pollfd *lines; /* the last one wakes the thread */
static int *image_of;        /* of lines */
static int line_count, listener = -1;
static pthread_t thread;
static bool thread_runs;
static int waker[2] = {-1, -1};
static _Atomic signed char *gone; /* [image] */
static _Atomic int others_end, found_dead;

/* ---- places ---- */

static void find_addresses(struct place *place)
{
    struct ifaddrs *all;
    int count = 0;
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *one = all; one && count < ADDRESSES; one = one->ifa_next) {
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || !(one->ifa_flags & IFF_UP) ||
            (one->ifa_flags & IFF_LOOPBACK))
            continue;
        place->address[count] = ((const struct sockaddr_in *)one->ifa_addr)->sin_addr.s_addr;
        place->mask[count++] = ((const struct sockaddr_in *)one->ifa_netmask)->sin_addr.s_addr;
    }
    freeifaddrs(all);
}

/* One in a network of this image, or the first. */
static uint32_t choose_address(const struct place *of, const struct place *own)
{
    for (int i = 0; i < ADDRESSES && of->address[i]; i++)
        for (int j = 0; j < ADDRESSES && own->address[j]; j++)
            if (((of->address[i] ^ own->address[j]) & own->mask[j]) == 0)
                return of->address[i];
    return of->address[0];
}

static enum dm_status listen_here(struct place *place)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    struct timeval limit = {.tv_sec = START_S};
    find_addresses(place);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, runtime.images) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0)
        return error_errno("a TCP socket to watch images of other nodes");
    place->port = address.sin_port;
    return DM_OK;
}

/* ---- connections ---- */

/* Limits of the start are taken off; from now on silence ends a connection. */
static enum dm_status add_line(int image, int descriptor)
{
    int one = 1, silence_ms = SILENCE_MS;
    struct timeval none = {0};
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
    if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0 ||
        setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms, sizeof silence_ms) != 0)
        return error_errno("a connection to watch image %d", image);
    image_of[line_count] = image;
    lines[line_count++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    return DM_OK;
}

static enum dm_status connect_to(int image, const struct place *places, uint64_t run)
{
    const struct place *place = &places[image - 1];
    struct timeval limit = {.tv_sec = START_S};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = place->port};
    struct hello hello;
    memset(&hello, 0, sizeof hello);
    hello.run = run;
    hello.image = runtime.image;
    address.sin_addr.s_addr = choose_address(place, &places[runtime.image - 1]);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return error_errno("a TCP socket to watch image %d", image);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
        send(descriptor, &hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello) {
        char name[INET_ADDRSTRLEN] = "no address";
        inet_ntop(AF_INET, &address.sin_addr, name, sizeof name);
        close(descriptor);
        return error_errno("image %d cannot be watched by image %d: TCP to %s, port %d "
                           "(CAF_RECOVERY=0 does without)",
                           image, runtime.image, name, (int)ntohs(place->port));
    }
    return add_line(image, descriptor);
}

/* Whoever else comes is sent away. */
static enum dm_status accept_one(uint64_t run)
{
    struct timeval limit = {.tv_sec = START_S};
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (descriptor < 0)
        return error_errno("no image of another node came to be watched by image %d within %d s",
                           runtime.image, (int)START_S);
    struct hello hello;
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (recv(descriptor, &hello, sizeof hello, MSG_WAITALL) == (ssize_t)sizeof hello &&
        hello.run == run && is_image(hello.image) && !caf_is_near(hello.image))
        return add_line(hello.image, descriptor);
    close(descriptor);
    return DM_OK;
}

static enum dm_status connect_all(const struct place *places, uint64_t run)
{
    int far = runtime.images - runtime.near_count;
    for (int image = runtime.image + 1; image <= runtime.images; image++)
        if (!caf_is_near(image))
            TRY(connect_to(image, places, run));
    while (line_count < far)
        TRY(accept_one(run));
    return DM_OK;
}

/* ---- the thread ---- */

static void lose(int line)
{
    int image = image_of[line];
    close(lines[line].fd);
    lines[line].fd = -1;
    if (!atomic_load(&others_end) && state_failed(image))
        atomic_store(&found_dead, 1);
    atomic_store(&gone[image], 1);
}

static void look_at(int line)
{
    char heard[64];
    ssize_t bytes = recv(lines[line].fd, heard, sizeof heard, MSG_DONTWAIT);
    if (bytes > 0 && memchr(heard, ENDING, (size_t)bytes))
        atomic_store(&others_end, 1);
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN && errno != EINTR))
        lose(line);
}

static void say(char what)
{
    for (int line = 0; line < line_count; line++)
        if (lines[line].fd >= 0)
            send(lines[line].fd, &what, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *watch(void *unused)
{
    double next_s = now_s(), ended_s = 0;
    (void)unused;
    for (;;) {
        double time = now_s();
        if (time >= next_s) {
            say(BEAT);
            next_s = time + 1e-3 * BEAT_MS;
        }
        if (poll(lines, (nfds_t)line_count + 1, (int)(1e3 * (next_s - time)) + 1) < 0)
            continue;
        if (lines[line_count].revents)
            return NULL;
        for (int line = 0; line < line_count; line++)
            if (lines[line].fd >= 0 && lines[line].revents)
                look_at(line);
        if (ended_s == 0 && atomic_load(&others_end))
            ended_s = time + ENDING_S;
        if (ended_s != 0 && time > ended_s)
            kill(getpid(), SIGKILL);
    }
}

/* Signals are the program's own thread's. */
static enum dm_status start_thread(void)
{
    sigset_t all, before;
    if (pipe(waker) != 0)
        return error_errno("a pipe");
    lines[line_count] = (struct pollfd){.fd = waker[0], .events = POLLIN};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    thread_runs = error == 0;
    errno = error;
    return thread_runs ? DM_OK : error_errno("a thread");
}

/* ---- start and end ---- */

static enum dm_status start(struct place *places)
{
    struct place mine;
    uint64_t run = 0;
    memset(&mine, 0, sizeof mine);
    enum dm_status status = listen_here(&mine);
    if (getrandom(&run, sizeof run, GRND_NONBLOCK) != (ssize_t)sizeof run)
        run = (uint64_t)getpid();
    TRY_MPI(MPI_Bcast(&run, 1, MPI_UINT64_T, 0, runtime.all));
    TRY_MPI(
        MPI_Allgather(&mine, sizeof mine, MPI_BYTE, places, sizeof mine, MPI_BYTE, runtime.all));
    TRY(status);
    TRY(connect_all(places, run));
    close(listener);
    listener = -1;
    return start_thread();
}

/* As many connections as far images. */
static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

enum dm_status watch_far_start(void)
{
    size_t count = (size_t)runtime.images + 1;
    struct place *places = calloc(count, sizeof *places);
    lines = calloc(count, sizeof *lines);
    image_of = calloc(count, sizeof *image_of);
    gone = calloc(count, sizeof *gone);
    line_count = 0;
    others_end = found_dead = 0;
    raise_limit();
    enum dm_status status =
        places && lines && image_of && gone ? start(places) : error_no_memory(count);
    free(places);
    return status;
}

void watch_far_end(void)
{
    if (thread_runs) {
        close(waker[1]);
        pthread_join(thread, NULL);
        close(waker[0]);
    }
    thread_runs = false;
    for (int line = 0; line < line_count; line++)
        if (lines[line].fd >= 0)
            close(lines[line].fd);
    if (listener >= 0)
        close(listener);
    listener = -1;
    line_count = 0;
    free(lines);
    free(image_of);
    free((void *)gone);
    lines = NULL;
    image_of = NULL;
    gone = NULL;
}

bool watch_far_is_gone(int image)
{
    return gone && atomic_load(&gone[image]);
}

bool watch_far_found_dead(void)
{
    return atomic_load(&found_dead);
}

void watch_far_say_ending(void)
{
    if (thread_runs)
        say(ENDING);
}
