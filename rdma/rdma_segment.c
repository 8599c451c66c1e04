/* rdma_segment.c: memory that two ranks map: POSIX shared memory, or, where /dev/shm is too
 * small (64 MiB in many containers), a memory file that the other rank opens through /proc. */
#include "rdma_internal.h"

#include "ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where the other rank finds it. */
struct path {
    char text[80];
};

/* Who takes more is killed instead of told. */
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

static void fail_to_fit(size_t bytes, int error)
{
    fail("%zu bytes of memory for both ranks could not be had, %zu are available: %s; choose "
         "smaller blocks or a smaller window",
         bytes, available_bytes(), strerror(error));
}

/* With all pages: a page that is missing later is no error that could be reported, but SIGBUS.
 * Returns 0 or an error number. */
static int allocate_pages(int file, size_t bytes)
{
    if (ftruncate(file, (off_t)bytes) != 0)
        return errno;
    return posix_fallocate(file, 0, (off_t)bytes);
}

/* -1 if it does not fit. */
static int make_named(struct path *path, size_t bytes)
{
    static int made;
    snprintf(path->text, sizeof path->text, "/dev/shm/datamotion-rdma-%ld-%d", (long)getpid(),
             made++);
    int file = open(path->text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && allocate_pages(file, bytes) != 0) {
        unlink(path->text);
        close(file);
        file = -1;
    }
    return file;
}

static int make_nameless(struct path *path, size_t bytes)
{
    int file = memfd_create("datamotion-rdma", MFD_CLOEXEC);
    check_errno(file >= 0);
    int error = allocate_pages(file, bytes);
    if (error != 0)
        fail_to_fit(bytes, error);
    snprintf(path->text, sizeof path->text, "/proc/%ld/fd/%d", (long)getpid(), file);
    return file;
}

static int find(const struct path *path, int peer)
{
    int file = open(path->text, O_RDWR | O_CLOEXEC);
    if (file < 0)
        fail("memory of rank %d cannot be opened as %s: %s; both ranks must belong to one user and "
             "run in one container",
             peer, path->text, strerror(errno));
    return file;
}

/* Both ranks have the file open, and it has no name any more, when this returns. */
static int open_file(const struct rdma_config *config, size_t bytes)
{
    struct path mine = {{0}}, theirs;
    char here = 0, there;
    int rank, file;
    check_mpi(MPI_Comm_rank(config->ranks, &rank));
    if (rank > config->peer) {
        rdma_exchange(config, &mine, &theirs, sizeof mine);
        file = find(&theirs, rdma_world_rank(config, config->peer));
        rdma_exchange(config, &here, &there, sizeof here);
        return file;
    }
    if (bytes > available_bytes())
        fail_to_fit(bytes, ENOMEM);
    file = make_named(&mine, bytes);
    bool named = file >= 0;
    if (!named)
        file = make_nameless(&mine, bytes);
    rdma_exchange(config, &mine, &theirs, sizeof mine);
    rdma_exchange(config, &here, &there, sizeof here);
    check_errno(!named || unlink(mine.text) == 0);
    return file;
}

struct rdma_segment rdma_segment_open(const struct rdma_config *config, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct rdma_segment segment = {.bytes = (bytes + page - 1) / page * page};
    int file = open_file(config, segment.bytes);
    segment.base =
        mmap(NULL, segment.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    check_errno(segment.base != MAP_FAILED);
    close(file);
    if (config->device < 0)
        return segment;
    check_cuda(cudaHostRegister(segment.base, segment.bytes,
                                cudaHostRegisterMapped | cudaHostRegisterPortable));
    check_cuda(cudaHostGetDevicePointer(&segment.device_base, segment.base, 0));
    segment.registered = true;
    return segment;
}

void rdma_segment_close(struct rdma_segment *segment)
{
    if (segment->registered)
        check_cuda(cudaHostUnregister(segment->base));
    check_errno(munmap(segment->base, segment->bytes) == 0);
    *segment = (struct rdma_segment){0};
}
