/* operation_registers.c: each 8 bytes of a small structure come in an integer register (rax, rdx)
 * if there is an integer among them, or else in one for reals (xmm0, xmm1), which the compiler does
 * not tell. Two calls with equal elements at different places, and with different values in all
 * four registers before, show what is no result: it differs. Where both kinds are left, because the
 * procedure copies by way of registers, what the elements of all images look like decides. */
#include "operation_registers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "coarrays/caf/error.h"

#ifdef __x86_64__

enum { INTEGER_CLASS, REAL_CLASS };

/* Classes of both parts; a score that no others make up for. */
enum { CHOICES = 4, REFUTED = -1000000 };

/* What is in all registers before the two calls: equal in the upper half, which may become what
 * lies between the components of a result. */
enum { FIRST = 0x5a5a1234, SECOND = 0x3c3c0ff1 };

struct registers {
    uint64_t integer[2], real[2];
};

static __attribute__((noinline)) struct registers call(operation_function *function, const void *in,
                                                       const void *inout, uint64_t before)
{
    struct registers after;
    register uint64_t real0 __asm__("r13");
    register uint64_t real1 __asm__("r14");
    register operation_function *called __asm__("r12") = function;
    uint64_t rax, rdx = before;
    __asm__ volatile("mov %%rsp, %%rbx\n\t"
                     "sub $128, %%rsp\n\t" /* what a leaf function has below the stack */
                     "and $-16, %%rsp\n\t"
                     "mov %%rdx, %%rax\n\t"
                     "movq %%rdx, %%xmm0\n\t"
                     "movq %%rdx, %%xmm1\n\t"
                     "call *%%r12\n\t"
                     "mov %%rbx, %%rsp\n\t"
                     "movq %%xmm0, %%r13\n\t"
                     "movq %%xmm1, %%r14\n\t"
                     : "=&a"(rax), "+d"(rdx), "=r"(real0), "=r"(real1), "+r"(called), "+D"(in),
                       "+S"(inout)
                     :
                     : "rbx", "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
                       "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15", "memory", "cc");
    after.integer[0] = rax;
    after.integer[1] = rdx;
    after.real[0] = real0;
    after.real[1] = real1;
    return after;
}

/* What is not set of a result, between components, is what was on the stack: equal in all calls. */
static __attribute__((noinline)) void clear_stack(void)
{
    volatile char room[4096];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 0;
}

/* The register in which part `part` comes. */
static uint64_t part_of(const struct registers *registers, const unsigned char *classes, int part)
{
    int same = part == 1 && classes[0] == classes[1];
    return classes[part] == INTEGER_CLASS ? registers->integer[same] : registers->real[same];
}

static bool is_usual(double value, bool is_zero)
{
    return is_zero || (isfinite(value) && fabs(value) > 1e-30 && fabs(value) < 1e30);
}

static bool looks_real(const char *element, size_t bytes)
{
    char part[8] = {0};
    float single[2];
    double value;
    memcpy(part, element, bytes < 8 ? bytes : 8);
    memcpy(single, part, sizeof single);
    memcpy(&value, part, sizeof value);
    /* A small integer, whatever is beside it. */
    int32_t integer;
    memcpy(&integer, part, sizeof integer);
    if (value == 0 || (integer != 0 && integer > -65536 && integer < 65536))
        return false;
    return (bytes >= 8 && is_usual(value, false)) ||
           (is_usual(single[0], single[0] == 0) && is_usual(single[1], single[1] == 0));
}

/* The bytes of a part that belong to the element. */
static uint64_t mask_of(size_t bytes, int part)
{
    size_t left = bytes - 8 * (size_t)part;
    return left >= 8 ? UINT64_MAX : ((uint64_t)1 << (8 * left)) - 1;
}

/* Equal registers after both calls. */
static bool can_be(const struct registers *a, const struct registers *b, size_t bytes,
                   const unsigned char *classes)
{
    for (int part = 0; part < (bytes > 8 ? 2 : 1); part++)
        if (((part_of(a, classes, part) ^ part_of(b, classes, part)) & mask_of(bytes, part)) != 0)
            return false;
    return true;
}

/* How many parts are of the kind that the element looks like. */
static int likeness(const char *element, size_t bytes, const unsigned char *classes)
{
    int alike = 0;
    for (int part = 0; part < (bytes > 8 ? 2 : 1); part++)
        alike += looks_real(element + 8 * part, bytes - 8 * (size_t)part) ==
                 (classes[part] == REAL_CLASS);
    return alike;
}

/* How well each choice of classes suits what this image sees. */
static void judge(const struct operation *operation, const void *element, int32_t *scores)
{
    _Alignas(16) char copies[4][32];
    size_t bytes = operation->element_bytes;
    for (int i = 0; i < 4; i++)
        memcpy(copies[i], element, bytes);
    clear_stack();
    struct registers a = call(operation->function, copies[0], copies[1], FIRST);
    clear_stack();
    struct registers b = call(operation->function, copies[2], copies[3], SECOND);
    for (int choice = 0; choice < CHOICES; choice++) {
        const unsigned char classes[2] = {(unsigned char)(choice & 1),
                                          (unsigned char)(choice >> 1)};
        scores[choice] =
            can_be(&a, &b, bytes, classes) ? likeness(element, bytes, classes) : REFUTED;
    }
}

enum dm_status registers_find(struct operation *operation, const void *element, bool *found)
{
    int32_t scores[CHOICES] = {0};
    int best = 0;
    if (element)
        judge(operation, element, scores);
    TRY(caf_sum(scores, CHOICES, CAF_INT32, 0));
    for (int choice = 1; choice < (operation->element_bytes > 8 ? CHOICES : 2); choice++)
        best = scores[choice] > scores[best] ? choice : best;
    operation->classes[0] = best & 1;
    operation->classes[1] = (unsigned char)(best >> 1);
    *found = scores[best] > REFUTED / 2;
    return DM_OK;
}

void registers_combine(const struct operation *operation, const void *in, void *inout)
{
    struct registers registers = call(operation->function, in, inout, 0);
    uint64_t result[2] = {part_of(&registers, operation->classes, 0),
                          part_of(&registers, operation->classes, 1)};
    memcpy(inout, result, operation->element_bytes);
}

#else

enum dm_status registers_find(struct operation *operation, const void *element, bool *found)
{
    (void)operation, (void)element;
    *found = false;
    return DM_OK;
}

void registers_combine(const struct operation *operation, const void *in, void *inout)
{
    (void)operation, (void)in, (void)inout;
}

#endif
