/* sparse_market_file_test: Matrix Market files, plain and compressed: what is written is read
 * again, and what the file system or a broken file does to both. */
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

#include <datamotion/spmv.h>

#include "common/random.h"
#include "tests/unit/test_status.h"

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
static char folder[] = "/tmp/sparse_market_XXXXXX";

static const char *path_of(const char *name)
{
    static char path[4][200];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    expect(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

static size_t read_bytes(const char *path, char *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(bytes, 1, most, file) : 0;
    expect(file && fclose(file) == 0);
    return count;
}

static void fill_random(struct spmv_coo *coo, int64_t rows, int64_t entries)
{
    expect_ok(spmv_coo_open(coo, rows, rows, entries));
    for (int64_t k = 0; k < entries; k++) {
        uint64_t i = 3 * (uint64_t)k;
        double value = random_uniform(9, i) * exp2((double)random_below(9, i + 1, 2000) - 1000);
        int64_t column = (int64_t)random_below(9, i + 2, (uint64_t)rows);
        expect_ok(spmv_coo_add(coo, k % rows, column, k % 2 ? value : -value));
    }
    expect_ok(spmv_coo_finish(coo));
}

static bool is_same(const struct spmv_coo *a, const struct spmv_coo *b)
{
    size_t count = (size_t)a->entries;
    return a->rows == b->rows && a->columns == b->columns && a->entries == b->entries &&
           memcmp(a->row, b->row, count * sizeof *a->row) == 0 &&
           memcmp(a->column, b->column, count * sizeof *a->column) == 0 &&
           memcmp(a->value, b->value, count * sizeof *a->value) == 0;
}

/* All bits of the values, through plain and compressed files larger than a block. */
static void what_is_written_is_read_again(void)
{
    struct spmv_coo coo, again;
    fill_random(&coo, 500, 6000);
    coo.value[0] = DBL_MAX;
    coo.value[1] = DBL_TRUE_MIN;
    coo.value[2] = -0.0;
    for (int is_gz = 0; is_gz < 2; is_gz++) {
        const char *path = path_of(is_gz ? "m.mtx.gz" : "m.mtx");
        char begin[80] = "";
        expect_ok(spmv_market_write(&coo, path, "one\ntwo"));
        expect_ok(spmv_market_read(&again, path));
        expect(is_same(&coo, &again));
        spmv_coo_close(&again);
        read_bytes(path, begin, sizeof begin - 1);
        expect(is_gz ? memcmp(begin, "\x1f\x8b", 2) == 0
                     : strstr(begin, GENERAL "% one\n% two\n500 500 ") == begin);
        expect(access(path_of(is_gz ? "m.mtx.gz.unfinished" : "m.mtx.unfinished"), F_OK) != 0);
    }
    spmv_coo_close(&coo);
}

static void a_compressed_file_that_was_cut_is_refused(void)
{
    static char bytes[1 << 20];
    size_t count = read_bytes(path_of("m.mtx.gz"), bytes, sizeof bytes);
    struct spmv_coo coo;
    size_t lengths[] = {count - 1, count - 9, count / 2, 40};
    for (int i = 0; i < 4; i++) {
        write_bytes(path_of("cut.gz"), bytes, lengths[i]);
        expect_error(spmv_market_read(&coo, path_of("cut.gz")), DM_FAILED,
                     "the compressed file ends too early");
    }
    bytes[count / 2] ^= 0x55;
    write_bytes(path_of("cut.gz"), bytes, count);
    expect(spmv_market_read(&coo, path_of("cut.gz")) != DM_OK);
    write_bytes(path_of("empty.mtx"), "", 0);
    expect_error(spmv_market_read(&coo, path_of("empty.mtx")), DM_INVALID, "found an empty file");
}

/* A compressed file is short: what its header claims is compared with what could be in it. */
static void sizes_of_compressed_files_are_checked(void)
{
    struct spmv_coo coo;
    gzFile file = gzopen(path_of("huge.gz"), "wb");
    gzputs(file, GENERAL "2000000000 2000000000 100000000\n1 1 1\n");
    gzclose(file);
    expect_error(spmv_market_read(&coo, path_of("huge.gz")), DM_INVALID,
                 "in a file of that size, found 100000000");
}

static void files_that_cannot_be_read_are_named(void)
{
    struct spmv_coo coo;
    expect(spmv_market_read(&coo, "/nonexistent/m.mtx") != DM_OK);
    expect(strcmp(dm_message(), "/nonexistent/m.mtx: No such file or directory") == 0);
    expect_error(spmv_market_read(&coo, folder), DM_FAILED, "Is a directory");
}

/* Devices and pipes may never end. */
static void what_never_ends_is_read_no_further(void)
{
    struct spmv_coo coo;
    expect_error(spmv_market_read(&coo, "/dev/zero"), DM_INVALID, "expected text");
    gzFile file = gzopen(path_of("comments.gz"), "wb1");
    gzputs(file, "%%MatrixMarket matrix coordinate real general\n");
    for (int i = 0; i <= 1 << 20; i++)
        gzputs(file, "%\n");
    gzclose(file);
    expect_error(spmv_market_read(&coo, path_of("comments.gz")), DM_INVALID,
                 "at most 1048576 comments and empty lines");
    file = gzopen(path_of("line.gz"), "wb1");
    for (int i = 0; i <= 16 << 10; i++)
        gzprintf(file, "%%%1023s", "");
    gzclose(file);
    expect_error(spmv_market_read(&coo, path_of("line.gz")), DM_INVALID,
                 "a line of at most 16777216 bytes");
}

/* The file system says no in the middle; the old file stays. */
static void an_unfinished_file_is_removed(void)
{
    struct spmv_coo coo, old;
    struct rlimit before, few = {1000, 1000};
    expect_ok(spmv_coo_open(&old, 1, 1, 0));
    expect_ok(spmv_market_write(&old, path_of("kept.mtx"), NULL));
    fill_random(&coo, 100, 5000);
    signal(SIGXFSZ, SIG_IGN);
    expect(getrlimit(RLIMIT_FSIZE, &before) == 0);
    few.rlim_max = before.rlim_max;
    expect(setrlimit(RLIMIT_FSIZE, &few) == 0);
    bool done = spmv_market_write(&coo, path_of("kept.mtx"), NULL) == DM_OK;
    expect(setrlimit(RLIMIT_FSIZE, &before) == 0);
    expect(!done);
    expect(strstr(dm_message(), "kept.mtx: File too large"));
    expect(access(path_of("kept.mtx.unfinished"), F_OK) != 0);
    spmv_coo_close(&coo);
    expect_ok(spmv_market_read(&coo, path_of("kept.mtx")));
    expect(is_same(&old, &coo));
    spmv_coo_close(&coo);
    spmv_coo_close(&old);
}

static void what_cannot_be_written_is_refused(void)
{
    struct spmv_coo coo;
    expect_ok(spmv_coo_open(&coo, 4, 4, 0));
    expect_error(spmv_market_write(&coo, "/nonexistent/m.mtx", NULL), DM_FAILED,
                 "/nonexistent/m.mtx: No such file");
    expect_error(spmv_market_write(&coo, folder, NULL), DM_INVALID, "not a regular file");
    expect(symlink("/dev/null", path_of("device")) == 0);
    expect_error(spmv_market_write(&coo, path_of("device"), NULL), DM_INVALID,
                 "device is there and not a regular file");
    expect(remove(path_of("device")) == 0);
    expect_ok(spmv_coo_add(&coo, 1, 2, NAN));
    expect_error(spmv_market_write(&coo, path_of("nan.mtx"), NULL), DM_INVALID,
                 "row 2, column 3 holds nan");
    expect(access(path_of("nan.mtx"), F_OK) != 0);
    spmv_coo_close(&coo);
}

static void remove_files(void)
{
    static const char *const names[] = {"m.mtx",   "m.mtx.gz", "cut.gz",      "empty.mtx",
                                        "huge.gz", "kept.mtx", "comments.gz", "line.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(path_of(names[i]));
    expect(rmdir(folder) == 0);
}

int main(void)
{
    if (!mkdtemp(folder)) {
        printf("not ok %s: no folder for files\n", folder);
        return 1;
    }
    run_test(what_is_written_is_read_again);
    run_test(a_compressed_file_that_was_cut_is_refused);
    run_test(sizes_of_compressed_files_are_checked);
    run_test(files_that_cannot_be_read_are_named);
    run_test(what_never_ends_is_read_no_further);
    run_test(an_unfinished_file_is_removed);
    run_test(what_cannot_be_written_is_refused);
    run_test(remove_files);
    return end_tests();
}
