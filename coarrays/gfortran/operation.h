/* operation.h: combining two elements: by a procedure of the program (CO_REDUCE), or for types
 * that the library's own sums, minima and maxima do not know. */
#ifndef COARRAYS_GFORTRAN_OPERATION_H
#define COARRAYS_GFORTRAN_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

#include "elements.h"

enum operation_kind { OPERATION_SUM, OPERATION_MIN, OPERATION_MAX };

/* How the program's procedure is called. The values are the compiler's. */
enum operation_flag {
    OPERATION_RESULT_BY_REFERENCE = 1, /* characters: result and its length come first */
    OPERATION_HIDDEN_LENGTHS = 2,      /* of the arguments, at the end */
    OPERATION_ARGUMENTS_BY_VALUE = 4,  /* VALUE attribute */
    OPERATION_ARGUMENTS_BY_DESCRIPTOR = 8
};

typedef void operation_function(void);

struct operation {
    /* *inout = in o *inout */
    void (*combine)(const struct operation *operation, const void *in, void *inout);
    operation_function *function;
    size_t element_bytes;
    size_t length; /* of characters */
    void *result;  /* room for one element */
    bool wants_larger;
    unsigned char classes[2]; /* operation_registers.c */
};

/* Integers of 16 bytes; minimum and maximum of characters. False: there is none. */
bool operation_find(struct operation *operation, enum operation_kind kind,
                    const struct descriptor *array, int character_length);

/* CAF_BAD_ARGUMENT if the procedure's result cannot be had from what the compiler tells of it.
 * After DM_OK free(operation->result). */
enum dm_status operation_of_function(struct operation *operation, operation_function *function,
                                     int flags, const struct elements *elements,
                                     int character_length);

/* A caf_combine; context is the struct operation. */
void operation_combine(const void *in, void *inout, size_t count, void *context);

#endif
