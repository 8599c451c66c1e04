/* promote_ptx_test: what the promoted text of a PTX module is, what is refused, and, where nvcc is
 * installed, that ptxas takes the promoted text of a module with device functions. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "tests/unit/test_status.h"

#define HEAD      ".version 7.0\n.target sm_70\n.address_size 64\n"
#define PARAMETER ".param .align 4 .b8 datamotion_place[36]"

static size_t kernels;

/* The promoted text, which the caller frees; NULL: see dm_message(). */
static char *promote(const char *ptx)
{
    char *promoted;
    partition_promote_ptx(ptx, &promoted, &kernels);
    return promoted;
}

static bool has(const char *text, const char *part)
{
    bool found = text && strstr(text, part);
    if (!found)
        printf("# %s is not in:\n%s\n", part, text ? text : dm_message());
    return found;
}

static size_t count(const char *text, const char *part)
{
    size_t times = 0;
    for (const char *at = text; at && (at = strstr(at, part)); at += strlen(part))
        times++;
    return times;
}

/* Whether it is refused with a reason that has the words. */
static bool refused(const char *ptx, const char *words)
{
    char *text;
    enum dm_status status = partition_promote_ptx(ptx, &text, &kernels);
    bool right = !text && kernels == 0 && strstr(dm_message(), words) &&
                 (status == DM_INVALID || status == DM_UNAVAILABLE);
    if (!right)
        printf("# expected to be refused for: %s\n# but: %s\n", words, text ? text : dm_message());
    free(text);
    return right;
}

static bool body_refused(const char *instructions, const char *words)
{
    char ptx[1024];
    snprintf(ptx, sizeof ptx, HEAD ".visible .entry k(.param .u64 a)\n{\n%s\nret;\n}\n",
             instructions);
    return refused(ptx, words);
}

static void index_is_that_of_the_whole_grid(void)
{
    char *text = promote(HEAD ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n"
                              "\tmov.u32 \t%r1, %ctaid.y;\n\tret;\n}\n");
    expect(kernels == 1);
    expect(text &&
           strcmp(text, HEAD
                  ".visible .entry k(\n\t.param .u64 k_param_0\n,\n\t" PARAMETER
                  "\n)\n{\n\t.reg .b32 %datamotion_place_part;\n"
                  "\t.reg .b32 %datamotion_place_1;\n"
                  "\tld.param.u32 %datamotion_place_1, [datamotion_place+4];\n"
                  "\tmov.u32 %datamotion_place_part, %ctaid.y;\n"
                  "\tadd.u32 %datamotion_place_1, %datamotion_place_1, %datamotion_place_part;\n"
                  "\n\tmov.u32 \t%r1, %datamotion_place_1;\n\tret;\n}\n") == 0);
    free(text);
}

static void grid_is_the_whole_grid(void)
{
    char *text = promote(HEAD ".entry k(.param .u64 a){ @%p1 cvt.u64.u32 %rd1, %nctaid.x; "
                              "mad.lo.s32 %r1, %nctaid.z, %ntid.x, %tid.x; ret; }");
    expect(has(text, "ld.param.u32 %datamotion_place_3, [datamotion_place+12];"));
    expect(has(text, "ld.param.u32 %datamotion_place_5, [datamotion_place+20];"));
    expect(has(text, "@%p1 cvt.u64.u32 %rd1, %datamotion_place_3;"));
    expect(has(text, "mad.lo.s32 %r1, %datamotion_place_5, %ntid.x, %tid.x;"));
    expect(count(text, "%nctaid") == 0);
    free(text);
}

static void every_kernel_gets_the_parameter(void)
{
    char *text = promote(HEAD ".visible .entry later(.param .u32 n);\n"
                              ".entry bare .maxntid 256, 1, 1 { ret; }\n"
                              ".entry empty ( /* none */ ) { ret; }\n"
                              ".entry later(.param .u32 n) { ret; }\n");
    expect(kernels == 3);
    expect(has(text, ".entry bare(\n\t" PARAMETER "\n) .maxntid 256, 1, 1 {"));
    expect(has(text, ".entry empty ( /* none */ \n\t" PARAMETER "\n)"));
    expect(count(text, "later(.param .u32 n,\n\t" PARAMETER "\n)") == 2);
    free(text);
}

