/* partition_bind: says in a data base which source it was made of and which modules it is for.
 *
 *     source_hash HASH    of the source's text and the flags
 *     module HASH         of a module, one line each
 *
 * Neither LLVM nor isl is needed, so that a node without them can bind a data base that another
 * machine made to the module that was compiled here, if both are of the same source. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition/image_hash.h"

static const char help[] =
    "usage: partition-bind SOURCE DATABASE [FLAG ...] [--modules MODULE ...] > NEW_DATABASE\n"
    "  SOURCE     the kernels' source, of which DATABASE was made\n"
    "  FLAG       for the compiler, as they were when DATABASE was made\n"
    "  --modules  files that the source was compiled to: the data base is for these alone\n";

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "partition-bind: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

struct text {
    char *bytes;
    size_t count;
};

static struct text read_file(const char *path)
{
    struct text text = {0};
    size_t room = 0, got;
    FILE *file = fopen(path, "r");
    if (!file)
        stop(path, strerror(errno));
    do {
        if (text.count == room && !(text.bytes = realloc(text.bytes, (room += room + 65536) + 1)))
            stop(path, "there is no memory for it");
        got = fread(text.bytes + text.count, 1, room - text.count, file);
        text.count += got;
    } while (got);
    if (ferror(file))
        stop(path, "cannot be read");
    fclose(file);
    text.bytes[text.count] = 0;
    return text;
}

/* Of the source and the flags before --modules; *next is the argument behind them. */
static uint64_t hash_source(char **argv, int argc, int *next)
{
    struct text source = read_file(argv[1]);
    uint64_t hash = image_hash_bytes(IMAGE_HASH_START, source.bytes, source.count);
    free(source.bytes);
    for (*next = 3; *next < argc && strcmp(argv[*next], "--modules") != 0; ++*next)
        hash = image_hash_bytes(hash, argv[*next], strlen(argv[*next]) + 1);
    return hash;
}

static void print_modules(char **paths, int count)
{
    for (int i = 0; i < count; i++) {
        struct text module = read_file(paths[i]);
        printf("module %016" PRIx64 "\n", image_hash(module.bytes, module.count));
        free(module.bytes);
    }
}

/* The line's value if it begins with the key, else NULL. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length : NULL;
}

static void check_source(const char *path, const char *known, uint64_t hash)
{
    if (strtoull(known, NULL, 16) != hash)
        stop(path, "it was made of another version of the source, or with other flags: analyse the "
                   "source again");
}

/* All lines behind the first but those that say what the data base belongs to. */
static void copy_rest(const char *path, char *rest, uint64_t hash)
{
    while (*rest) {
        size_t length = strcspn(rest, "\n");
        char *next = rest + length + (rest[length] != 0);
        const char *source = value_of(rest, "source_hash ");
        if (source)
            check_source(path, source, hash);
        else if (!value_of(rest, "module "))
            fwrite(rest, 1, (size_t)(next - rest), stdout);
        rest = next;
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    if (argc < 3)
        stop("usage", "expected a source and a data base: see partition-bind -h");
    int next;
    uint64_t hash = hash_source(argv, argc, &next);
    struct text database = read_file(argv[2]);
    if (!value_of(database.bytes, "datamotion-partition 1\n"))
        stop(argv[2], "is no data base");
    printf("datamotion-partition 1\nsource_hash %016" PRIx64 "\n", hash);
    if (next < argc)
        print_modules(argv + next + 1, argc - next - 1);
    copy_rest(argv[2], strchr(database.bytes, '\n') + 1, hash);
    free(database.bytes);
    if (fflush(stdout) != 0)
        stop("standard output", "cannot be written");
    return EXIT_SUCCESS;
}
