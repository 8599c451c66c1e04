/* promote_index_test: block indices that serve for thread indices only, and those that do not. The
 * second half runs random programs: what they store as promoted on a part of a grid is what they
 * store as they were on the whole. */
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "tests/unit/test.h"

#include "promote_programs.h"

#define BEGIN   ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 a)\n{\n"
#define BLOCK   "mov.u32 %r1, %ctaid.x;\n"
#define SIZE    "mov.u32 %r2, %ntid.x;\n"
#define ADDED   "add.s32 %r4, %r4, %datamotion_place_thread_0;"
#define GENERAL "mov.u32 %datamotion_place_part, %ctaid.x;"

static size_t kernels;

/* The promoted text, which the caller frees; NULL: see dm_message(). */
static char *promote(const char *ptx)
{
    char *promoted;
    partition_promote_ptx(ptx, &promoted, &kernels);
    return promoted;
}

static char *promote_body(const char *instructions)
{
    char ptx[2048];
    snprintf(ptx, sizeof ptx, BEGIN "%s\nret;\n}\n", instructions);
    char *text = promote(ptx);
    if (!text)
        printf("# refused: %s\n", dm_message());
    return text;
}

/* Whether the promoted text has `part` and not `other`. */
static bool promoted_with(const char *instructions, const char *part, const char *other)
{
    char *text = promote_body(instructions);
    bool right = text && strstr(text, part) && !strstr(text, other);
    if (text && !right)
        printf("# expected %s and not %s in\n%s\n", part, other, text);
    free(text);
    return right;
}

static bool keeps_block_index(const char *instructions)
{
    return promoted_with(instructions, ADDED, GENERAL);
}

static bool takes_general_way(const char *instructions)
{
    return promoted_with(instructions, GENERAL, "place_thread");
}

static void thread_index_gets_first_thread(void)
{
    char *text = promote_body(BLOCK SIZE "mov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;");
    expect(text &&
           strstr(text, "datamotion_place[36]\n)\n{\n"
                        "\t.reg .b32 %datamotion_place_part;\n"
                        "\t.reg .b32 %datamotion_place_thread_0;\n"
                        "\tld.param.u32 %datamotion_place_thread_0, [datamotion_place+24];\n"
                        "\n" BLOCK SIZE "mov.u32 %r3, %tid.x;\n"
                        "mad.lo.s32 %r4, %r1, %r2, %r3;\n\t" ADDED "\nret;\n}\n"));
    free(text);
}

