#include "matrix_list.h"

#include "common/error.h"
#include "common/harness/exit.h"

#include "generate.h"

struct option_words spmv_read_matrix_list(const char *option, const char *list)
{
    struct option_words names = option_read_words(option, list);
    for (size_t i = 0; i < names.count; i++)
        check_status(error_within(sparse_matrix_is_name(names.values[i]), "--%s", option));
    return names;
}
