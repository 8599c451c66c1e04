/* partition_wrap.h: parts of partition-wrap, the program that turns kernels into plain loops. */
#ifndef PARTITION_WRAP_H
#define PARTITION_WRAP_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>

#include <datamotion/status.h>

enum { WRAP_EXPRESSION = 256 };

/* What CUDA's built-in variables say. */
enum coordinate {
    COORDINATE_THREAD,
    COORDINATE_BLOCK,
    COORDINATE_BLOCK_SIZE,
    COORDINATE_GRID_SIZE
};

/* What the loops around a kernel count, of each dimension. */
enum loop_kind {
    LOOP_GLOBAL, /* g: index of the thread in the whole grid */
    LOOP_ORIGIN, /* o: index of the block's first thread in the whole grid */
    LOOP_BLOCK,  /* b */
    LOOP_THREAD, /* t: thread in its block */
    LOOP_KINDS
};

enum { RANGES_LINE = 640, RANGES_NEW_MAX = 64, RANGES_MAX = 256 };

/* Conditions on a launch, under which integers of the kernel have bounds. */
struct ranges {
    FILE *out; /* gets lines `nonnegative KERNEL EXPRESSION` and `atmost KERNEL LIMIT EXPRESSION` */
    const char *kernel;
    char lines[RANGES_MAX][RANGES_LINE]; /* written; without the kernel's name */
    unsigned count;
    char new_lines[RANGES_NEW_MAX][RANGES_LINE]; /* of the value that is being looked at */
    unsigned new_count;
    unsigned work;            /* values looked at for this value */
    bool without_differences; /* nothing is assumed of differences of arguments */
};

/* Whether the value, as a number without bounds of its type, stays below half of the type's range,
 * and is not negative if it must not be; then the conditions for that have been written. */
bool ranges_fit(struct ranges *ranges, LLVMValueRef value, bool must_be_positive);
/* Whether it is not negative and below 2^bits; then the conditions for that have been written. */
bool ranges_below_power(struct ranges *ranges, LLVMValueRef value, unsigned bits);
/* Whether it is a shift to the left by so many bits, which leaves room for a sign. */
bool ranges_shifted_bits(LLVMValueRef shift, unsigned *bits);
/* partition_wrap_conditions.c: false: there are too many. */
bool ranges_assume(struct ranges *ranges, const char *word, const char *condition);
bool ranges_write(struct ranges *ranges);

/* A kernel while it is rewritten. Its blocks: entry (new), then those of its body, then end (new).
 */
struct wrap {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTypeRef i32;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    LLVMBasicBlockRef entry, body, end;
    /* Values in the entry block that stand for a coordinate until the loops are there. */
    LLVMValueRef place[LOOP_KINDS][3];
    /* In threads, threads of a block, blocks. Unknown to the analysis, which names them. */
    LLVMValueRef size[3], block_size[3], grid_size[3];
    /* Dimensions of which a global index alone does not say what the kernel uses. */
    bool separate[3];
    bool changed; /* by the last wrap_each */
    struct ranges *ranges;
    /* Of wrap_remove_shared. */
    bool loaded_branch;
    unsigned sinks, unknowns;
};

/* clang lists kernels in the module's annotations: { function, "kernel", 1 }. */
bool wrap_is_kernel(LLVMModuleRef module, LLVMValueRef function);

/* partition_wrap_passes.c: functions are put into their callers; registers become values; loops get
 * the form that Polly knows; what has no effect any more goes. */
enum dm_status wrap_inline(LLVMModuleRef module);
enum dm_status wrap_make_values(LLVMModuleRef module);
enum dm_status wrap_canonicalise(LLVMModuleRef module);
enum dm_status wrap_drop_unused(LLVMModuleRef module);

/* Calls `visit` for each instruction of the body; it may erase that instruction. */
void wrap_each(struct wrap *wrap, void (*visit)(struct wrap *wrap, LLVMValueRef instruction));

/* Whether the value is one of CUDA's built-in variables. */
bool coordinate_of(LLVMValueRef value, enum coordinate *kind, unsigned *dimension);
/* Whether it is blockIdx * blockDim. */
bool is_block_origin(LLVMValueRef value, unsigned *dimension);
/* Whether it is blockIdx * blockDim + threadIdx. */
bool is_global_index(LLVMValueRef value, unsigned *dimension);
/* Whether the value goes nowhere but into global indices of that dimension. */
bool only_in_global_index(LLVMValueRef value, unsigned dimension);

/* A function without a body of one i32 argument. Its value is unknown, but the same for the same
 * argument, and calls have no effect. */
LLVMValueRef wrap_unknown(struct wrap *wrap, const char *name, LLVMTypeRef result,
                          LLVMTypeRef *type);

