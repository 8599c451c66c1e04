/* fatbin_test: the PTX in fat binaries. */
#include "tests/unit/test.h"
#include "tests/unit/test_status.h"

#include <stdlib.h>

#include "partition/fatbin/fatbin.h"

#include "fatbin_build.h"

#define TEXT(number)                                                                               \
    "\n//\n.version 9.0\n.target sm_" #number                                                      \
    "\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n"                                        \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r1, %ctaid.x;\nret;\n}\n"

static struct built built;

/* What is found for a GPU is this text of this architecture. */
static void expect_text(unsigned capability, const char *expected, unsigned of)
{
    char *ptx = NULL;
    unsigned architecture = 0;
    expect_ok(fatbin_ptx(built.bytes, built.size, capability, &ptx, &architecture));
    expect(ptx && strcmp(ptx, expected) == 0);
    expect(architecture == of);
    free(ptx);
}

static void expect_nothing(unsigned capability, enum dm_status status, const char *words)
{
    char *ptx = NULL;
    unsigned architecture;
    expect_error(fatbin_ptx(built.bytes, built.size, capability, &ptx, &architecture), status,
                 words);
    expect(!ptx);
}

static void the_text_is_found_whatever_compresses_it(void)
{
    static const unsigned schemes[] = {PLAIN, ZSTD, LZ4};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        fatbin_begin(&built);
        fatbin_add(&built, MACHINE_CODE, 75, PLAIN, "\177ELF");
        if (!fatbin_add(&built, PTX, 75, schemes[i], TEXT(75)))
            continue; /* the library is not here */
        expect_text(90, TEXT(75), 75);
        expect_text(0, TEXT(75), 75);
    }
}

static void the_best_text_is_chosen(void)
{
    fatbin_begin(&built);
    fatbin_add(&built, PTX, 80, PLAIN, TEXT(80));
    fatbin_add(&built, PTX, 100, PLAIN, TEXT(100));
    fatbin_add(&built, PTX, 90, PLAIN, TEXT(90));
    fatbin_add(&built, PTX, 90, SPECIFIC, TEXT(90a));
    expect_text(80, TEXT(80), 80);
    expect_text(89, TEXT(80), 80);
    expect_text(90, TEXT(90a), 90);
    expect_text(99, TEXT(90), 90);
    expect_text(120, TEXT(100), 100);
    expect_nothing(75, DM_UNAVAILABLE, "PTX for sm_100 alone and this GPU is an sm_75");
}

static void what_has_no_text_says_how_to_build_it(void)
{
    fatbin_begin(&built);
    fatbin_add(&built, MACHINE_CODE, 90, PLAIN, "\177ELF");
    expect_nothing(90, DM_UNAVAILABLE, "machine code (sm_90) and no PTX: nvcc -arch=sm_90");
    fatbin_begin(&built);
    expect_nothing(90, DM_UNAVAILABLE, "no code");
}

static void a_wrapper_leads_to_its_fat_binary(void)
{
    struct {
        uint32_t magic, version;
        const void *binary, *more;
    } wrapper = {0x466243b1, 1, built.bytes, NULL};
    const void *binary;
    size_t bytes;
    fatbin_begin(&built);
    fatbin_add(&built, PTX, 75, PLAIN, TEXT(75));
    expect(fatbin_is_image(&wrapper) && fatbin_is_image(built.bytes));
    expect(!fatbin_is_image("\177ELF") && !fatbin_is_image(".version 9.0"));
    expect_ok(fatbin_of_image(&wrapper, &binary, &bytes));
    expect(binary == built.bytes && bytes == built.size);
    expect_ok(fatbin_of_image(built.bytes, &binary, &bytes));
    expect(binary == built.bytes && bytes == built.size);
    wrapper.version = 7;
    expect_error(fatbin_of_image(&wrapper, &binary, &bytes), DM_INVALID, "version 7");
}

/* Sets a field of the last entry, which begins at `entry`. */
static void broken(size_t entry, size_t at, uint64_t value, size_t bytes, const char *words)
{
    fatbin_begin(&built);
    fatbin_add(&built, MACHINE_CODE, 75, PLAIN, "\177ELF....");
    if (!fatbin_add(&built, PTX, 75, ZSTD, TEXT(75)))
        return;
    put(built.bytes + entry + at, value, bytes);
    expect_nothing(90, DM_INVALID, words);
}

static void no_length_is_trusted(void)
{
    const size_t first = FATBIN_HEADER, second = first + FATBIN_ENTRY + 8;
    broken(0, 0, 1, 4, "unknown kind");
    broken(0, 6, 8, 2, "unknown kind");
    broken(0, 8, 1u << 20, 8, "unknown kind");
    broken(0, 8, UINT64_MAX - 8, 8, "unknown kind");
    broken(0, 8, second + 8 - FATBIN_HEADER, 8, "does not fit in");
    broken(first, 4, UINT32_MAX, 4, "does not fit in");
    broken(first, 4, 8, 4, "does not fit in");
    broken(first, 8, UINT64_MAX - 79, 8, "does not fit in");
    broken(second, 8, 1u << 20, 8, "does not fit in");
    broken(second, 16, 1u << 20, 4, "does not fit in");
    broken(second, 16, 20, 4, "does not hold the");
    broken(second, 56, 20, 8, "does not hold the 20 bytes");
    broken(second, 56, 1000000, 8, "does not hold the 1000000 bytes");
    broken(second, 56, UINT64_MAX, 8, "bytes of PTX, more than");
    broken(second, FATBIN_ENTRY, 0, 4, "does not hold the");
}

int main(void)
{
    run_test(the_text_is_found_whatever_compresses_it);
    run_test(the_best_text_is_chosen);
    run_test(what_has_no_text_says_how_to_build_it);
    run_test(a_wrapper_leads_to_its_fat_binary);
    run_test(no_length_is_trusted);
    return end_tests();
}
