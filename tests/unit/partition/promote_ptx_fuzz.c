/* promote_ptx_fuzz: the promotion of PTX modules on broken texts.
 *
 *     promote_ptx_fuzz [--seconds N] [--seed N]
 *
 * Changes PTX texts at random and checks what comes out: a refusal with a reason, or a text that is
 * not shorter, with the same routines, in which every kernel has its parameter, the size of the
 * real grid is not read, and a first thread that is loaded is added to something. To be built with
 * -fsanitize=address,undefined. */
#include <stdio.h>

#include <datamotion/partition.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "partition/promote_scan.h"
#include "tests/unit/fuzz.h"

#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
static const char *const seeds[] = {
    HEAD ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .b32 %r<3>;\n"
         "\tmov.u32 \t%r1, %ctaid.x;\n\t@%p1 bra $L;\n$L:\n\tmov.u32 %r2, %nctaid.y;\n\tret;\n}\n",
    HEAD ".func (.param .b32 r) f(.param .b32 a)\n{\n mov.u32 %r1, %ctaid.z; ret;\n}\n"
         ".entry k() { { .param .b32 v; call.uni (v), f, (a); } call g; ret; }\n.func g() { ret; }",
    HEAD "// a comment\n.global .align 4 .b8 v[4] = {1, 2, 3, 4};\n.entry k .maxntid 1 { ret; }\n"
         ".file 1 \"k.cu\"\n.entry j(.param .b8 p[24]) { ld.param.u64 %rd1, [p+8]; ret; }",
    HEAD ".entry k(.param .u64 a)\n{\n.loc 1 2 3, function_name $s, inlined_at 1 5 1\n"
         "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.s32 %r3, %r2, %r1, %r3;\n"
         "mov.u32 %r4, %ctaid.y;\nmov.u32 %r5, %ntid.y;\nmad.lo.s32 %r6, %r4, %r5, %r6;\nret;\n}",
};
static const char *const words[] = {".entry",
                                    ".func",
                                    "call",
                                    "call.uni",
                                    "(",
                                    ")",
                                    "{",
                                    "}",
                                    ";",
                                    ",",
                                    "\"",
                                    "//",
                                    "/*",
                                    "*/",
                                    "\n",
                                    ":",
                                    "@",
                                    "=",
                                    "f",
                                    "g",
                                    "k",
                                    "%ctaid.x",
                                    "%ctaid",
                                    "mov.u32",
                                    "%nctaid.x",
                                    " ",
                                    "[",
                                    "%p",
                                    "ret;",
                                    "\\",
                                    ".param .u32 a",
                                    "%r1",
                                    "%r2",
                                    "%ntid.x",
                                    ".loc",
                                    "mad.lo.s32 %r3, %r1, %r2, 1;",
                                    "mov.u32 %r1,"};
enum { SEEDS = sizeof seeds / sizeof *seeds, WORDS = sizeof words / sizeof *words };
enum { TEXT_MAX = 4096 };

static char text[TEXT_MAX]; /* the one that is tried */

static void show_text(void)
{
    fprintf(stderr, "input:\n%s\n", text);
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

static void change_text(void)
{
    size_t at = draw(strlen(text) + 1);
    char byte[2] = {(char)(1 + draw(255)), 0};
    switch (draw(4)) {
    case 0:
        splice(at, draw(12), "");
        break;
    case 1:
        splice(at, draw(3), byte);
        break;
    default:
        splice(at, draw(8), words[draw(WORDS)]);
    }
}

static size_t count(const char *in, const char *part)
{
    size_t times = 0;
    for (const char *at = in; (at = strstr(at, part)); at += strlen(part))
        times++;
    return times;
}

/* Whether the promoted text has the routines of the original, its kernels have parameters, and the
 * size of the real grid is read nowhere. */
static bool same_routines(const char *promoted)
{
    struct ptx_routines before, after;
    bool same = ptx_survey(text, &before) == DM_OK;
    same = ptx_survey(promoted, &after) == DM_OK && same && before.count == after.count;
    for (size_t i = 0; same && i < after.count; i++) {
        const struct ptx_routine *routine = &after.list[i];
        same = ptx_same(routine->name, before.list[i].name) && !(routine->registers >> 3) &&
               (routine->has_parameters || !routine->kernel);
    }
    free(before.list);
    free(after.list);
    return same;
}

/* What is wrong with the outcome, or NULL. */
static const char *judge(enum dm_status status, const char *promoted, size_t kernels)
{
    if ((status == DM_OK) != (promoted != NULL))
        return "a text with an error, or an error without";
    if (!promoted)
        return kernels == 0 && *dm_message() ? NULL : "a refusal without a reason";
    if (strlen(promoted) < strlen(text))
        return "text is lost";
    if (kernels > count(promoted, ".param .align 4 .b8 datamotion_place[36]"))
        return "a kernel without the parameter";
    if (count(promoted, ".reg .b32 %datamotion_place_thread_") >
        count(promoted, ", %datamotion_place_thread_"))
        return "a first thread that is not added to anything";
    return same_routines(promoted) ? NULL : "the promoted text has other routines";
}

/* Returns whether it was promoted. */
static bool try_text(void)
{
    size_t kernels = 0;
    char *promoted;
    enum dm_status status = partition_promote_ptx(text, &promoted, &kernels);
    const char *wrong = judge(status, promoted, kernels);
    if (wrong)
        fail("%s: %s", wrong, promoted ? promoted : dm_message());
    bool accepted = promoted != NULL;
    free(promoted);
    return accepted;
}

int main(int argc, char **argv)
{
    double end_s = clock_now_s() + read_options(argc, argv, NULL);
    size_t tried = 0, promoted = 0;
    begin_watch(show_text);
    for (; clock_now_s() < end_s; tried++) {
        strcpy(text, seeds[draw(SEEDS)]);
        for (size_t changes = draw(6) + 1; changes; changes--)
            change_text();
        promoted += try_text();
    }
    printf("%zu texts tried, %zu of them promoted; seed %llu\n", tried, promoted,
           (unsigned long long)random_seed);
    end_watch();
    return EXIT_PASS;
}