static void forms_of_thread_indices(void)
{
    expect(keeps_block_index(BLOCK SIZE "mad.lo.s32 %r4, %r2, %r1, %r3;"));
    expect(keeps_block_index(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, 5;"));
    expect(keeps_block_index(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, %r4;"));
    expect(keeps_block_index(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, %r2;"));
    expect(keeps_block_index(BLOCK SIZE SIZE "mad.lo.s32 %r4, %r1, %r2, %r3;"));
    expect(keeps_block_index(BLOCK SIZE "{ $L: mad.lo.s32 %r4, %r1, %r2, %r3; }"));
    expect(keeps_block_index(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, %r3; mul.lo.s32 %r5, %r4, %r2;"
                                        "ld.global.u32 %r6, [%r2+4]; @%p1 add.s32 %r7, %r6, %r2;"));
    expect(keeps_block_index(".loc 1 2 3\n" BLOCK SIZE ".loc 1 2 3, function_name $s, inlined_at "
                             "1 9 1 mad.lo.s32 %r4, %r1, %r2, %r3;"));
    expect(keeps_block_index(".loc 1 2 3\n" BLOCK SIZE ".loc 1 2 3, function_name $s+9, inlined_at "
                             "1 9 1\nmad.lo.s32 %r4, %r1, %r2, %r3;"));
}

static void every_thread_index_gets_it(void)
{
    char *text = promote_body(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, %r3;\n"
                                         "mad.lo.s32 %r5, %r1, %r2, 1;");
    expect(text && strstr(text, ADDED));
    expect(text && strstr(text, "1;\n\tadd.s32 %r5, %r5, %datamotion_place_thread_0;"));
    free(text);
}

static void dimensions_are_apart(void)
{
    char *text = promote_body(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, %r3;\n"
                                         "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %nctaid.y;\n"
                                         "mov.u32 %r7, %ctaid.z;\nmov.u32 %r8, %ntid.z;\n"
                                         "mad.lo.s32 %r9, %r7, %r8, %r5;");
    expect(text && strstr(text, ADDED));
    expect(text && strstr(text, "mov.u32 %r5, %datamotion_place_1;"));
    expect(text && strstr(text, "mov.u32 %r6, %datamotion_place_4;"));
    expect(text && strstr(text, "%datamotion_place_thread_2, [datamotion_place+32];"));
    expect(text && strstr(text, "add.s32 %r9, %r9, %datamotion_place_thread_2;"));
    expect(text && !strstr(text, "place_thread_1"));
    free(text);
}

#define INDEX "mad.lo.s32 %r4, %r1, %r2, %r3;\n"

static void other_uses_of_the_block_index(void)
{
    expect(takes_general_way(BLOCK SIZE));
    expect(takes_general_way(BLOCK SIZE INDEX "mov.u32 %r5, %r1;"));
    expect(takes_general_way(BLOCK SIZE INDEX "st.global.u32 [%rd1], %r1;"));
    expect(takes_general_way(BLOCK SIZE INDEX "st.global.v2.u32 [%rd1], {%r5, %r1};"));
    expect(takes_general_way(BLOCK SIZE INDEX "call f, (%r1);"));
    expect(takes_general_way(BLOCK SIZE INDEX "mov.u32 %r5, %ctaid.x;"));
    expect(takes_general_way(BLOCK SIZE INDEX "add.s32 %r5, %r5, %ctaid.x;"));
    expect(takes_general_way(BLOCK BLOCK SIZE INDEX));
    expect(takes_general_way(BLOCK SIZE INDEX "mov.u32 %r1, 7;"));
    expect(takes_general_way(BLOCK SIZE INDEX "{ .reg .b32 %r1; }"));
    expect(takes_general_way("@%p1 " BLOCK SIZE INDEX));
    expect(takes_general_way("cvt.s32.u32 %r1, %ctaid.x;\n" SIZE INDEX));
    expect(takes_general_way("mov.u32 %v.x, %ctaid.x;\n" SIZE "mad.lo.s32 %r4, %v.x, %r2, %r3;"));
}

static void other_factors(void)
{
    expect(takes_general_way(BLOCK INDEX));
    expect(takes_general_way(BLOCK "mov.u32 %r2, %ntid.y;\n" INDEX));
    expect(takes_general_way(BLOCK "@%p1 " SIZE INDEX));
    expect(takes_general_way(BLOCK SIZE INDEX "mov.u32 %r2, 7;"));
    expect(takes_general_way(BLOCK SIZE INDEX "ld.global.u32 %r2, [%rd1];"));
    expect(takes_general_way(BLOCK SIZE INDEX "ld.global.v2.u32 {%r2, %r5}, [%rd1];"));
    expect(takes_general_way(BLOCK SIZE INDEX "ld.global.v2.u32 {%r5, %r2}, [%rd1];"));
    expect(takes_general_way(BLOCK SIZE INDEX "shfl.sync.up.b32 %r5|%r2, %r6, 1, 2, 3;"));
    expect(takes_general_way(BLOCK SIZE INDEX "@%p1 mov.u32 %r2, 7;"));
    expect(takes_general_way(BLOCK SIZE INDEX "call (%r5, %r2), f, (%r6);"));
    expect(takes_general_way(BLOCK SIZE INDEX ".loc 1 2 3 mov.u32 %r2, 7;"));
    expect(takes_general_way(BLOCK SIZE "mad.lo.s32 %r2, %r1, %r2, %r3;"));
    expect(takes_general_way("mov.u32 %r1, %ctaid.x; mov.u32 %r1, %ntid.x; mad.lo.s32 %r4, %r1, "
                             "%r1, %r3;"));
}

static void other_instructions(void)
{
    expect(takes_general_way(BLOCK SIZE "@%p1 " INDEX));
    expect(takes_general_way(BLOCK SIZE "@!%p1 " INDEX));
    expect(takes_general_way(BLOCK SIZE "mad.wide.s32 %rd4, %r1, %r2, %rd3;"));
    expect(takes_general_way(BLOCK SIZE "mad.lo.s32 %r4, %r3, %r2, %r1;"));
    expect(takes_general_way(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, %r1;"));
    expect(takes_general_way(BLOCK SIZE "mad.lo.s32 %r1, %r1, %r2, %r3;"));
    expect(takes_general_way(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, -1; mov.u32 %r5, %r1;"));
    expect(takes_general_way(BLOCK SIZE "mul.lo.s32 %r4, %r1, %r2;"));
    expect(takes_general_way(BLOCK SIZE "mad.lo.s32 %r4, %r1, %r2, %ctaid.x;"));
}

static void device_functions_too(void)
{
    char *text = promote(".version 9.0\n.func (.param .b32 r) f() { " BLOCK SIZE INDEX
                         "st.param.b32 [r], %r4; ret; }\n"
                         ".entry k(.param .u64 a) { call.uni (v), f, (); " BLOCK
                         "st.global.u32 [a], %r1; ret; }\n");
    expect(kernels == 1);
    expect(text && strstr(text, INDEX));
    expect(text && strstr(text, ADDED));
    expect(text && strstr(text, "datamotion_place_argument_0[36];"));
    expect(text && strstr(text, "ld.param.b32 %datamotion_place_part, [datamotion_place+32];\n"
                                "\tst.param.b32 [datamotion_place_argument_0+32], "
                                "%datamotion_place_part;"));
    expect(text && strstr(text, "mov.u32 %r1, %datamotion_place_0;"));
    free(text);
}

static void random_programs_do_the_same(void)
{
    enum { PROGRAMS = 20000 };
    unsigned kept = 0, general = 0, wrong = 0;
    for (unsigned i = 0; i < PROGRAMS && wrong < 3; i++) {
        const char *program = random_program(i);
        char *text = promote_body(program);
        wrong += !text || !same_stores(program, text);
        kept += text && strstr(text, "place_thread_");
        general += text && strstr(text, "_part, %ctaid");
        free(text);
    }
    printf("# %u with thread indices, %u with block indices\n", kept, general);
    expect(wrong == 0);
    expect(kept > PROGRAMS / 20);
    expect(general > PROGRAMS / 20);
}

int main(void)
{
    run_test(thread_index_gets_first_thread);
    run_test(forms_of_thread_indices);
    run_test(every_thread_index_gets_it);
    run_test(dimensions_are_apart);
    run_test(other_uses_of_the_block_index);
    run_test(other_factors);
    run_test(other_instructions);
    run_test(device_functions_too);
    run_test(random_programs_do_the_same);
    return end_tests();
}
