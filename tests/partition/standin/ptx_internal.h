/* ptx_internal.h: what the reader of PTX and the executor share. */
#ifndef PTX_INTERNAL_H
#define PTX_INTERNAL_H

#include "ptx.h"

enum ptx_operation {
    OP_MOV,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_MAD,
    OP_FMA,
    OP_DIV,
    OP_REM,
    OP_MIN,
    OP_MAX,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_NOT,
    OP_NEG,
    OP_ABS,
    OP_SHL,
    OP_SHR,
    OP_SETP,
    OP_SELP,
    OP_CVT,
    OP_CVTA,
    OP_LD,
    OP_ST,
    OP_ATOM,
    OP_BRA,
    OP_BAR,
    OP_RET,
    OP_RSQRT,
    OP_SQRT,
    OP_RCP,
    OPERATIONS
};

enum ptx_compare { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE };

/* %tid, %ntid, %ctaid, %nctaid: .x, .y, .z of each; from ARGUMENTS on: the address of the byte of
 * the arguments. */
enum ptx_special { TID = 0, NTID = 3, CTAID = 6, NCTAID = 9, ARGUMENTS = 12 };

#endif