static void other_text_is_left_alone(void)
{
    static const char other[] = HEAD ".file 1 \"{ .entry %ctaid.x \\\" }\"\n// .entry x(\n"
                                     "/* { %nctaid.x */\n.global .b32 v[2] = { 1, 2 };\n"
                                     ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
                                     ".section .debug_info { .b8 1 }\n";
    char *text = promote(other);
    expect(kernels == 0);
    expect(text && strcmp(text, other) == 0);
    free(text);
}

static void device_functions_get_the_place(void)
{
    char *text = promote(HEAD ".func (.param .b32 r) index();\n"
                              ".func outer(.param .b64 a)\n{\n"
                              "{ call.uni (v), \n\tindex, \n\t(\n\t); }\n"
                              "call.uni other; @%p call (v), index; ret; }\n"
                              ".func other() { ret; }\n"
                              ".func (.param .b32 r) index() { mov.u32 %r1, %ctaid.x; ret; }\n"
                              ".entry k(.param .u64 a) { call outer, (p); ret; }\n");
    expect(kernels == 1);
    expect(count(text, "index(\n\t" PARAMETER "\n)") == 2);
    expect(has(text, "outer(.param .b64 a,\n\t" PARAMETER "\n)"));
    expect(has(text, "index, \n\t(\n\tdatamotion_place_argument_0)"));
    expect(has(text, "@%p call (v), index, (datamotion_place_argument_1);"));
    expect(has(text, "call outer, (p, datamotion_place_argument_2);"));
    expect(has(text, "st.param.b32 [datamotion_place_argument_2+20], %datamotion_place_part;"));
    expect(has(text, "call.uni other;"));
    expect(has(text, ".func other() { ret; }"));
    free(text);
}

static void calls_that_cannot_pass_it_are_refused(void)
{
#define INDEX ".func index() { mov.u32 %r1, %ctaid.x; ret; }\n"
    expect(refused(HEAD INDEX ".entry k() { mov.u64 %rd1, index; call %rd1, (), proto; ret; }",
                   "kernel k calls a function that reads its block index through a pointer"));
    expect(refused(HEAD INDEX ".global .u64 table[1] = { index };\n.entry k() { ret; }",
                   "device function index is named in a variable"));
    expect(refused(HEAD INDEX ".entry k() { call index, (a; ret; }", "call"));
    expect(refused(HEAD INDEX ".entry k() { call index }", "call"));
    expect(refused(HEAD INDEX ".entry k() { call index, index; }", "call"));
}

static void what_depends_on_the_real_grid_is_refused(void)
{
    expect(body_refused("mov.u32 %r1, %cluster_ctaid.x;", "kernel k knows its cluster"));
    expect(body_refused("mov.u32 %r1, %clusterid.x;", "cluster"));
    expect(body_refused("mov.pred %p1, %is_explicit_cluster;", "cluster"));
    expect(body_refused("mov.b32 %r1, %envreg2;", "cooperative launch"));
    expect(body_refused("griddepcontrol.wait;", "another launch"));
    expect(body_refused("call.uni (r), cudaLaunchDeviceV2, (a, b);", "launches kernels"));
    expect(body_refused("mov.v4.u32 {%r1, %r2, %r3, %r4}, %ctaid;", "as a vector"));
    expect(body_refused("mov.u16 %rs1, %ctaid.x;", "not understood"));
    expect(body_refused(".loc 1 2 3\nmov.u16 %rs1, %ctaid.x;", "not understood"));
    expect(body_refused("%ctaid.x;", "not understood"));
    expect(refused(HEAD ".entry k() .reqnctapercluster 2, 1, 1 { ret; }", "clusters"));
}

static void broken_text_is_refused(void)
{
    expect(refused("", "not a PTX text"));
    expect(refused("\177ELF\1\1\1", "not a PTX text"));
    expect(refused("extern \"C\" __global__ void k() {}", "not a PTX text"));
    expect(refused(HEAD ".entry k(.param .u64 a)\n{ ret;", "line 4"));
    expect(refused(HEAD "\n.entry k(.param .u64 a { ret; }", "line 5"));
    expect(refused(HEAD ".entry", "line 4"));
    expect(refused(HEAD ".entry k()", "line 4"));
    expect(refused(HEAD ".entry { ret; }", "line 4"));
    expect(refused(HEAD "/* no end", "line 4"));
    expect(refused(HEAD ".file 1 \"no end", "line 4"));
    expect(refused(HEAD ".entry k() { // no end of the kernel }", "line 4"));
}

