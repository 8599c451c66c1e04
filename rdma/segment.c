/* segment.c: memory that two ranks map: POSIX shared memory, or, where /dev/shm is too small (64
 * MiB in many containers), a memory file that the other rank opens through /proc. */
#include "segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/error_cuda.h"

#include "path.h"

/* Where the other rank finds it. */
struct place {
    char name[80];
};

/* A process that takes more is killed, without an error. */
static size_t available_bytes(void)
{
    char line[128];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kib == 0 && fgets(line, sizeof line, file))
        sscanf(line, "MemAvailable: %llu kB", &kib);
    if (file)
        fclose(file);
    return kib ? (size_t)kib << 10 : SIZE_MAX;
}

static enum dm_status fail_to_fit(size_t bytes, int error)
{
    return dm_fail(DM_NO_MEMORY,
                   "%zu bytes of memory for both ranks are not available, only %zu are: %s; choose "
                   "smaller blocks or a smaller window",
                   bytes, available_bytes(), strerror(error));
}

/* Returns 0 or an error number. */
static int allocate_pages(int file, size_t bytes)
{
    if (ftruncate(file, (off_t)bytes) != 0)
        return errno;
    return posix_fallocate(file, 0, (off_t)bytes);
}

/* -1 if it does not fit. */
static int make_named(struct place *place, size_t bytes)
{
    static int made;
    snprintf(place->name, sizeof place->name, "/dev/shm/datamotion-rdma-%ld-%d", (long)getpid(),
             made++);
    int file = open(place->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && allocate_pages(file, bytes) != 0) {
        unlink(place->name);
        close(file);
        file = -1;
    }
    return file;
}

static enum dm_status make_nameless(struct place *place, size_t bytes, int *file)
{
    *file = memfd_create("datamotion-rdma", MFD_CLOEXEC);
    if (*file < 0)
        return error_errno("memfd_create");
    int error = allocate_pages(*file, bytes);
    if (error != 0)
        return fail_to_fit(bytes, error);
    snprintf(place->name, sizeof place->name, "/proc/%ld/fd/%d", (long)getpid(), *file);
    return DM_OK;
}

static enum dm_status make(struct place *place, size_t bytes, int *file, bool *is_named)
{
    if (bytes > available_bytes())
        return fail_to_fit(bytes, ENOMEM);
    *file = make_named(place, bytes);
    *is_named = *file >= 0;
    return *is_named ? DM_OK : make_nameless(place, bytes, file);
}

static enum dm_status find(const struct place *place, int owner, int *file)
{
    *file = open(place->name, O_RDWR | O_CLOEXEC);
    if (*file >= 0)
        return DM_OK;
    return dm_fail(DM_UNAVAILABLE,
                   "memory of rank %d cannot be opened as %s: %s; both ranks must belong to one "
                   "user and run in one container",
                   owner, place->name, strerror(errno));
}

/* Both ranks have the file open, and it has no name any more, when these return DM_OK. */
static enum dm_status make_for_both(struct contact *contact, size_t bytes, int *file)
{
    struct place mine = {{0}}, theirs;
    bool is_named = false;
    enum dm_status status = make(&mine, bytes, file, &is_named);
    status = contact_exchange(contact, status, &mine, &theirs, sizeof mine);
    if (status == DM_OK)
        status = contact_agree(contact, DM_OK);
    if (is_named)
        unlink(mine.name);
    return status;
}

static enum dm_status find_for_both(struct contact *contact, int *file)
{
    struct place mine = {{0}}, theirs;
    TRY(contact_exchange(contact, DM_OK, &mine, &theirs, sizeof mine));
    return contact_agree(contact, find(&theirs, contact->world_peer, file));
}

static enum dm_status map(struct segment *segment, int device, int file)
{
    void *base =
        mmap(NULL, segment->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (base == MAP_FAILED)
        return error_errno("mmap of %zu bytes", segment->bytes);
    segment->base = base;
    if (device < 0)
        return DM_OK;
    TRY_CUDA(
        cudaHostRegister(base, segment->bytes, cudaHostRegisterMapped | cudaHostRegisterPortable));
    segment->is_registered = true;
    return status_of_cuda(cudaHostGetDevicePointer(&segment->device_base, base, 0));
}

enum dm_status segment_open(struct segment *segment, struct contact *contact, int device,
                            size_t bytes)
{
    int file = -1;
    *segment = (struct segment){.bytes = round_up(bytes, (size_t)sysconf(_SC_PAGESIZE))};
    enum dm_status status = contact->rank < contact->peer
                                ? make_for_both(contact, segment->bytes, &file)
                                : find_for_both(contact, &file);
    if (status == DM_OK)
        status = map(segment, device, file);
    if (file >= 0)
        close(file);
    return status;
}

void segment_close(struct segment *segment)
{
    if (segment->is_registered)
        cudaHostUnregister(segment->base);
    if (segment->base)
        munmap(segment->base, segment->bytes);
    *segment = (struct segment){0};
}
