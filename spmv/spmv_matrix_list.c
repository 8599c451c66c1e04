#include "spmv_matrix_list.h"

#include "common/harness/exit.h"

#include "sparse_generate.h"

struct option_words spmv_read_matrix_list(const char *option, const char *list)
{
    struct option_words names = option_read_words(option, list);
    struct sparse_error error;
    for (size_t i = 0; i < names.count; i++)
        if (!sparse_matrix_is_name(names.values[i], &error))
            fail("--%s: %s", option, error.text);
    return names;
}
