/* partition_lift: kernels in PTX as LLVM IR. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "lift.h"

static const char help[] =
    "usage: partition-lift [--to-run | --launch LAUNCH] MODULE.ptx OUT.ll REFUSED\n"
    "  MODULE.ptx  what nvcc made: nvcc -ptx, or PTX out of a program\n"
    "  OUT.ll      its kernels for partition-wrap\n"
    "  REFUSED     gets a line `refused NAME REASON` for each kernel that cannot be lifted\n"
    "  --to-run    for the CPU, with lift_call_NAME(void **arguments) for each kernel\n"
    "  --launch    KERNEL:X,Y,Z:X,Y,Z:VALUES: for one launch: blocks, threads of a block, and a number\n"
    "              or - for each argument; REFUSED gets the conditions under which the result holds\n";

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "partition-lift: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static char *read_file(struct lift_memory *memory, const char *path, size_t *length)
{
    enum { CHUNK = 1 << 16 };
    FILE *file = fopen(path, "r");
    if (!file)
        stop(path, strerror(errno));
    size_t room = CHUNK, got;
    char *bytes = lift_allocate(memory, room);
    *length = 0;
    while ((got = fread(bytes + *length, 1, room - *length, file)) > 0) {
        *length += got;
        if (*length < room)
            continue;
        char *larger = lift_allocate(memory, 2 * room);
        memcpy(larger, bytes, room);
        bytes = larger;
        room *= 2;
    }
    if (ferror(file))
        stop(path, "cannot be read");
    fclose(file);
    return bytes;
}

static FILE *open_output(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        stop(path, strerror(errno));
    return file;
}

static void close_output(FILE *file, const char *path)
{
    bool is_bad = ferror(file);
    if (fclose(file) != 0 || is_bad)
        stop(path, "cannot be written");
}

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    bool to_run = argc > 1 && strcmp(argv[1], "--to-run") == 0;
    bool for_launch = argc > 2 && strcmp(argv[1], "--launch") == 0;
    int options = for_launch ? 2 : to_run;
    char **paths = argv + 1 + options;
    if (argc != 4 + options)
        stop("usage", "expected three files: see partition-lift -h");
    struct lift_module module = {0};
    struct lift_launch launch;
    size_t length;
    if (for_launch && lift_read_launch(&module.memory, argv[2], &launch) != DM_OK)
        stop("--launch", dm_message());
    module.launch = for_launch ? &launch : NULL;
    const char *text = read_file(&module.memory, paths[0], &length);
    if (lift_read(&module, text, length) != DM_OK)
        stop(paths[0], dm_message());
    FILE *out = open_output(paths[1]), *refused = open_output(paths[2]);
    lift_write(&module, to_run, out, refused);
    close_output(out, paths[1]);
    close_output(refused, paths[2]);
    lift_release(&module.memory);
    return EXIT_SUCCESS;
}
