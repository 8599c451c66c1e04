/* Runs the application whose name the program's file has.
 *
 *     NAME [--n N] [--iterations N] [--seed N] [--block X[,Y[,Z]]] [--modules DIR] [--output FILE]
 *          [--check]
 *
 * Prints the times and a checksum of the result; --output writes the result, --check compares it
 * with what the CPU computes. Exit code 0, or 1 with a sentence on stderr. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "application.h"

struct options {
    struct application_input input;
    const char *output;
    bool check;
};

static const char usage[] =
    "%s: %s\n\n"
    "  --n N              size of the problem (%lld)\n"
    "  --iterations N     launches or steps (%lld)\n"
    "  --seed N           of the random input (1)\n"
    "  --block X[,Y[,Z]]  threads of a block\n"
    "  --modules DIR      where the kernels' modules are (the program's directory)\n"
    "  --output FILE      write the result, as it is in memory\n"
    "  --check            compare the result with the CPU's\n";

static int64_t number(const char *option, const char *text, int64_t lowest, int64_t highest)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < lowest || value > highest)
        fail("--%s must be a whole number from %lld to %lld, not '%s'", option, (long long)lowest,
             (long long)highest, text);
    return value;
}

static void read_block(const char *text, int block[3])
{
    for (int d = 0; d < 3; d++) {
        char word[16] = "";
        size_t length = strcspn(text, ",");
        if (length < sizeof word)
            memcpy(word, text, length);
        block[d] = (int)number("block", word, 1, 1024);
        if (!text[length])
            return;
        text += length + 1;
    }
    fail("--block takes at most three numbers");
}

static void print_help(const struct application *application)
{
    printf(usage, application->name, application->meaning, (long long)application->default_n,
           (long long)application->default_iterations);
}

static void read_options(int argc, char **argv, const struct application *application,
                         struct options *options)
{
    static const struct option names[] = {{"n", required_argument, NULL, 'n'},
                                          {"iterations", required_argument, NULL, 'i'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"block", required_argument, NULL, 'b'},
                                          {"modules", required_argument, NULL, 'm'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"check", no_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct application_input *input = &options->input;
    for (int option; (option = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
        if (option == 'n')
            input->n = number("n", optarg, 1, INT64_MAX);
        else if (option == 'i')
            input->iterations = number("iterations", optarg, 0, INT64_MAX);
        else if (option == 's')
            input->seed = (uint64_t)number("seed", optarg, 0, INT64_MAX);
        else if (option == 'b')
            read_block(optarg, input->block);
        else if (option == 'm')
            input->modules = optarg;
        else if (option == 'o')
            options->output = optarg;
        else if (option == 'c')
            options->check = true;
        else if (option == 'h')
            print_help(application), exit(EXIT_PASS);
        else
            fail("%s --help lists the options", argv[0]);
    }
    if (optind < argc)
        fail("'%s' is no option: %s --help lists them", argv[optind], argv[0]);
}

/* The FNV-1a hash of the bytes. Source: Fowler, Noll, Vo, draft-eastlake-fnv. */
static uint64_t checksum(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static void write_result(const char *path, const void *result, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("cannot write %s: %s", path, strerror(errno));
    size_t written = fwrite(result, 1, bytes, file);
    if (fclose(file) != 0 || written != bytes)
        fail("cannot write %s: %s", path, strerror(errno));
}

/* Largest difference, relative to the largest element of the reference. */
static double difference(const float *result, const float *reference, size_t count)
{
    double farthest = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        double apart = fabs((double)result[i] - (double)reference[i]);
        if (!isfinite(apart))
            return INFINITY;
        farthest = fmax(farthest, apart);
        largest = fmax(largest, fabs((double)reference[i]));
    }
    return largest > 0 ? farthest / largest : farthest;
}

static void check_result(const struct application *application,
                         const struct application_input *input, const void *result, size_t bytes)
{
    void *reference;
    size_t reference_bytes;
    if (application->reference(input, &reference, &reference_bytes) != 0)
        fail("the reference of %s failed", application->name);
    if (reference_bytes != bytes)
        fail("the result of %s has %zu bytes, the reference %zu", application->name, bytes,
             reference_bytes);
    if (application->tolerance > 0) {
        double apart = difference(result, reference, bytes / sizeof(float));
        printf("difference %.3g\n", apart);
        if (apart > application->tolerance)
            fail("the result of %s differs by %.3g from the CPU's; %.3g is allowed",
                 application->name, apart, application->tolerance);
    } else if (memcmp(result, reference, bytes) != 0) {
        fail("the result of %s is not the CPU's", application->name);
    }
    free(reference);
}

/* The directory of the program, where its modules lie too. */
static char *directory_of(const char *program)
{
    char *path = realpath("/proc/self/exe", NULL);
    if (!path)
        fail("cannot tell where %s is: say --modules DIR", program);
    *strrchr(path, '/') = 0;
    return path;
}

int main(int argc, char **argv)
{
    const struct application *application = application_find(program_invocation_short_name);
    if (!application)
        fail("no application is called %s", program_invocation_short_name);
    char *directory = directory_of(argv[0]);
    struct options options = {.input = {.n = application->default_n,
                                        .iterations = application->default_iterations,
                                        .seed = 1,
                                        .modules = directory}};
    struct application_times times = {0};
    void *result;
    size_t bytes;
    read_options(argc, argv, application, &options);
    int error = application->run(&options.input, &result, &bytes, &times);
    if (error)
        fail("%s ended with CUDA error %d", application->name, error);
    printf("%s n %lld iterations %lld\n", application->name, (long long)options.input.n,
           (long long)options.input.iterations);
    printf("total %.6f s, htod %.6f s, kernels %.6f s, dtoh %.6f s\n", times.total_s, times.htod_s,
           times.kernel_s, times.dtoh_s);
    printf("checksum %016llx\n", (unsigned long long)checksum(result, bytes));
    if (options.output)
        write_result(options.output, result, bytes);
    if (options.check)
        check_result(application, &options.input, result, bytes);
    free(result);
    free(directory);
    return EXIT_PASS;
}
