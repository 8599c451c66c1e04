#include "matrix_list.h"

#include "common/error.h"
#include "common/harness/exit.h"

#include "generate.h"

void spmv_check_matrices(const char *option, const struct option_words *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (sparse_matrix_is_name(names->values[i]) != DM_OK)
            fail("--%s: %s", option, dm_message());
}
