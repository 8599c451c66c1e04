/* sparse_market_fuzz: the reader of Matrix Market files on broken files.
 *
 *     sparse_market_fuzz [--seconds N] [--seed N]
 *
 * Changes files at random and checks what comes out: a sentence with a line that exists, or a
 * finished matrix that is written and read again as it was. Some files are compressed and then
 * changed. To be built with -fsanitize=address,undefined. */

#include <datamotion/spmv.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#define FUZZ_MOST_BYTES 8192
#include "tests/unit/fuzz_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define BANNER "%%MatrixMarket matrix "
static const char *const seeds[] = {
    BANNER "coordinate real general\n% a\n3 4 5\n1 1 1.5\n2 3 -2e2\n\n1 2 .25\n3 4 1\n1 2 7\n",
    BANNER "coordinate integer symmetric\r\n3 3 3\r\n1 1 1\r\n3 1 -2\r\n3 3 4\r\n",
    BANNER "coordinate pattern general\n2147483647 2147483647 2\n1 2\n2147483647 2\n",
    BANNER "coordinate real skew-symmetric\n% a\n%\n4 4 2\n3 1 1e308\n4 3 3\n",
    BANNER "array real general\n2 3\n1\n2\n3\n0\n5\n6\n",
    BANNER "array integer hermitian\n3 3\n1\n2\n3\n4\n5\n6\n",
};
static const char *const words[] = {"%%MatrixMarket",
                                    "matrix",
                                    "coordinate",
                                    "array",
                                    "real",
                                    "integer",
                                    "pattern",
                                    "complex",
                                    "general",
                                    "symmetric",
                                    "skew-symmetric",
                                    "hermitian",
                                    "%",
                                    "\n",
                                    "\r\n",
                                    "\n\n",
                                    " ",
                                    "\t",
                                    "0",
                                    "1",
                                    "2",
                                    "3",
                                    "4",
                                    "-1",
                                    "+1",
                                    "1.5",
                                    "1e308",
                                    "-1e308",
                                    "1e400",
                                    "1e-400",
                                    "nan",
                                    "inf",
                                    "0x1p",
                                    "1e",
                                    "2147483647",
                                    "2147483648",
                                    "9223372036854775807",
                                    "18446744073709551617",
                                    "4000000000",
                                    "\n1 1 1",
                                    "\n2 1 3",
                                    "\n1 1",
                                    "\n7"};
enum { SEEDS = sizeof seeds / sizeof *seeds, WORDS = sizeof words / sizeof *words };

/* ---- changes ---- */

static void change_word(void)
{
    replace_word(words[draw(WORDS)], " \t\r\n\v\f");
}

/* A piece of any seed, now and then so often that the line or the file becomes long. */
static void insert_piece(void)
{
    const char *from = seeds[draw(SEEDS)];
    size_t begin = draw(strlen(from)), count = draw(strlen(from) - begin + 1);
    size_t at = draw(length + 1);
    for (size_t times = draw(20) ? 1 : 1 + draw(300); times > 0; times--)
        splice(at, 0, from + begin, count);
}

static void cut_off(void)
{
    length = draw(length + 1);
}

