#include "shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "agree.h"
#include "error.h"
#include "runtime.h"
#include "sync.h"
#include "team.h"
#include "watch.h"

/* Bytes of all parts of this image. */
static size_t created;

static enum dm_status because(const char *what, int error)
{
    return dm_fail(DM_NO_MEMORY, "%s: %s", what, strerror(error));
}

/* A line of /proc/meminfo in bytes; SIZE_MAX if it is not there. */
static size_t meminfo(const char *name)
{
    char line[128];
    size_t bytes = SIZE_MAX, length = strlen(name);
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            bytes = strtoull(line + length + 1, NULL, 10) * 1024;
            break;
        }
    if (file)
        fclose(file);
    return bytes;
}

/* Memory is given page by page when it is touched, and what is not there then kills the program. So
 * the request is compared with what is free, and all requests with what there is. */
static enum dm_status check_free(size_t bytes)
{
    size_t near = (size_t)runtime.near_count;
    size_t available = meminfo("MemAvailable"), total = meminfo("MemTotal");
    if (bytes > available / near)
        return dm_fail(DM_NO_MEMORY, "%zu bytes on each of %zu images, but this node has %zu free",
                       bytes, near, available);
    if (created > total / near - bytes)
        return dm_fail(DM_NO_MEMORY,
                       "%zu bytes beside %zu on each of %zu images, of %zu of this node", bytes,
                       created, near, total);
    return DM_OK;
}

static void *map(int descriptor, size_t bytes)
{
    void *part = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    /* Strided accesses of large coarrays touch many pages: large ones, where the system's
     * administrator lets shared memory have them. A refusal changes nothing. */
    if (part != MAP_FAILED)
        madvise(part, bytes, MADV_HUGEPAGE);
    return part;
}

/* The own part. */
static enum dm_status make(struct shared *shared, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int place = runtime.place_of[runtime.image];
    if (bytes > SIZE_MAX / 2)
        return dm_fail(DM_NO_MEMORY, "a coarray of more than half the address space");
    shared->bytes = bytes > 0 ? (bytes + page - 1) / page * page : page;
    TRY(check_free(shared->bytes));
    shared->part = calloc((size_t)runtime.near_count, sizeof *shared->part);
    if (!shared->part)
        return because("the table of parts", errno);
    shared->descriptor = memfd_create("coarrays", MFD_CLOEXEC);
    if (shared->descriptor < 0)
        return because("memfd_create", errno);
    if (ftruncate(shared->descriptor, (off_t)shared->bytes) != 0)
        return because("ftruncate", errno);
    void *part = map(shared->descriptor, shared->bytes);
    if (part == MAP_FAILED)
        return because("mmap", errno);
    shared->part[place] = part;
    created += shared->bytes;
    return DM_OK;
}

static enum dm_status map_other(struct shared *shared, int place, int pid, int descriptor)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, descriptor);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return because(path, errno);
    void *part = map(file, shared->bytes);
    int error = errno;
    close(file);
    if (part == MAP_FAILED)
        return because("mmap of another image's part", error);
    shared->part[place] = part;
    return DM_OK;
}

struct file {
    int pid, descriptor;
};

static enum dm_status tell_files(struct file mine, struct file *all)
{
    if (runtime.by_mpi || !current_team->slot)
        return status_of_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE,
                                           current_team->on_node));
    TRY(team_tell(&mine, sizeof mine));
    int near = 0;
    for (int i = 1; i <= current_team->images; i++) {
        if (!caf_is_near(current_team->member[i]))
            continue;
        if (team_told(i))
            all[near] = *(const struct file *)team_told(i);
        near++;
    }
    return DM_OK;
}

