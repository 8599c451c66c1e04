/* partition-ptx: the PTX that a program carries, each text in a file of the name under which the
 * run time looks for its data base. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "partition/image_hash.h"

#include "fatbin.h"

static const char help[] =
    "partition-ptx PROGRAM... [-o FOLDER] [-c CAPABILITY]\n\n"
    "Lists the PTX of programs and libraries that nvcc built: its hash, the GPU that it is for, its\n"
    "size. With -o each text becomes FOLDER/HASH.ptx; a data base of that name in the run time's\n"
    "folder serves the program:\n\n"
    "  partition-ptx program -o ~/.cache/datamotion\n"
    "  partition-analyse --ptx ~/.cache/datamotion/HASH.ptx -o ~/.cache/datamotion/HASH.db\n\n"
    "  -o FOLDER      where to write the texts, which must be there\n"
    "  -c CAPABILITY  of the GPU that the program will run on, 90 for 9.0 (default: the highest)\n"
    "  -h             this text\n\n"
    "Exit code: 0: there is PTX, 1: there is none; the last line says why.\n";

struct options {
    const char *folder;
    unsigned capability;
};

static void say(const char *name, const char *what)
{
    fprintf(stderr, "partition-ptx: %s: %s\n", name, what);
}

/* The whole file; NULL: it cannot be read. The caller frees it. */
static unsigned char *read_file(const char *name, size_t *bytes)
{
    struct stat about;
    FILE *file = fopen(name, "rb");
    unsigned char *contents = NULL;
    if (file && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode)) {
        *bytes = (size_t)about.st_size;
        contents = malloc(*bytes + 1);
    }
    if (contents && fread(contents, 1, *bytes, file) != *bytes) {
        free(contents);
        contents = NULL;
    }
    if (file)
        fclose(file);
    return contents;
}

static bool write_text(const char *folder, uint64_t hash, const char *text)
{
    char name[4096];
    int length = snprintf(name, sizeof name, "%s/%016" PRIx64 ".ptx", folder, hash);
    FILE *file = length > 0 && (size_t)length < sizeof name ? fopen(name, "w") : NULL;
    bool good = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        say(name, strerror(errno));
    return good;
}

/* Returns whether its text was found and, if requested, written. A program has fat binaries without
 * PTX, too: those of CUDA's own device functions. */
static bool take_text(const void *binary, size_t bytes, const struct options *options)
{
    char *text;
    unsigned architecture;
    if (fatbin_ptx(binary, bytes, options->capability, &text, &architecture) != DM_OK)
        return false;
    uint64_t hash = image_hash(text, strlen(text));
    printf("%016" PRIx64 " sm_%u %zu bytes\n", hash, architecture, strlen(text));
    bool good = !options->folder || write_text(options->folder, hash, text);
    free(text);
    return good;
}

/* Fat binaries lie at multiples of 8 bytes, whatever the file's format. */
static bool take_program(const char *name, const struct options *options)
{
    size_t bytes = 0, found = 0;
    bool good = false;
    unsigned char *contents = read_file(name, &bytes);
    if (!contents) {
        say(name, "cannot be read");
        return false;
    }
    for (size_t at = 0; at < bytes; at += 8) {
        size_t size = fatbin_size(contents + at, bytes - at);
        if (!size)
            continue;
        found++;
        good |= take_text(contents + at, size, options);
    }
    if (!found)
        say(name, "no fat binary: nvcc did not build it, or it has no kernels");
    else if (!good)
        say(name, dm_message());
    free(contents);
    return good;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    for (int option; (option = getopt(argc, argv, "o:c:h")) != -1;)
        switch (option) {
        case 'o':
            options.folder = optarg;
            break;
        case 'c':
            options.capability = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            return 1;
        }
    bool good = optind < argc;
    if (!good)
        say("which program?", "-h for help");
    for (int i = optind; i < argc; i++)
        good &= take_program(argv[i], &options);
    return good ? 0 : 1;
}
