/* split_samples_test: the reader of samples, and the models that it makes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "spmv/bench/samples_file.h"
#include "tests/unit/test_status.h"

#define HEADER "experiment,variant,rep,rows,threads,disturbed,bytes,time_s,errors,status\n"
#define BUS                                                                                        \
    "e,bus-in,0,0,2,0,1000,1.1e-6,0,pass\n"                                                        \
    "e,bus-in,0,0,2,0,2000,1.2e-6,0,pass\n"                                                        \
    "e,bus-out,0,0,2,0,1000,2.2e-6,0,pass\n"                                                       \
    "e,bus-out,0,0,2,0,2000,2.4e-6,0,pass\n"
#define GPU                                                                                        \
    "e,gpu,0,64,0,0,0,1e-6,0,pass\n"                                                               \
    "e,gpu,0,128,0,0,0,2e-6,0,pass\n"
#define CPU                                                                                        \
    "e,cpu,0,64,2,0,0,3e-6,0,pass\n"                                                               \
    "e,cpu,0,128,2,0,0,5e-6,0,pass\n"

static char path[64];

static void write_bytes(const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    expect(file && fwrite(bytes, 1, count, file) == count);
    if (file)
        fclose(file);
}

static void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static void expect_refused(const char *text, const char *why)
{
    struct split_samples_file file;
    write_text(text);
    expect(split_samples_read(&file, path, 0) != DM_OK);
    if (!strstr(dm_message(), why))
        printf("# '%s' does not say '%s'\n", dm_message(), why);
    expect(strstr(dm_message(), why));
    expect(!file.memory);
}

/* ---- what is right ---- */

static void expect_read(void)
{
    struct split_samples_file file;
    bool is_read = split_samples_read(&file, path, 0) == DM_OK;
    if (!is_read)
        printf("# %s\n", dm_message());
    expect(is_read);
    expect(file.cpu.count == 2 && file.gpu.count == 2);
    expect(file.to_device.count == 2 && file.from_device.count == 2);
    if (is_read && file.cpu.count == 2 && file.from_device.count == 2) {
        expect(file.cpu.rows[0] == 64 && file.cpu.time_s[0] == 3e-6);
        expect(file.cpu.rows[1] == 128 && file.cpu.time_s[1] == 5e-6);
        expect(file.from_device.rows[1] == 2000 && file.from_device.time_s[1] == 2.4e-6);
    }
    split_samples_close(&file);
    expect(!file.memory);
}

static void a_table_is_read_in_any_order(void)
{
    write_text(HEADER CPU GPU BUS);
    expect_read();
    write_text(HEADER "e,gpu,0,128,0,0,0,2e-6,0,pass\n" BUS "e,cpu,0,128,2,0,0,5e-6,0,pass\n"
                      "e,cpu,0,64,2,0,0,3e-6,0,pass\n"
                      "e,gpu,0,64,0,0,0,1e-6,0,pass\n");
    expect_read();
}

static void quotes_carriage_returns_and_waived_rows(void)
{
    write_text(HEADER CPU GPU BUS "e,gpu,0,,,,,,0,waived\n");
    expect_read();
    write_text(
        "experiment,\"variant\",rep,rows,threads,disturbed,bytes,time_s,errors,status\r\n" GPU
        "\"a,\"\"b\"\"\",\"cpu\",0,64,2,0,0,3e-6,0,pass\r\n"
        "e,cpu,0,128,2,0,0,5e-6,0,\"pass\"\r\n" BUS);
    expect_read();
}

static void compressed_files_are_read(void)
{
    gzFile out = gzopen(path, "wb");
    expect(out && gzputs(out, HEADER CPU GPU BUS) > 0);
    expect(gzclose(out) == Z_OK);
    expect_read();
}

