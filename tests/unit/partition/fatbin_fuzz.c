/* fatbin_fuzz: the reader of fat binaries on broken ones.
 *
 *     fatbin_fuzz [--seconds N] [--seed N] [PROGRAM]...
 *
 * Changes fat binaries at random, those of programs that nvcc built and some that are made here:
 * either a sentence comes out, or a text that ends. The bytes lie at the end of an allocation, so
 * that AddressSanitizer sees a read behind them. To be built with -fsanitize=address,undefined. */
#include <stdio.h>

#include "common/clock.h"
#include "partition/fatbin/fatbin.h"
#include "tests/unit/fuzz.h"

#include "fatbin_build.h"

#include <datamotion/status.h>

enum { SEEDS_MAX = 64, FILE_MAX = 64 << 20 };

static struct {
    unsigned char *bytes;
    size_t size;
} seeds[SEEDS_MAX];
static size_t seed_count;

static unsigned char *input; /* the one that is tried */
static size_t input_size;

static void show_bytes(void)
{
    fprintf(stderr, "input of %zu bytes:", input_size);
    for (size_t i = 0; i < input_size; i++)
        fprintf(stderr, "%s%02x", i % 32 ? " " : "\n", input[i]);
    fprintf(stderr, "\n");
}

static void add_seed(const void *bytes, size_t size)
{
    if (seed_count == SEEDS_MAX)
        return;
    seeds[seed_count].bytes = malloc(size);
    memcpy(seeds[seed_count].bytes, bytes, size);
    seeds[seed_count++].size = size;
}

static void add_built(unsigned flags)
{
    static struct built built;
    fatbin_begin(&built);
    bool good = fatbin_add(&built, MACHINE_CODE, 75, PLAIN, "\177ELF and what is behind it") &&
                fatbin_add(&built, PTX, 75, flags, ".version 9.0 .version 9.0 .version 9.0 ") &&
                fatbin_add(&built, PTX, 90, flags | SPECIFIC, ".version 9.0 .target sm_90a");
    if (good)
        add_seed(built.bytes, built.size);
}

static void add_program(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(FILE_MAX);
    size_t size = file && bytes ? fread(bytes, 1, FILE_MAX, file) : 0, found = 0;
    for (size_t at = 0; at < size; at += 8) {
        size_t length = fatbin_size(bytes + at, size - at);
        if (length && length < FATBIN_ROOM) {
            add_seed(bytes + at, length);
            found++;
        }
    }
    if (!found)
        fail("%s: no fat binary in it", path);
    fclose(file);
    free(bytes);
}

/* Where fields are, more often than anywhere else. */
static size_t some_place(void)
{
    size_t field = draw(2) ? draw(96) : 8 * draw(input_size / 8);
    return field < input_size ? field : draw(input_size);
}

static void change(void)
{
    static const uint64_t values[] = {
        0,      1,      2,         16,         63,        64,         80,
        0x2011, 0x8011, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 15};
    size_t at = some_place(), bytes = (size_t)1 << draw(4);
    if (bytes > input_size - at)
        bytes = 1;
    uint64_t value = draw(2) ? values[draw(sizeof values / sizeof *values)] : draw(1 << 20);
    memcpy(input + at, &value, bytes);
}

static void make_input(void)
{
    size_t seed = draw(seed_count), size = seeds[seed].size;
    input_size = draw(4) ? size : 1 + draw(size);
    input = malloc(input_size);
    memcpy(input, seeds[seed].bytes, input_size);
    for (size_t times = draw(5); times > 0; times--)
        change();
}

static void try_input(void)
{
    char *ptx;
    unsigned architecture;
    dm_fail(DM_OK, "none yet");
    enum dm_status status =
        fatbin_ptx(input, input_size, draw(2) ? 0 : 75 + draw(30), &ptx, &architecture);
    if ((status == DM_OK) != (ptx != NULL))
        fail("a text with an error, or an error without");
    if (status != DM_OK && !strcmp(dm_message(), "none yet"))
        fail("refused without a reason");
    if (ptx)
        random_count += strlen(ptx) % 2; /* reads all of it */
    free(ptx);
}

int main(int argc, char **argv)
{
    double seconds = read_options(argc, argv, add_program), end_s = clock_now_s() + seconds;
    add_built(PLAIN);
    add_built(ZSTD);
    add_built(LZ4);
    size_t tried = 0;
    begin_watch(show_bytes);
    for (; clock_now_s() < end_s; tried++) {
        make_input();
        try_input();
        free(input);
    }
    end_watch();
    printf("%zu fat binaries of %zu seeds\n", tried, seed_count);
    return 0;
}
