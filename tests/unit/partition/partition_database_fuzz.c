/* partition_database_fuzz: the reader of data bases, and access.c, on broken files.
 *
 *     partition_database_fuzz [--seconds N] [--seed N] [FILE.db]...
 *
 * Changes data bases at random: either a sentence comes out, or a data base whose kernels can be
 * asked for their accesses. To be built with -fsanitize=address,undefined. */
#include "common/clock.h"
#include "common/harness/exit.h"
#define FUZZ_MOST_BYTES (1 << 16)
#include "tests/unit/fuzz_text.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <datamotion/partition.h>

enum { SEEDS_MAX = 16 };

static const char builtin[] =
    "datamotion-partition 1\nkernel scale\n source s.cu\n coordinates gy ox bx tx\n split y\n"
    " invalid [N] -> { : N >= 1000 }\n define p_1 = 2 * (N + launch_block_x) - 1\n argument 0\n"
    "  name data\n  type float*\n  bits 0\n  element_bits 32\n  fundamental f\n  dims 2\n  level 1\n"
    "  sizes [p_1] -> { [] -> [(p_1)] }\n"
    "  read [N] -> { [gy, ox, bx, tx] -> data[gy, ox + tx] : 0 <= tx < N }\n"
    "  read_access [N] -> { [gy, ox, bx, tx] -> data[gy, ox + tx] : 0 <= tx < N }\n"
    "  read_domain_dims 5\n  read_pattern N\n"
    "  write { [gy, ox, bx, tx] -> data[gy, bx] : (gy + bx) mod 2 = 0 and 0 <= gy <= 40 }\n"
    "  write_access { [gy, ox, bx, tx] -> data[gy, bx] : (gy + bx) mod 2 = 0 and 0 <= gy <= 40 }\n"
    "  write_pattern -\n  injective yes\n argument 1\n  name N\n  type i32\n  bits 32\n"
    "  element_bits 0\n  fundamental i\n  dims 0\n  level 0\n end\nrefused histogram atomics\n"
    "touches scale w-\nmodule 0123456789abcdef\n";
static const char *const words[] = {
    "kernel",
    "source",
    "coordinates",
    "gx",
    "ty",
    "split",
    "invalid",
    "define",
    "argument",
    "sizes",
    "read",
    "whole",
    "write",
    "end",
    "refused",
    "module",
    "source_hash",
    "0123456789abcdef",
    "touches",
    "rw-",
    "may_write yes",
    "read_access",
    "read_domain_dims",
    "dims",
    "level",
    "0",
    "1",
    "-1",
    "2",
    "7",
    "99999999999",
    "{",
    "}",
    "[",
    "]",
    "->",
    "mod 3",
    "floor",
    "exists",
    "and",
    "or",
    "<=",
    ">",
    "launch_size_x",
    "N",
    "p_1",
    "( ",
    ")",
    "-",
    "*",
    "\n",
    "\n\n",
    " ",
    "9223372036854775807",
};
enum { WORDS = sizeof words / sizeof *words };

/* isl's parser loses words of texts that it refuses. An object of isl that is lost by us keeps its
 * context, whose memory is not from this function, and is still found. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:isl_malloc_or_die\n";
}

static char *seeds[SEEDS_MAX];
static size_t seed_count;

static void change_word(void)
{
    replace_word(words[draw(WORDS)], " \t\r\n\v\f");
}

static void change_digit(void)
{
    size_t at = draw(length + 1);
    while (at < length && !isdigit((unsigned char)bytes[at]))
        at++;
    if (at < length)
        bytes[at] = (char)('0' + draw(10));
}

static void insert_piece(void)
{
    const char *from = seeds[draw(seed_count)];
    size_t begin = draw(strlen(from)), rest = strlen(from) - begin;
    splice(draw(length + 1), 0, from + begin, draw(rest < 300 ? rest : 300));
}

static void drop_line(void)
{
    size_t at = draw(length + 1), end = at;
    while (at > 0 && bytes[at - 1] != '\n')
        at--;
    while (end < length && bytes[end] != '\n')
        end++;
    splice(at, end - at + 1, "", 0);
}

static void mutate(void)
{
    static void (*const changes[])(void) = {change_byte,  change_word,  change_word, change_digit,
                                            change_digit, insert_piece, drop_line};
    const char *seed = seeds[draw(seed_count)];
    length = strlen(seed);
    memcpy(bytes, seed, length);
    for (size_t times = draw(2) ? 1 : draw(6); times > 0; times--)
        changes[draw(sizeof changes / sizeof *changes)]();
}

/* ---- what must hold ---- */

