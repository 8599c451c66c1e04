#include <stdio.h>

#include "common/harness/openblas_core.h"
#include "tests/unit/test.h"

/* Whether the kernel lists the flag for the first processor. */
static bool processor_has(const char *flag)
{
    char line[8192], *rest;
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !found && fgets(line, sizeof line, file))
        if (strncmp(line, "flags", 5) == 0)
            for (char *word = strtok_r(line, " \t\n", &rest); word && !found;
                 word = strtok_r(NULL, " \t\n", &rest))
                found = strcmp(word, flag) == 0;
    if (file)
        fclose(file);
    return found;
}

static const char *expected_for_the_oldest(void)
{
    if (processor_has("avx512f") && processor_has("avx512bw") && processor_has("avx512dq") &&
        processor_has("avx512vl"))
        return "SkylakeX";
    return processor_has("avx2") && processor_has("fma") ? "Haswell" : NULL;
}

static void the_oldest_code_is_left_where_it_can_be(void)
{
    const char *better = openblas_better_core("Prescott"), *expected = expected_for_the_oldest();
    expect(!better == !expected);
    expect(!better || strcmp(better, expected) == 0);
}

static void other_choices_are_kept(void)
{
    static const char *const cores[] = {"Haswell", "SkylakeX", "Zen", "Sapphirerapids", "Nehalem"};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        expect(openblas_better_core(cores[i]) == NULL);
}

int main(void)
{
    run_test(the_oldest_code_is_left_where_it_can_be);
    run_test(other_choices_are_kept);
    return end_tests();
}
