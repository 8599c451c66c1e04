/* oracle.h: parts of partition-oracle: kernels run on the CPU, with every load and store of their
 * arguments recorded, against the accesses that the analysis gave. */
#ifndef PARTITION_ORACLE_H
#define PARTITION_ORACLE_H

#include <stdio.h>

#include <datamotion/partition.h>

#include "oracle_module.h"

enum { ORACLE_SCALARS = 32 };

/* One launch: a line `KERNEL GRID BLOCK ELEMENTS NAME=VALUE ...`, GRID and BLOCK as 4x4x1. */
struct oracle_case {
    char *kernel;
    struct partition_shape shape;
    size_t elements; /* of each array */
    struct {
        char *name;
        int64_t value;
    } scalars[ORACLE_SCALARS];
    size_t scalar_count;
};

/* Reads a line, which is changed and must stay as long as the case. Ends the program if it is
 * no case. */
void oracle_parse(char *line, struct oracle_case *out);

/* An argument of a launch: a number, or an array with what happened to its elements. */
struct oracle_argument {
    union {
        int64_t integer;
        float single;
        double number;
        void *pointer;
    } value;
    char *memory; /* NULL for a number */
    size_t elements, element_bytes;
    unsigned char *accessed[2]; /* of each element: read, written by the part */
    unsigned char *earlier;     /* written by parts before */
    size_t outside;             /* accesses beside the array */
};

struct oracle_launch {
    const struct oracle_case *its;
    const struct oracle_module *module;
    const struct oracle_kernel *code;
    struct partition_kernel *kernel;
    struct oracle_argument *arguments;
    int64_t *scalars;
};

/* Ends the program if the case does not fit the kernel. */
void oracle_prepare(struct oracle_launch *launch);
void oracle_release(struct oracle_launch *launch);
/* Executes the blocks of a part; `accessed` is of this part alone then. */
void oracle_run_part(struct oracle_launch *launch, const struct partition_part *part);

struct oracle_counts {
    size_t comparisons, wrong;
    size_t larger; /* reads that the analysis takes for larger than they are */
};

/* Cuts the launch in all ways and compares each part's accesses; wrong ones are described. */
void oracle_compare(struct oracle_launch *launch, struct oracle_counts *counts);

#endif