/* Memory in the place of an image that has failed: who still names it disturbs nobody. */
static enum dm_status map_nothing(struct shared *shared, int place)
{
    void *part = mmap(NULL, shared->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (part == MAP_FAILED)
        return because("mmap in place of a failed image's part", errno);
    shared->part[place] = part;
    return DM_OK;
}

/* A process that ends has closed its files some time before it is seen to have ended: on cores that
 * are busy, many milliseconds. */
static bool is_failing(int image)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    enum { PAUSES = 3000 };
    for (int i = 0; i < PAUSES; i++) {
        watch_images(true);
        if (image_state(image) == IMAGE_FAILED)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

static enum dm_status map_one(struct shared *shared, int image, struct file file)
{
    int place = runtime.place_of[image];
    if (file.pid == 0)
        return map_nothing(shared, place);
    enum dm_status status = map_other(shared, place, file.pid, file.descriptor);
    if (status == DM_OK || !current_team->slot)
        return status;
    return is_failing(image) ? map_nothing(shared, place) : status;
}

static enum dm_status map_others(struct shared *shared)
{
    struct file mine = {(int)getpid(), shared->descriptor};
    struct file *all = calloc((size_t)runtime.near_count, sizeof *all);
    enum dm_status status =
        agree_on_node(all ? DM_OK : error_no_memory((size_t)runtime.near_count * sizeof *all));
    if (status == DM_OK)
        status = tell_files(mine, all);
    int told = 0;
    for (int i = 1; i <= current_team->images && status == DM_OK; i++) {
        int image = current_team->member[i];
        if (!caf_is_near(image))
            continue;
        if (image != runtime.image)
            status = map_one(shared, image, all[told]);
        told++;
    }
    free(all);
    return status;
}

/* ---- the same addresses for all ---- */

/* Far from where systems put programs, libraries, heaps and stacks; the lower ones for processors
 * with fewer bits of address. */
static const uintptr_t candidates[] = {0x200000000000, 0x280000000000, 0x300000000000,
                                       0x100000000000, 0x4000000000,   0x2000000000};

static enum dm_status reserve(uintptr_t address, size_t bytes)
{
    void *wanted = (void *)address;
    void *got = mmap(wanted, bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted)
        return DM_OK;
    int error = errno;
    if (got != MAP_FAILED)
        munmap(got, bytes);
    return because("addresses that are free on all images", got == MAP_FAILED ? error : EEXIST);
}

static enum dm_status reserve_alike(size_t bytes, uintptr_t *address)
{
    enum dm_status status = DM_OK;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        enum dm_status own = reserve(candidates[i], bytes);
        status = agree_on_node(own);
        if (status == DM_OK) {
            *address = candidates[i];
            return DM_OK;
        }
        if (own == DM_OK)
            munmap((void *)candidates[i], bytes);
    }
    return status;
}

static enum dm_status move_alike(struct shared *shared)
{
    uintptr_t address = 0;
    TRY(reserve_alike(shared->bytes * (size_t)runtime.near_count, &address));
    for (int place = 0; place < runtime.near_count; place++) {
        void *to = (void *)(address + (size_t)place * shared->bytes);
        if (!shared->part[place])
            continue;
        void *moved = mremap(shared->part[place], shared->bytes, shared->bytes,
                             MREMAP_MAYMOVE | MREMAP_FIXED, to);
        if (moved == MAP_FAILED)
            return because("mremap", errno);
        shared->part[place] = moved;
    }
    return DM_OK;
}

/* Names the image whose status it is. */
static enum dm_status of_this_image(enum dm_status status, size_t bytes)
{
    if (status == DM_OK)
        return DM_OK;
    return error_within(status, "%s: image %d cannot have %zu bytes", caf_statement, runtime.image,
                        bytes);
}

enum dm_status shared_create(struct shared *shared, size_t bytes, enum shared_addresses addresses)
{
    *shared = (struct shared){.descriptor = -1};
    enum dm_status status = agree_on_node(of_this_image(make(shared, bytes), bytes));
    if (status == DM_OK)
        status = agree_on_node(of_this_image(map_others(shared), bytes));
    if (status == DM_OK && addresses == SHARED_ALIKE)
        status = agree_on_node(of_this_image(move_alike(shared), bytes));
    if (status != DM_OK)
        shared_destroy(shared);
    return status;
}

void shared_destroy(struct shared *shared)
{
    if (shared->part && shared->part[runtime.place_of[runtime.image]])
        created -= shared->bytes;
    for (int place = 0; shared->part && place < runtime.near_count; place++)
        if (shared->part[place])
            munmap(shared->part[place], shared->bytes);
    free(shared->part);
    if (shared->descriptor >= 0)
        close(shared->descriptor);
    *shared = (struct shared){.descriptor = -1};
}
