#include "bench_groups.h"

#include <ctype.h>
#include <stdlib.h>

#include "common/harness/exit.h"
#include "common/harness/option_lists.h"

/* A whole number at *at, which then points behind it; -1 if there is none up to `most`. */
static int read_number(const char **at, long most)
{
    char *end;
    const long number = isdigit((unsigned char)**at) ? strtol(*at, &end, 10) : -1;
    if (number < 0 || number > most)
        return -1;
    *at = end;
    return (int)number;
}

struct copy_groups read_copy_blocks(const char *option, const char *list, long most)
{
    struct option_words words = option_read_words(option, list);
    struct copy_groups groups = {allocate_or_fail(words.count, sizeof *groups.values), words.count};
    for (size_t i = 0; i < words.count; i++) {
        const char *at = words.values[i];
        struct copy_group *group = &groups.values[i];
        group->in = group->out = read_number(&at, most);
        if (group->in >= 0 && *at == ':') {
            at++;
            group->out = read_number(&at, most);
        }
        if (group->in < 0 || group->out < 0 || *at)
            fail("--%s %s: an entry is IN:OUT or one number, within 0..%ld, such as 4 or 8:2",
                 option, list, most);
    }
    option_free_words(&words);
    return groups;
}
