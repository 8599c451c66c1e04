/* Kernels that read memory in an order, and those whose warps branch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/random.h"
#include "common/workloads/divergence.h"
#include "common/workloads/memory_access.h"
#include "tests/unit/test.h"

enum { WORDS = ACCESS_SMALLEST / 4, LINE_WORDS = ACCESS_LINE_BYTES / 4, THREADS = 512 };

static unsigned words[WORDS], sums[ACCESS_THREADS];

static unsigned sum_of(const unsigned *values, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static void *on_device(const void *data, size_t bytes)
{
    void *device = memory_allocate(MEMORY_DEVICE, bytes);
    memory_copy(device, data, bytes);
    return device;
}

/* Reads words[] and fetches the sums; those of threads that were not there are 0. */
static void read_words(unsigned element_bytes, enum access_order order)
{
    unsigned *array = on_device(words, sizeof words);
    memset(sums, 0, sizeof sums);
    unsigned *found = on_device(sums, sizeof sums);
    expect(access_read(array, sizeof words, element_bytes, order, found, 0) == cudaSuccess);
    memory_copy(sums, found, sizeof sums);
    memory_release(MEMORY_DEVICE, array);
    memory_release(MEMORY_DEVICE, found);
}

static void each_order_reads_each_word_once(void)
{
    random_fill_bytes(words, sizeof words, 5);
    for (unsigned element = 4; element <= 16; element *= 2)
        for (int order = ACCESS_COALESCED; order <= ACCESS_RANDOM; order++) {
            read_words(element, (enum access_order)order);
            expect(sum_of(sums, ACCESS_THREADS) == sum_of(words, WORDS));
        }
}

/* Words that count up say which of them a thread has read: four elements, a quarter of the reads
 * apart. */
static void orders_differ_as_they_say(void)
{
    const unsigned quarter = WORDS / 4, lines = WORDS / LINE_WORDS;
    unsigned alike = 0;
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = i;
    read_words(4, ACCESS_COALESCED);
    for (unsigned i = 0; i < quarter; i++)
        expect(sums[i] == 4 * i + 6 * quarter);
    read_words(4, ACCESS_STRIDED);
    for (unsigned i = 0; i < lines; i++)
        expect(sums[i] == 4 * i * LINE_WORDS + 6 * quarter / lines);
    read_words(4, ACCESS_RANDOM);
    for (unsigned i = 0; i < quarter; i++)
        alike += sums[i] == 4 * i + 6 * quarter;
    expect(alike < quarter / 100);
}

static void lines_are_read_by_their_numbers(void)
{
    enum { COUNT = ACCESS_SMALLEST / ACCESS_LINE_BYTES };
    unsigned lines[COUNT], expected = 0;
    random_fill_bytes(words, sizeof words, 6);
    for (unsigned i = 0; i < COUNT; i++) {
        lines[i] = (unsigned)random_below(7, i, COUNT);
        expected += sum_of(words + (size_t)lines[i] * LINE_WORDS, LINE_WORDS);
    }
    unsigned *array = on_device(words, sizeof words), *numbers = on_device(lines, sizeof lines);
    memset(sums, 0, sizeof sums);
    unsigned *found = on_device(sums, sizeof sums);
    expect(access_lines(array, numbers, COUNT, found, 0) == cudaSuccess);
    memory_copy(sums, found, sizeof sums);
    expect(sum_of(sums, ACCESS_THREADS) == expected);
    expect(access_lines(array, numbers, COUNT - 1, found, 0) == cudaErrorInvalidValue);
    expect(access_lines(array, numbers, COUNT / 2, found, 0) == cudaErrorInvalidValue);
    memory_release(MEMORY_DEVICE, array);
    memory_release(MEMORY_DEVICE, numbers);
    memory_release(MEMORY_DEVICE, found);
}