static void repetitions_become_medians(void)
{
    struct split_samples_file file;
    write_text(HEADER GPU BUS CPU "e,cpu,1,64,2,0,0,9e-6,0,pass\n"
                                  "e,cpu,2,64,2,0,0,4e-6,0,pass\n"
                                  "e,cpu,1,128,2,0,0,7e-6,0,pass\n");
    expect_ok(split_samples_read(&file, path, 0));
    expect(file.cpu.count == 2 && file.cpu.time_s[0] == 4e-6);
    expect(file.cpu.count == 2 && fabs(file.cpu.time_s[1] - 6e-6) < 1e-18);
    split_samples_close(&file);
}

/* ---- what is refused ---- */

static void other_tables_are_refused(void)
{
    expect_refused("", "the file is empty");
    expect_refused("rows,time_s\n1,2\n", ":1: there is no column variant");
    expect_refused(HEADER, "no samples of variant cpu");
    expect_refused(HEADER CPU GPU, "no samples of variant bus-in");
    expect_refused(HEADER CPU BUS "e,gpu,0,,,,,,0,waived\n", "no samples of variant gpu");
    expect_refused(HEADER CPU "e,csr-gpu,0,64,2,0,0,3e-6,0,pass\n", ":4: 'csr-gpu' is no variant");
}

static void bad_rows_are_refused(void)
{
    expect_refused(HEADER "e,cpu,0,64,2,0,0,3e-6,1,fail\n",
                   ":2: the status of the sample is 'fail'");
    expect_refused(HEADER "e,cpu,0,64,2,0,0,3e-6,1\n", "there are 9 cells, the header has 10");
    expect_refused(HEADER "\n", "there are 1 cells");
    expect_refused(HEADER "e,cpu,0,x,2,0,0,3e-6,0,pass\n", "column rows has 'x'");
    expect_refused(HEADER "e,cpu,0,64,2,0,0,,0,pass\n", "column time_s has ''");
    expect_refused(HEADER "e,cpu,0,64,2,0,0,nan,0,pass\n", "column time_s has 'nan'");
    expect_refused(HEADER "e,cpu,0,64,2,0,0,1e400,0,pass\n", "column time_s has '1e400'");
    expect_refused(HEADER "e,cpu,0,-64,2,0,0,1,0,pass\n", "column rows has '-64'");
    expect_refused(HEADER CPU "e,cpu,0,64,4,0,0,1,0,pass\n", "column threads has '4' after '2'");
    expect_refused(HEADER CPU "e,cpu,0,64,2,1,0,1,0,pass\n", "column disturbed has '1' after '0'");
}

static void threads_are_chosen(void)
{
    static const char rest[] = "e,cpu,0,64,4,0,0,1,0,pass\ne,cpu,0,125,4,0,0,2,0,pass\n";
    char text[2000];
    struct split_samples_file file;
    snprintf(text, sizeof text, "%s%s%s%s", HEADER, CPU, rest, GPU BUS);
    write_bytes(text, strlen(text));
    expect_ok(split_samples_read(&file, path, 4));
    expect(file.cpu.count == 2 && file.cpu.time_s[0] == 1 && file.cpu.time_s[1] == 2);
    split_samples_close(&file);
    expect_error(split_samples_read(&file, path, 3), DM_INVALID,
                 "there are no samples of 3 threads");
}

static void damaged_files_are_refused(void)
{
    char text[40000];
    struct split_samples_file file;
    expect_refused(HEADER "e,cpu,0,64,2,0,0,3e-6,0,pass", ":2: the line is longer");
    memset(text, 'x', sizeof text);
    write_bytes(text, sizeof text);
    expect_error(split_samples_read(&file, path, 0), DM_INVALID, ":1: the line is longer");
    write_bytes(HEADER "e,cpu,0,\0", sizeof HEADER + 8);
    expect(split_samples_read(&file, path, 0) != DM_OK);
    memset(text, ',', 300);
    strcpy(text + 300, "\n");
    expect_refused(text, "there are more than 100 cells");

    unlink(path);
    expect_error(split_samples_read(&file, path, 0), DM_FAILED, "No such file");
    expect(mkdir(path, 0700) == 0);
    expect(split_samples_read(&file, path, 0) != DM_OK);
    expect(rmdir(path) == 0);
}