/* Whether the function neither reads nor writes memory. */
bool wrap_is_pure(LLVMValueRef function);
void wrap_make_pure(LLVMContextRef context, LLVMValueRef function);

/* The name of a function as the kernel's author wrote it; NULL for a call through a pointer. */
const char *wrap_callee(LLVMValueRef call, size_t *length);

/* DM_UNAVAILABLE: the analysis has to leave the kernel out. */
enum dm_status wrap_check(LLVMValueRef function);

/* Writes a line `touches KERNEL -rw...`, a letter for each argument, if the kernel reaches other
 * threads' memory by its arguments alone. */
void wrap_print_touches(LLVMValueRef function, FILE *out);

/* Writes a line `element KERNEL ARGUMENT BITS f|d|h|i` for each argument that points to numbers. */
void wrap_print_elements(LLVMValueRef function, FILE *out);

/* A letter for each argument, as for wrap_print_touches, of all accesses, of those that are not
 * atomic, or of loads alone. False: they may reach other memory. */
enum touches_of { TOUCHES_OF_ALL, TOUCHES_OF_PLAIN, TOUCHES_OF_LOADS };
bool wrap_find_touches(LLVMValueRef function, char *letters, enum touches_of which);

/* partition_wrap_forget.c: of the kernels that the data base `refused` refuses only what says which
 * elements they write is left, and lines `whole KERNEL -r...` of what they read; all other kernels
 * are gone. NULL, or why that cannot be done. */
const char *wrap_forget_reads(LLVMModuleRef module, const char *refused, FILE *lines);

/* partition_wrap_atomics.c */
bool wrap_is_atomic(LLVMValueRef instruction);
bool wrap_is_shared_pointer(LLVMValueRef pointer);
/* Writes a line `reduces KERNEL ARGUMENT KIND` for each argument whose memory the kernel reaches by
 * atomic operations of one kind alone. DM_UNAVAILABLE: it has others. */
enum dm_status wrap_check_atomics(LLVMValueRef function, FILE *out);

/* Comparison of a kernel compiled with signed and with unsigned coordinates. */
struct signs {
    FILE *out; /* gets a line `nonnegative KERNEL EXPRESSION` for each assumption */
    const char *kernel;
    struct ranges *ranges;
};

/* Whether both do the same, under the assumptions written. */
bool wrap_signs_agree(struct signs *signs, LLVMValueRef with_signed, LLVMValueRef with_unsigned);

/* Whether the value goes nowhere but into addresses, as their index. */
bool wrap_only_index(LLVMValueRef value);
/* The condition of a loop becomes one integer comparison. */
void wrap_join_conditions(struct wrap *wrap);
/* Arithmetic that is promised not to wrap only because coordinates are signed here loses the
 * promise. `twin`: the same kernel with unsigned coordinates. */
void wrap_drop_promises(struct wrap *wrap, LLVMValueRef twin);
/* Arithmetic is promised not to wrap where conditions on the launch make sure of it. */
void wrap_bound_arithmetic(struct wrap *wrap);
/* partition_wrap_quotients.c: products that nvcc made of divisions by numbers. */
void wrap_find_quotients(struct wrap *wrap);
/* partition_wrap_unrolled.c: loops that nvcc unrolled by four and the like. */
void wrap_roll(struct wrap *wrap);
/* partition_wrap_remainders.c: if the instruction is a remainder, or a sum with 0, it becomes that.
 */
void wrap_make_remainder(struct wrap *wrap, LLVMValueRef instruction);
/* Bits that are set where zeros are, and numbers whose bits are inverted, are sums. */
void wrap_add_for_bits(struct wrap *wrap);
/* Unsigned arithmetic becomes signed, under conditions on the launch; before wrap_loops. */
void wrap_make_signed(struct wrap *wrap);
/* Indices and comparisons of 32 bits become such of 64; after wrap_loops. */
void wrap_widen(struct wrap *wrap);
/* Whether `to` can be reached from `from` without `around`; also true where that is too long to
 * tell. */
bool wrap_reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around);
/* Whether the addition, subtraction or multiplication is promised not to overflow (nsw). */
bool wrap_never_wraps(LLVMValueRef instruction);

/* Puts loops around the body and replaces coordinates by their counters. Writes the names of the
 * loops' counters, outermost first, each after a space. */
void wrap_loops(struct wrap *wrap, char names[64]);

/* Replaces coordinates in the body by the wrap's places and values. */
void wrap_coordinates(struct wrap *wrap);

/* Removes barriers, accesses to shared memory and atomic operations. */
void wrap_remove_shared(struct wrap *wrap);

#endif