static void triad_of_any_count(void)
{
    enum { MOST = 1000 };
    double a[MOST], b[MOST], c[MOST];
    random_fill_double(b, MOST, 1);
    random_fill_double(c, MOST, 2);
    double *from_b = on_device(b, sizeof b), *from_c = on_device(c, sizeof c);
    for (size_t count = 0; count <= MOST; count = count * 3 + 1) {
        memset(a, 0, sizeof a);
        double *to = on_device(a, sizeof a);
        expect(access_triad(to, from_b, from_c, 0.5, count, 0) == cudaSuccess);
        memory_copy(a, to, sizeof a);
        for (size_t i = 0; i < MOST; i++)
            expect(fabs(a[i] - (i < count ? b[i] + 0.5 * c[i] : 0)) <= 1e-15);
        memory_release(MEMORY_DEVICE, to);
    }
    memory_release(MEMORY_DEVICE, from_b);
    memory_release(MEMORY_DEVICE, from_c);
}

static void wrong_sizes_are_refused(void)
{
    unsigned *array = on_device(words, sizeof words), *found = on_device(sums, sizeof sums);
    expect(access_read(array, sizeof words, 2, ACCESS_RANDOM, found, 0) == cudaErrorInvalidValue);
    expect(access_read(array, sizeof words, 12, ACCESS_RANDOM, found, 0) == cudaErrorInvalidValue);
    expect(access_read(array, sizeof words / 2, 4, ACCESS_RANDOM, found, 0) ==
           cudaErrorInvalidValue);
    expect(access_read(array, sizeof words * 3, 4, ACCESS_RANDOM, found, 0) ==
           cudaErrorInvalidValue);
    expect(access_read(array, ACCESS_LARGEST * 2, 4, ACCESS_RANDOM, found, 0) ==
           cudaErrorInvalidValue);
    memory_release(MEMORY_DEVICE, array);
    memory_release(MEMORY_DEVICE, found);
}

/* So many different branches in each warp, and each branch as often as any other over all. */
static void warps_take_so_many_branches(void)
{
    for (unsigned paths = 1; paths <= DIVERGENCE_PATHS; paths *= 2) {
        unsigned taken[DIVERGENCE_PATHS] = {0};
        for (unsigned first = 0; first < 1024; first += 32) {
            unsigned seen = 0;
            for (unsigned lane = 0; lane < 32; lane++) {
                unsigned path = divergence_path(first + lane, paths);
                seen |= 1u << path;
                taken[path]++;
            }
            expect((unsigned)__builtin_popcount(seen) == paths);
        }
        for (unsigned path = 0; path < DIVERGENCE_PATHS; path++)
            expect(taken[path] == 1024 / DIVERGENCE_PATHS);
    }
}

static void branches_compute_their_own(void)
{
    unsigned input[THREADS], output[THREADS];
    random_fill_bytes(input, sizeof input, 8);
    unsigned *from = on_device(input, sizeof input), *to = on_device(input, sizeof input);
    for (unsigned paths = 1; paths <= DIVERGENCE_PATHS; paths *= 2) {
        expect(divergence_run(to, from, THREADS, paths, 5, 0) == cudaSuccess);
        memory_copy(output, to, sizeof output);
        for (unsigned thread = 0; thread < THREADS; thread++) {
            unsigned path = divergence_path(thread, paths), value = input[thread];
            for (int i = 0; i < 5; i++)
                value = (value >> 15) ^ (value * (2 * path + 3));
            expect(output[thread] == value);
        }
    }
    expect(divergence_run(to, from, THREADS, 0, 5, 0) == cudaErrorInvalidValue);
    expect(divergence_run(to, from, THREADS, 3, 5, 0) == cudaErrorInvalidValue);
    expect(divergence_run(to, from, THREADS, 64, 5, 0) == cudaErrorInvalidValue);
    expect(divergence_run(to, from, THREADS + 1, 2, 5, 0) == cudaErrorInvalidValue);
    expect(divergence_run(to, from, 0, 2, 5, 0) == cudaErrorInvalidValue);
    memory_release(MEMORY_DEVICE, from);
    memory_release(MEMORY_DEVICE, to);
}

int main(void)
{
    run_test(each_order_reads_each_word_once);
    run_test(orders_differ_as_they_say);
    run_test(lines_are_read_by_their_numbers);
    run_test(triad_of_any_count);
    run_test(wrong_sizes_are_refused);
    run_test(warps_take_so_many_branches);
    run_test(branches_compute_their_own);
    return end_tests();
}
