/* random numbers, sizes, JSON, memory kinds, the measuring loop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/json.h"
#include "common/harness/program.h"
#include "common/random.h"
#include "tests/unit/test.h"

static void random_numbers(void)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < 100000; i++) {
        double u = random_uniform(3, i);
        expect(u >= 0.0 && u < 1.0);
        expect(random_below(3, i, 7) < 7);
        sum += u;
    }
    expect(fabs(sum / 1e5 - 0.5) < 0.005);
    expect(random_bits(1, 5) == random_bits(1, 5));
    expect(random_bits(1, 5) != random_bits(2, 5));
    expect(random_bits(1, 5) != random_bits(1, 6));
}

static void random_bytes_are_checked(void)
{
    unsigned char bytes[1003];
    random_fill_bytes(bytes, sizeof bytes, 9);
    expect(random_count_wrong_bytes(bytes, sizeof bytes, 9) == 0);
    bytes[1002] ^= 1;
    bytes[0] ^= 0x80;
    expect(random_count_wrong_bytes(bytes, sizeof bytes, 9) == 2);
    expect(random_count_wrong_bytes(bytes, sizeof bytes, 10) > 900);
    float floats[100];
    random_fill_float(floats, 100, 4);
    for (int i = 0; i < 100; i++)
        expect(floats[i] >= -1.0f && floats[i] < 1.0f);
}

static void sizes_are_read(void)
{
    static const struct {
        const char *text;
        size_t size;
    } good[] = {{"0", 0},          {"4096", 4096},      {"64K", 65536},
                {"1.5M", 1572864}, {"2g", 2147483648u}, {"8388607G", 8388607ul << 30}};
    static const char *const bad[] = {"",
                                      "K",
                                      "-1",
                                      "1T",
                                      "1KB",
                                      "1.3",
                                      "0x10",
                                      "1e3 ",
                                      "inf",
                                      "nan",
                                      "9007199254740993",
                                      "8388608G",
                                      " 1",
                                      "+1"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        size_t size = 1;
        expect(options_read_size(good[i].text, &size) && size == good[i].size);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        size_t size;
        if (options_read_size(bad[i], &size))
            printf("# '%s' was taken as %zu\n", bad[i], size);
        expect(!options_read_size(bad[i], &size));
    }
}

static void json_is_escaped(void)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    struct json json = {.out = out, .first = true};
    json_open(&json, NULL, '{');
    json_text(&json, "a", "q\"b\\n\n\x01");
    json_real(&json, "nan", NAN);
    json_open(&json, "list", '[');
    json_integer(&json, NULL, -3);
    json_bool(&json, NULL, true);
    json_close(&json, ']');
    json_open(&json, "empty", '{');
    json_close(&json, '}');
    json_text(&json, "none", NULL);
    json_close(&json, '}');
    fclose(out);
    expect(strcmp(text,
                  "{\n  \"a\": \"q\\\"b\\\\n\\u000a\\u0001\",\n  \"nan\": null,\n  \"list\": [\n"
                  "    -3,\n    true\n  ],\n  \"empty\": {},\n  \"none\": null\n}\n") == 0);
    free(text);
}

static void memory_kinds(void)
{
    for (int kind = 0; kind < MEMORY_KINDS; kind++) {
        const struct memory_operations *operations = &memory_operations[kind];
        char letter[2] = {operations->letter, '\0'};
        expect(memory_kind_of(operations->name) == (enum memory_kind)kind);
        expect(memory_kind_of(letter) == (enum memory_kind)kind);
        void *pointer = memory_allocate((enum memory_kind)kind, 10000);
        unsigned char pattern[10000], back[10000];
        random_fill_bytes(pattern, sizeof pattern, (uint64_t)kind);
        expect(cudaMemcpy(pointer, pattern, sizeof pattern, cudaMemcpyDefault) == cudaSuccess);
        expect(cudaMemcpy(back, pointer, sizeof back, cudaMemcpyDefault) == cudaSuccess);
        expect(memcmp(pattern, back, sizeof back) == 0);
        if (operations->host_access)
            expect(memcmp(pattern, pointer, sizeof back) == 0);
        memory_release((enum memory_kind)kind, pointer);
    }
    expect(memory_kind_of("swap") == MEMORY_KINDS);
    expect(memory_kind_of("") == MEMORY_KINDS);
}

static void impossible_sizes_are_refused(void)
{
    for (int kind = 0; kind < MEMORY_KINDS; kind++) {
        void *pointer = NULL;
        volatile size_t bytes = (size_t)1 << 60;
        expect(memory_operations[kind].allocate(&pointer, bytes) != cudaSuccess);
        cudaGetLastError();
        bytes = SIZE_MAX - 100;
        expect(memory_operations[kind].allocate(&pointer, bytes) != cudaSuccess);
        cudaGetLastError();
    }
}

/* A subject whose times are given, so that the stopping rule can be seen. */
struct script {
    int calls;
    int before;
    double (*time)(int call);
};

static double scripted_sample(void *context)
{
    struct script *script = context;
    return script->time(script->calls++);
}

static void scripted_before(void *context)
{
    ((struct script *)context)->before++;
}

static double steady(int call)
{
    (void)call;
    return 1e-6;
}

static double noisy(int call)
{
    return call % 2 ? 1e-6 : 3e-6;
}

static struct run run_with(int iterations, int warmup, double min_time_s)
{
    struct run run = {0};
    run.settings.iterations = iterations;
    run.settings.warmup = warmup;
    run.settings.min_time_s = min_time_s;
    run.settings.noise = 0.02;
    return run;
}

static void measuring_stops(void)
{
    struct script a = {.time = steady}, b = {.time = noisy};
    struct subject subjects[] = {
        {.variant = "a", .sample = scripted_sample, .before = scripted_before, .context = &a},
        {.variant = "b", .sample = scripted_sample, .context = &b}};

    struct run exactly = run_with(7, 3, 1.0);
    measure(&exactly, subjects, 2);
    expect(subjects[0].count == 7 && subjects[1].count == 7);
    expect(a.calls == 10 && a.before == 10 && b.calls == 10);
    expect(measure_interval(&subjects[0]).median == 1e-6);
    measure_free(subjects, 2);

    struct run quiet = run_with(0, 0, 5.0);
    measure(&quiet, subjects, 1);
    expect(subjects[0].count == 12); /* quiet at three looks: 10, 11, 12 */
    measure_free(subjects, 1);

    struct run without_time = run_with(0, 0, 0.0);
    measure(&without_time, subjects, 2);
    expect(subjects[1].count == 10);
    measure_free(subjects, 2);

    size_t count_by_time = 0; /* the time may pass while this process is stopped */
    for (double min_time_s = 0.02; min_time_s < 3.0 && count_by_time <= 10; min_time_s *= 10) {
        struct run by_time = run_with(0, 0, min_time_s);
        measure(&by_time, subjects, 2);
        count_by_time = subjects[1].count;
        measure_free(subjects, 2);
    }
    expect(count_by_time > 10);
}

int main(void)
{
    run_test(random_numbers);
    run_test(random_bytes_are_checked);
    run_test(sizes_are_read);
    run_test(json_is_escaped);
    run_test(memory_kinds);
    run_test(impossible_sizes_are_refused);
    run_test(measuring_stops);
    return end_tests();
}