static void mutate(void)
{
    static void (*const changes[])(void) = {change_byte, change_word,  change_word,
                                            change_word, insert_piece, cut_off};
    const char *seed = seeds[draw(SEEDS)];
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

/* `lines`: of the text, 0 if it is not known. */
static void check_error(const struct spmv_coo *coo, long lines)
{
    const char *place = strstr(dm_message(), ": line ");
    long line = place ? atol(place + strlen(": line ")) : 0;
    if (line < 1 || (lines > 0 && line > lines))
        fail("line %ld of %ld: %s", line, lines, dm_message());
    for (const char *c = dm_message(); *c; c++)
        if (!isprint((unsigned char)*c))
            fail("a sentence with the byte %d: %s", *c, dm_message());
    if (coo->row || coo->column || coo->value || coo->entries)
        fail("refused, yet there is a matrix: %s", dm_message());
}

static void check_matrix(const struct spmv_coo *coo)
{
    for (int64_t k = 0; k < coo->entries; k++) {
        if (coo->row[k] < 0 || coo->row[k] >= coo->rows || coo->column[k] < 0 ||
            coo->column[k] >= coo->columns || isnan(coo->value[k]))
            fail("entry %lld is (%d, %d) %g of a matrix of %lld x %lld", (long long)k, coo->row[k],
                 coo->column[k], coo->value[k], (long long)coo->rows, (long long)coo->columns);
        if (k > 0 && (coo->row[k - 1] > coo->row[k] ||
                      (coo->row[k - 1] == coo->row[k] && coo->column[k - 1] >= coo->column[k])))
            fail("entries %lld and the one before are not in order", (long long)k);
    }
}

static bool is_same(const struct spmv_coo *a, const struct spmv_coo *b)
{
    size_t count = (size_t)a->entries;
    return a->rows == b->rows && a->columns == b->columns && a->entries == b->entries &&
           memcmp(a->row, b->row, count * sizeof *a->row) == 0 &&
           memcmp(a->column, b->column, count * sizeof *a->column) == 0 &&
           memcmp(a->value, b->value, count * sizeof *a->value) == 0;
}

/* Sums of duplicates may be infinite, which cannot be written. */
static bool is_finite(const struct spmv_coo *coo)
{
    for (int64_t k = 0; k < coo->entries; k++)
        if (!isfinite(coo->value[k]))
            return false;
    return true;
}

static void check_written(const struct spmv_coo *coo, const char *path)
{
    struct spmv_coo again;
    bool can_write = is_finite(coo);
    if ((spmv_market_write(coo, path, "again") == DM_OK) != can_write)
        fail("%s", can_write ? dm_message() : "what is not finite was written");
    if (!can_write)
        return;
    if (spmv_market_read(&again, path) != DM_OK)
        fail("what was written is refused: %s", dm_message());
    if (!is_same(coo, &again))
        fail("read again, the matrix is another");
    spmv_coo_close(&again);
    remove(path);
}

static bool try_text(const char *path)
{
    struct spmv_coo coo;
    long lines = 2; /* the end of the file is one, too */
    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == '\n';
    /* An exact copy, so that a read beyond its end is seen. */
    char *copy = allocate_or_fail(length > 0 ? length : 1, 1);
    memcpy(copy, bytes, length);
    bool accepted = spmv_market_parse(&coo, copy, length, "m") == DM_OK;
    free(copy);
    if (accepted)
        check_matrix(&coo);
    else
        check_error(&coo, lines);
    if (accepted && draw(16) == 0)
        check_written(&coo, path);
    spmv_coo_close(&coo);
    return accepted;
}

static bool try_compressed(void)
{
    struct spmv_coo coo;
    char path[64];
    int file = memfd_create("matrix", MFD_CLOEXEC);
    compress_and_change();
    check_errno(file >= 0);
    check_errno(write(file, bytes, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    bool accepted = spmv_market_read(&coo, path) == DM_OK;
    close(file);
    if (accepted)
        check_matrix(&coo);
    else
        check_error(&coo, 0);
    spmv_coo_close(&coo);
    return accepted;
}

/* ---- the program ---- */

int main(int argc, char **argv)
{
    double seconds = read_options(argc, argv, NULL);
    size_t tried = 0, accepted = 0, compressed = 0, compressed_accepted = 0;
    char folder[] = "/tmp/sparse_market_XXXXXX", path[64];
    check_errno(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.mtx", folder);
    begin_watch(show_bytes);
    for (double end_s = clock_now_s() + seconds; clock_now_s() < end_s; tried++) {
        mutate();
        accepted += try_text(path);
        if (draw(8) > 0)
            continue;
        compressed++;
        compressed_accepted += try_compressed();
    }
    check_errno(rmdir(folder) == 0);
    printf("%zu files tried, %zu of them accepted; %zu compressed, %zu accepted; seed %llu\n",
           tried, accepted, compressed, compressed_accepted, (unsigned long long)random_seed);
    end_watch();
    return 0;
}