static void show_bytes(void)
{
    fprintf(stderr, "---- the file:\n");
    fwrite(bytes, 1, length, stderr);
    fprintf(stderr, "\n----\n");
}

/* An error has a sentence, which is not an older one. */
static void check_sentence(enum dm_status status)
{
    if (status != DM_OK && !strcmp(dm_message(), "none yet"))
        fail("refused without a reason");
    dm_fail(DM_OK, "none yet");
}

static void check_set(const struct partition_intervals *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].begin >= set->items[i].end ||
            (i > 0 && set->items[i - 1].end >= set->items[i].begin))
            fail("interval %zu is empty or not behind the one before", i);
}

static void ask(const struct partition_kernel *kernel, size_t argument, bool write,
                const int64_t *scalars)
{
    struct partition_shape shape = {{1 + (unsigned)draw(3), 2, 1}, {1 + (unsigned)draw(5), 3, 1}};
    struct partition_part part = {.offset = {0, 1, 0}, .blocks = {1, 1, 1}};
    const struct partition_launch launch = {kernel, scalars, &shape};
    struct partition_intervals set = {0};
    enum partition_extent extent;
    enum dm_status status =
        partition_accesses(&launch, argument, write, &part, draw(3), &set, &extent, NULL);
    check_sentence(status);
    if ((status != DM_OK || extent != PARTITION_ELEMENTS) && set.count > 0)
        fail("there is no set, yet it has elements");
    check_set(&set);
    partition_intervals_free(&set);
    check_sentence(partition_check_launch(&launch));
}

static void check_database(struct partition_database *database)
{
    for (size_t k = 0; k < database->kernel_count; k++) {
        struct partition_kernel *kernel = &database->kernels[k];
        if (kernel->refusal)
            continue;
        int64_t *scalars = allocate_or_fail(kernel->argument_count + 1, sizeof *scalars);
        for (size_t i = 0; i < kernel->argument_count; i++)
            scalars[i] = draw(8) ? (int64_t)draw(20) : (int64_t)random_bits(random_seed, draw(99));
        for (size_t i = 0; i < 2 * kernel->argument_count; i++)
            ask(kernel, i / 2, i % 2, scalars);
        free(scalars);
    }
}

static bool try_text(void)
{
    char path[64];
    int file = memfd_create("database", MFD_CLOEXEC);
    check_errno(file >= 0);
    check_errno(write(file, bytes, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct partition_database *database;
    enum dm_status status = partition_database_load(&database, path);
    close(file);
    check_sentence(status);
    if (status != DM_OK)
        return false;
    check_database(database);
    partition_database_free(database);
    return true;
}

/* ---- the program ---- */

static void add_seed(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file || seed_count == SEEDS_MAX)
        fail("%s: no such file, or more than %d", path, SEEDS_MAX);
    char *seed = allocate_or_fail(FUZZ_MOST_BYTES, 1);
    seed[fread(seed, 1, FUZZ_MOST_BYTES - 1, file)] = 0;
    fclose(file);
    if (!*seed)
        fail("%s is empty", path);
    seeds[seed_count++] = seed;
}

int main(int argc, char **argv)
{
    seeds[seed_count++] = strdup(builtin);
    double seconds = read_options(argc, argv, add_seed);
    size_t tried = 0, accepted = 0;
    double slowest_s = 0;
    begin_watch(show_bytes);
    for (double end_s = clock_now_s() + seconds; clock_now_s() < end_s; tried++) {
        double start_s = clock_now_s();
        mutate();
        accepted += try_text();
        double time_s = clock_now_s() - start_s;
        slowest_s = time_s > slowest_s ? time_s : slowest_s;
    }
    printf("%zu files tried, %zu of them accepted, the slowest in %.1f s; seed %llu\n", tried,
           accepted, slowest_s, (unsigned long long)random_seed);
    end_watch();
    for (size_t i = 0; i < seed_count; i++)
        free(seeds[i]);
    return 0;
}