/* Wherever a compressed file is cut, it is refused. */
static void cut_compressed_files_are_refused(void)
{
    char bytes[4096];
    gzFile out = gzopen(path, "wb");
    expect(out && gzputs(out, HEADER CPU GPU BUS) > 0);
    expect(gzclose(out) == Z_OK);
    FILE *in = fopen(path, "rb");
    size_t count = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (in)
        fclose(in);
    expect(count > 100);
    for (size_t length = 0; length < count; length += 1) {
        struct split_samples_file file;
        write_bytes(bytes, length);
        expect(split_samples_read(&file, path, 0) != DM_OK);
    }
}

/* ---- models ---- */

static void every_step_th_sample_with_the_last(void)
{
    double rows[10], time_s[10];
    for (int i = 0; i < 10; i++)
        time_s[i] = rows[i] = i + 1;
    struct spmv_split_samples samples = {10, rows, time_s};
    struct split_samples_file all = {samples, samples, {2, rows, time_s}, {3, rows, time_s}, NULL};
    struct split_samples_file thin;
    expect_ok(split_samples_thin(&thin, &all, 4));
    expect(thin.cpu.count == 2 && thin.cpu.rows[0] == 6 && thin.cpu.rows[1] == 10);
    expect(thin.gpu.count == 2 && thin.gpu.time_s[0] == 6 && thin.gpu.time_s[1] == 10);
    expect(thin.to_device.count == 2 && thin.to_device.rows[0] == 1 && thin.to_device.rows[1] == 2);
    expect(thin.from_device.count == 3 && thin.from_device.rows[2] == 3);
    split_samples_close(&thin);
    expect_error(split_samples_thin(&thin, &all, 11), DM_INVALID, "none is left");
    expect(split_samples_thin(&thin, &all, 0) != DM_OK);
}

static void models_are_those_of_the_samples(void)
{
    struct split_samples_file file;
    struct spmv_split_models models;
    write_text(HEADER CPU GPU BUS);
    expect_ok(split_samples_read(&file, path, 0));
    expect_ok(split_samples_models(&file, &models));
    expect(fabs(spmv_split_gpu_time(&models, 64) - 1e-6) < 1e-15);
    expect(fabs(spmv_split_cpu_line_time(&models, 96) - 4e-6) < 1e-15);
    expect(spmv_split_cpu_time(&models, 128) == 5e-6);
    expect(fabs(models.bus.to_device_bytes_per_s / 1e10 - 1) < 1e-9);
    expect(fabs(models.bus.from_device_bytes_per_s / 5e9 - 1) < 1e-9);
    expect(fabs(models.bus.latency_s - 2e-6) < 1e-15);
    models.halo_elements = 125; /* 1000 bytes */
    expect(fabs(spmv_split_gpu_time(&models, 64) - 3.2e-6) < 1e-15);
    split_samples_close(&file);
}

static void models_of_one_size_are_refused(void)
{
    struct split_samples_file file;
    struct spmv_split_models models;
    write_text(HEADER GPU BUS "e,cpu,0,64,2,0,0,3e-6,0,pass\n");
    expect_ok(split_samples_read(&file, path, 0));
    expect(split_samples_models(&file, &models) != DM_OK);
    expect(strstr(dm_message(), "variant cpu") && strstr(dm_message(), "two sizes"));
    split_samples_close(&file);
}

int main(void)
{
    const char *directory = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.40s/split%d.csv", directory ? directory : "/tmp", (int)getpid());
    run_test(a_table_is_read_in_any_order);
    run_test(quotes_carriage_returns_and_waived_rows);
    run_test(compressed_files_are_read);
    run_test(repetitions_become_medians);
    run_test(other_tables_are_refused);
    run_test(bad_rows_are_refused);
    run_test(threads_are_chosen);
    run_test(damaged_files_are_refused);
    run_test(cut_compressed_files_are_refused);
    run_test(every_step_th_sample_with_the_last);
    run_test(models_are_those_of_the_samples);
    run_test(models_of_one_size_are_refused);
    unlink(path);
    return end_tests();
}