/* Which of both it is. */
static void statuses_of_what_is_refused(void)
{
    char *text;
    expect_error(partition_promote_ptx("", &text, &kernels), DM_INVALID, "not a PTX text");
    expect_error(partition_promote_ptx(HEAD ".entry", &text, &kernels), DM_INVALID, "line 4");
    expect_error(
        partition_promote_ptx(HEAD ".entry k() .explicitcluster { ret; }", &text, &kernels),
        DM_UNAVAILABLE, "kernel k is launched in clusters");
    expect_error(
        partition_promote_ptx(HEAD ".entry k() { mov.b32 %r1, %envreg2; ret; }", &text, &kernels),
        DM_UNAVAILABLE, "kernel k expects a cooperative launch");
}

static void promoted_text_is_refused(void)
{
    char *text = promote(HEAD ".entry k() { mov.u32 %r1, %ctaid.x; ret; }");
    expect(text != NULL);
    expect(refused(text ? text : "", "promoted already"));
    free(text);
}

static const char source[] =
    "__device__ __noinline__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }\n"
    "__device__ __noinline__ int outer(int a) { return index() + a * gridDim.y; }\n"
    "__device__ __noinline__ void other() { asm volatile(\"\"); }\n"
    "extern \"C\" __global__ void k(float *p, int n) {\n"
    "  other(); if (index() < n) p[index()] = outer(n) + outer(2) + blockIdx.z; }\n"
    "extern \"C\" __global__ void bare() { other(); }\n"
    "extern \"C\" __global__ void row(float *p, int n) {\n"
    "  int i = blockIdx.y * blockDim.y + threadIdx.y; if (i < n) p[i] = 1; }\n";

static char directory[] = "/tmp/promote_ptx_XXXXXX";

static bool run(const char *format)
{
    char command[512];
    snprintf(command, sizeof command, format, directory, directory);
    return system(command) == 0;
}

static void write_file(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    expect(file && fputs(text, file) >= 0);
    expect(file && fclose(file) == 0);
}

static char *read_file(const char *name)
{
    static char text[1 << 16];
    char path[64];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    return text;
}

static void ptxas_takes_it(void)
{
    if (!run("command -v nvcc ptxas >/dev/null # %s %s")) {
        printf("# there is no nvcc: not tried\n");
        return;
    }
    expect(mkdtemp(directory) != NULL);
    write_file("k.cu", source);
    expect(run("nvcc -ptx -arch=sm_90 %s/k.cu -o %s/k.ptx"));
    char *text = promote(read_file("k.ptx"));
    expect(kernels == 3);
    expect(count(text, "%ctaid.x") == 1);
    expect(count(text, "_part, %ctaid.y") == 0);
    expect(count(text, ", %datamotion_place_thread_0;") == 1);
    expect(count(text, ", %datamotion_place_thread_1;") == 1);
    expect(count(text, "%ctaid.z") == 1);
    expect(count(text, "%nctaid") == 0);
    write_file("promoted.ptx", text ? text : "");
    expect(run("ptxas -arch=sm_90 %s/promoted.ptx -o %s/promoted.cubin"));
    expect(run("rm -r %s # %s"));
    free(text);
}

int main(void)
{
    run_test(index_is_that_of_the_whole_grid);
    run_test(grid_is_the_whole_grid);
    run_test(every_kernel_gets_the_parameter);
    run_test(other_text_is_left_alone);
    run_test(device_functions_get_the_place);
    run_test(calls_that_cannot_pass_it_are_refused);
    run_test(what_depends_on_the_real_grid_is_refused);
    run_test(broken_text_is_refused);
    run_test(statuses_of_what_is_refused);
    run_test(promoted_text_is_refused);
    run_test(ptxas_takes_it);
    return end_tests();
}
