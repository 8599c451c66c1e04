/* lift_ptx_fuzz: kernels lifted from broken PTX.
 *
 *     lift_ptx_fuzz [--seconds N] [--seed N] [--ir FOLDER] [MODULE.ptx ...]
 *
 * Changes PTX texts at random, those that are named and some of its own, and checks what comes out:
 * an error with a sentence, or for each kernel a function or a reason. With --ir the IR of some
 * that were lifted is left in FOLDER, for opt to check. To be built with
 * -fsanitize=address,undefined. */
#include <stdio.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "partition/lift/lift.h"
#include "tests/unit/fuzz.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"
static const char *const own[] = {
    HEAD
    ".const .align 4 .f32 weights[2] = {0f3F800000, 0f40000000};\n.global .align 4 .u32 total;\n"
    ".extern .shared .align 16 .b8 all[];\n.visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
    ".reg .pred %p<5>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n"
    ".shared .align 4 .b8 tile[64];\nld.param.u64 %rd1, [a];\nld.param.u32 %r1, [n];\n"
    "cvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\nmax.s32 %r6, %r5, %r4;\n"
    "setp.ge.s32 %p1, %r6, %r1;\n@%p1 bra $out;\nmul.wide.s32 %rd3, %r5, 4;\n"
    "add.s64 %rd4, %rd2, %rd3;\nld.global.v2.f32 {%f1, %f2}, [%rd4+-8];\n"
    "fma.rn.f32 %f3, %f1, %f2, 0f3F000000;\nshl.b32 %r7, %r4, 2;\nmov.u32 %r8, tile;\n"
    "add.s32 %r9, %r8, %r7;\nst.shared.f32 [%r9], %f3;\nbar.sync 0;\n"
    "ld.shared.f32 %f4, [%r9+4];\n$loop:\nadd.s32 %r5, %r5, 1;\nsetp.lt.s32 %p2, %r5, %r1;\n"
    "not.pred %p3, %p2;\nand.pred %p4, %p2, %p3;\n@!%p3 bra $loop;\n"
    "@%p4 st.global.f32 [%rd4], %f4;\n$out:\nret;\n}\n",
    HEAD
    ".entry bits(.param .u64 .ptr .global .align 4 b, .param .f64 x) .maxntid 256, 1, 1\n{\n"
    ".reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f64 %d<4>; .reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [b]; ld.param.f64 %d1, [x];\nld.global.u8 %h1, [%rd1];\n"
    "cvt.u32.u16 %r1, %h1; popc.b32 %r2, %r1; clz.b32 %r3, %r2; brev.b32 %r4, %r3;\n"
    "lop3.b32 %r5, %r1, %r2, %r3, 0x96; bfe.u32 %r6, %r5, 3, 4; shf.l.wrap.b32 %r7, %r5, %r6, 3;\n"
    "mov.b64 %rd2, {%r6, %r7}; mov.b64 {%r8, %r9}, %rd2; mul.hi.u32 %r10, %r8, %r9;\n"
    "cvt.rzi.s32.f64 %r11, %d1; cvt.rn.f64.s32 %d2, %r11; sqrt.rn.f64 %d3, %d2;\n"
    "setp.lt.and.f64 %p1|%p2, %d2, %d3, !%p1; selp.b32 %r12, %r10, %r11, %p1;\n"
    "shfl.sync.down.b32 %r13, %r12, 1, 31, -1; div.u32 %r14, %r13, 7; rem.s32 %r15, %r14, 3;\n"
    "shr.s32 %r16, %r15, %r14; abs.s32 %r17, %r16; neg.s32 %r18, %r17;\n"
    "atom.global.add.u32 %r19, [%rd1+4], %r18; red.global.max.s32 [%rd1], 3;\nret;\n}\n",
    HEAD
    ".func (.param .b32 r) f(.param .b32 a)\n{\n ret;\n}\n.entry g() { .reg .b32 %r1;\n"
    "{ .param .b32 v; call.uni (v), f, (v); }\n.loc 1 2 3, function_name $s, inlined_at 1 5 1\n"
    "ret; }\n.section .debug { .b8 1 }\n.file 1 \"k.cu\"\n.entry s(.param .align 8 .b8 p[24]) {\n"
    ".reg .b64 %rd1; .local .align 4 .b8 depot[8];\nld.param.u64 %rd1, [p+8]; ret; }",
};
static const char *const words[] = {".entry",     ".reg",    ".b32",
                                    ".pred",      "{",       "}",
                                    ";",          ",",       "[",
                                    "]",          "(",       ")",
                                    "%p1",        "%rd1",    "%rd4",
                                    "%r1",        "@%p1 ",   "@!%p2 ",
                                    "$loop",      ".shared", ".u64",
                                    ".f32",       ".wide",   ".lo",
                                    "-1",         "0",       "4096",
                                    "0x7fffffff", "<9>",     "+",
                                    "|",          "!",       "%tid.x",
                                    "set.eq.u32", "generic", ".reg.b16",
                                    "%tid.w",     "tile",    "weights",
                                    "total",      "all",     "9999999999999999999",
                                    "0f3F800000", "mov.u32", "add.s64",
                                    "selp.b64 ",  "ld.",     "st.",
                                    "bra $out;",  "ret;",    "ld.const.f32",
                                    ".v4",        ".align",  "0d3FF0000000000000"};
