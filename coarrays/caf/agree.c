#include "agree.h"

#include <stdio.h>
#include <mpi.h>

#include "error.h"
#include "runtime.h"

struct verdict {
    int code;
    char text[252];
};

static int spread_verdict(int image, int code)
{
    struct verdict verdict = {.code = code};
    if (image == runtime.image)
        snprintf(verdict.text, sizeof verdict.text, "%s", caf_error_text());
    try_mpi(MPI_Bcast(&verdict, sizeof verdict, MPI_BYTE, image - 1, runtime.all));
    return caf_error(verdict.code, "%s", verdict.text);
}

int agree_same(int code, uint64_t value, bool *same)
{
    /* The smallest complement belongs to the largest value. */
    uint64_t least[3] = {code ? (uint64_t)runtime.image : UINT64_MAX, value, ~value};
    *same = true;
    try_mpi(MPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_UINT64_T, MPI_MIN, runtime.all));
    *same = least[1] == ~least[2];
    return least[0] == UINT64_MAX ? CAF_OK : spread_verdict((int)least[0], code);
}

int agree(int code)
{
    bool same;
    return agree_same(code, 0, &same);
}

int agree_first(uint64_t *value)
{
    try_mpi(MPI_Bcast(value, 1, MPI_UINT64_T, 0, runtime.all));
    return CAF_OK;
}
