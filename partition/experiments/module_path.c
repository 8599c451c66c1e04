#include "module_path.h"

#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "common/harness/exit.h"

static void join(char path[MODULE_PATH], const char *directory, const char *between,
                 const char *file)
{
    int length = snprintf(path, MODULE_PATH, "%s%s/%s", directory, between, file);
    if (length < 0 || length >= MODULE_PATH)
        fail("%s: the path of this directory is too long", directory);
}

void module_path(char path[MODULE_PATH], const char *directory, const char *file)
{
    if (directory) {
        join(path, directory, "", file);
        return;
    }
    char program[MODULE_PATH] = {0};
    check_errno(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    const char *folder = dirname(program);
    join(path, folder, "/../partition", "");
    bool built_here = access(path, F_OK) == 0;
    join(path, folder, built_here ? "/../partition" : "/../lib/datamotion/partition", file);
}