enum { OWN = sizeof own / sizeof *own, WORDS = sizeof words / sizeof *words };
enum { TEXT_MAX = 1 << 17, SEEDS_MAX = 64, IR_FILES = 40 };

static char text[TEXT_MAX]; /* the one that is tried */
static const char *seeds[SEEDS_MAX], *folder;
static size_t seed_count;
static bool folder_follows;

static void show_text(void)
{
    fprintf(stderr, "input:\n%s\n", text);
}

static void add_seed(const char *path)
{
    if (strcmp(path, "--ir") == 0 || folder_follows) {
        folder = folder_follows ? path : NULL;
        folder_follows = !folder_follows;
        return;
    }
    char *bytes = calloc(1, TEXT_MAX);
    FILE *file = fopen(path, "r");
    if (!file || !bytes || seed_count == SEEDS_MAX)
        fail("%s cannot be read, or is one too many", path);
    bytes[fread(bytes, 1, TEXT_MAX - 1, file)] = 0;
    fclose(file);
    seeds[seed_count++] = bytes;
}

/* Replaces up to `removed` bytes at `at`. */
static void splice(size_t at, size_t removed, const char *bytes)
{
    size_t rest = strlen(text) - at, length = strlen(bytes);
    removed = removed < rest ? removed : rest;
    if (at + length + rest - removed >= TEXT_MAX)
        return;
    memmove(text + at + length, text + at + removed, rest - removed + 1);
    memcpy(text + at, bytes, length);
}

/* A word for a word, mostly, so that much of what comes out can still be read. */
static void change_text(void)
{
    size_t at = draw(strlen(text) + 1), length;
    char byte[2] = {(char)(1 + draw(255)), 0};
    switch (draw(6)) {
    case 0:
        splice(at, draw(12), "");
        break;
    case 1:
        splice(at, draw(3), byte);
        break;
    case 2:
        splice(at, draw(8), words[draw(WORDS)]);
        break;
    default:
        at += strcspn(text + at, " ,[{(\n");
        at += strspn(text + at, " ,[{(\n");
        length = strcspn(text + at, " ,;[]{}()+\n");
        splice(at, length, words[draw(WORDS)]);
    }
}

static size_t count(const char *in, const char *part)
{
    size_t times = 0;
    for (const char *at = in; in && (at = strstr(at, part)); at += strlen(part))
        times++;
    return times;
}

static void leave_ir(const char *ir)
{
    static unsigned number;
    char path[4096];
    if (!folder || number == IR_FILES || draw(8))
        return;
    snprintf(path, sizeof path, "%s/%u.ll", folder, number++);
    FILE *file = fopen(path, "w");
    if (!file || fputs(ir, file) < 0 || fclose(file) != 0)
        fail("%s cannot be written", path);
}

/* Returns how many kernels were lifted. */
static size_t write_module(struct lift_module *module, bool to_run)
{
    char *ir = NULL, *refused = NULL;
    size_t ir_bytes, refused_bytes;
    FILE *out = open_memstream(&ir, &ir_bytes), *why = open_memstream(&refused, &refused_bytes);
    if (!out || !why)
        fail("there is not enough memory");
    lift_write(module, to_run, out, why);
    fclose(out);
    fclose(why);
    size_t functions = count(ir, to_run ? "define internal void @" : "define void @");
    size_t refusals = count(refused, "\nrefused ") + (strncmp(refused, "refused ", 8) == 0);
    if (functions + refusals != module->kernel_count)
        fail("%zu kernels, but %zu functions and:\n%s", module->kernel_count, functions, refused);
    if (count(refused, " \n"))
        fail("a refusal without a reason");
    if (!to_run && functions)
        leave_ir(ir);
    free(ir);
    free(refused);
    return functions;
}

static size_t try_text(void)
{
    struct lift_module module = {0};
    size_t lifted = 0;
    if (lift_read(&module, text, strlen(text)) == DM_OK)
        lifted = write_module(&module, draw(2));
    else if (!*dm_message())
        fail("an error without a sentence");
    lift_release(&module.memory);
    return lifted;
}

int main(int argc, char **argv)
{
    for (; seed_count < OWN; seed_count++)
        seeds[seed_count] = own[seed_count];
    double end_s = clock_now_s() + read_options(argc, argv, add_seed);
    size_t tried = 0, lifted = 0;
    begin_watch(show_text);
    for (; clock_now_s() < end_s; tried++) {
        strcpy(text, seeds[draw(seed_count)]);
        for (size_t changes = draw(5); changes; changes--)
            change_text();
        lifted += try_text();
    }
    printf("%zu texts tried, %zu kernels lifted; seed %llu\n", tried, lifted,
           (unsigned long long)random_seed);
    end_watch();
    for (size_t i = OWN; i < seed_count; i++)
        free((char *)seeds[i]);
    return EXIT_PASS;
}
