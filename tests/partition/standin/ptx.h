/* ptx.h: kernels in PTX, executed on the host one thread at a time: for tests that need the path of
 * a program that nvcc built and have no GPU. It knows the instructions that such programs here use,
 * and fails with the first other one.
 *
 *   text --ptx_load--> kernels: instructions with numbered registers --ptx_run--> memory */
#ifndef PTX_H
#define PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PTX_OPERANDS = 5, PTX_NAME = 256, PTX_VECTOR = 4 };

enum ptx_space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM };

struct ptx_operand {
    enum { NONE, REGISTER, VALUE, SPECIAL, MEMORY, VECTOR } kind;
    int reg[PTX_VECTOR]; /* of a vector, or one; of memory: the base, -1: none */
    int count;
    uint64_t value; /* or the offset of memory */
};

struct ptx_type {
    char kind; /* u, s, f, b, p */
    int bytes;
};

struct ptx_instruction {
    int guard; /* register; -1: none */
    bool unless;
    int operation;              /* enum in ptx_internal.h */
    struct ptx_type type, from; /* from: of cvt, and of loads' narrow types */
    char mode;                  /* l lo, h hi, w wide */
    int compare;
    int in_memory; /* of atom: what it does */
    enum ptx_space space;
    bool to_space; /* cvta.to */
    int target;    /* of a branch */
    struct ptx_operand operand[PTX_OPERANDS];
};

struct ptx_parameter {
    size_t offset, bytes;
};

struct ptx_kernel {
    char name[PTX_NAME];
    struct ptx_parameter *parameters;
    size_t parameter_count, parameter_bytes;
    struct ptx_instruction *code;
    size_t length;
    int registers;
    size_t shared_bytes, local_bytes;
};

struct ptx_variable {
    char name[PTX_NAME];
    enum ptx_space space;
    size_t bytes;
    char *memory;  /* SPACE_GLOBAL */
    size_t offset; /* others */
};

struct ptx_module {
    struct ptx_kernel *kernels;
    size_t kernel_count;
    struct ptx_variable *variables;
    size_t variable_count;
};

/* NULL: the text has something that is not known, and *why says what. */
struct ptx_module *ptx_load(const char *text, const char **why);
void ptx_unload(struct ptx_module *module);

struct ptx_launch {
    const struct ptx_kernel *kernel;
    unsigned grid[3], block[3];
    size_t shared_bytes; /* beyond those that the kernel has */
    const char *arguments;
};

/* False: an instruction could not be executed. */
bool ptx_run(const struct ptx_launch *launch);

#endif
