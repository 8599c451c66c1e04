#include "prefetch/sip/spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"

struct spill_file {
    char *directory;
    int descriptor; /* -1: not made yet */
    uint64_t limit, end, used;
    struct spill_slot *holes; /* free places before `end`, ascending, no two adjacent */
    size_t hole_count, hole_capacity;
};

enum dm_status spill_file_create(struct spill_file **created, const char *directory,
                                 uint64_t limit_bytes)
{
    if (!directory)
        directory = getenv("TMPDIR");
    if (!directory || !*directory)
        directory = "/tmp";
    struct spill_file *file = calloc(1, sizeof *file);
    char *name = strdup(directory);
    *created = file;
    if (!file || !name) {
        free(file);
        free(name);
        *created = NULL;
        return error_no_memory(sizeof *file + strlen(directory) + 1);
    }
    *file = (struct spill_file){
        .directory = name, .descriptor = -1, .limit = limit_bytes ? limit_bytes : INT64_MAX};
    return DM_OK;
}

void spill_file_destroy(struct spill_file *file)
{
    if (!file)
        return;
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->holes);
    free(file->directory);
    free(file);
}

uint64_t spill_file_used_bytes(const struct spill_file *file)
{
    return file->used;
}

/* Not every file system knows files without a name from the start. */
static int open_named(const char *directory)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/datamotion-spill-XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof path)
        return -1;
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0)
        unlink(path);
    return descriptor;
}

static bool make_file(struct spill_file *file)
{
    if (file->descriptor < 0)
        file->descriptor = open(file->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file->descriptor < 0)
        file->descriptor = open_named(file->directory);
    return file->descriptor >= 0;
}

static void remove_hole(struct spill_file *file, size_t at)
{
    file->hole_count--;
    memmove(&file->holes[at], &file->holes[at + 1], (file->hole_count - at) * sizeof *file->holes);
}

/* The first hole that is large enough, or the end of the file. */
static bool reserve(struct spill_file *file, uint64_t bytes, struct spill_slot *slot)
{
    for (size_t i = 0; i < file->hole_count; i++) {
        struct spill_slot *hole = &file->holes[i];
        if (hole->bytes < bytes)
            continue;
        *slot = (struct spill_slot){hole->offset, bytes};
        hole->offset += bytes;
        hole->bytes -= bytes;
        if (hole->bytes == 0)
            remove_hole(file, i);
        file->used += bytes;
        return true;
    }
    if (file->end > file->limit || bytes > file->limit - file->end)
        return false;
    *slot = (struct spill_slot){file->end, bytes};
    file->end += bytes;
    file->used += bytes;
    return true;
}

static size_t first_hole_after(const struct spill_file *file, uint64_t offset)
{
    size_t low = 0, high = file->hole_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (file->holes[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert_hole(struct spill_file *file, size_t at, struct spill_slot hole)
{
    if (file->hole_count == file->hole_capacity) {
        size_t capacity = file->hole_capacity ? 2 * file->hole_capacity : 64;
        struct spill_slot *holes = realloc(file->holes, capacity * sizeof *holes);
        if (!holes)
            return false;
        file->holes = holes;
        file->hole_capacity = capacity;
    }
    memmove(&file->holes[at + 1], &file->holes[at], (file->hole_count - at) * sizeof *file->holes);
    file->holes[at] = hole;
    file->hole_count++;
    return true;
}

void spill_file_release(struct spill_file *file, struct spill_slot *slot)
{
    struct spill_slot hole = *slot;
    *slot = (struct spill_slot){0};
    if (hole.bytes == 0)
        return;
    file->used -= hole.bytes;
    size_t at = first_hole_after(file, hole.offset);
    if (at < file->hole_count && hole.offset + hole.bytes == file->holes[at].offset) {
        hole.bytes += file->holes[at].bytes;
        remove_hole(file, at);
    }
    if (at > 0 && file->holes[at - 1].offset + file->holes[at - 1].bytes == hole.offset) {
        hole.offset = file->holes[at - 1].offset;
        hole.bytes += file->holes[at - 1].bytes;
        remove_hole(file, --at);
    }
    if (hole.offset + hole.bytes == file->end)
        file->end = hole.offset;
    else
        insert_hole(file, at, hole); /* without memory for it, the place stays unused */
    /* Only an empty file gets shorter: blocks leave and return too often to ask the disk for space
     * each time. If that fails, the space is used again later. */
    if (file->end == 0)
        (void)!ftruncate(file->descriptor, 0);
}

static enum store_outcome status_of(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG ? STORE_NO_SPACE : STORE_DISK_ERROR;
}

static enum store_outcome write_all(int descriptor, const char *data, uint64_t bytes,
                                    uint64_t offset)
{
    while (bytes > 0) {
        ssize_t written = pwrite(descriptor, data, bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? status_of(errno) : STORE_NO_SPACE;
        data += written;
        bytes -= (uint64_t)written;
        offset += (uint64_t)written;
    }
    return STORE_OK;
}

enum store_outcome spill_file_write(struct spill_file *file, struct spill_slot *slot,
                                    const void *data, uint64_t bytes)
{
    bool is_new = slot->bytes == 0;
    if (!make_file(file))
        return status_of(errno);
    if (is_new && !reserve(file, bytes, slot))
        return STORE_NO_SPACE;
    enum store_outcome status = write_all(file->descriptor, data, bytes, slot->offset);
    if (status != STORE_OK && is_new)
        spill_file_release(file, slot);
    return status;
}

enum store_outcome spill_file_read(struct spill_file *file, const struct spill_slot *slot,
                                   void *data)
{
    char *to = data;
    for (uint64_t done = 0; done < slot->bytes;) {
        ssize_t count =
            pread(file->descriptor, to + done, slot->bytes - done, (off_t)(slot->offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return STORE_DISK_ERROR;
        done += (uint64_t)count;
    }
    return STORE_OK;
}
