#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduit.h"
#include "error.h"
#include "runtime.h"
#include "sync.h"

/* One of `count` words; *choice stays as it is if the variable is not set. */
static enum dm_status read_word(const char *name, const char *const *words, int count, int *choice)
{
    const char *value = getenv(name);
    if (!value)
        return DM_OK;
    for (int i = 0; i < count; i++)
        if (strcmp(value, words[i]) == 0) {
            *choice = i;
            return DM_OK;
        }
    char choices[128];
    int length = 0;
    for (int i = 0; i < count; i++)
        length += snprintf(choices + length, sizeof choices - (size_t)length, "%s%s",
                           i == 0          ? ""
                           : i < count - 1 ? ", "
                                           : " or ",
                           words[i]);
    return invalid(CAF_BAD_ARGUMENT, "%s is '%.40s', but must be %s", name, value, choices);
}

static enum dm_status read_seconds(const char *name, double *seconds)
{
    const char *value = getenv(name);
    if (!value)
        return DM_OK;
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number) || number < 0)
        return invalid(CAF_BAD_ARGUMENT,
                       "%s is '%.40s', but must be a number of seconds, or 0 for no limit", name,
                       value);
    *seconds = number;
    return DM_OK;
}

/* Bytes with K, M, G for powers of 1024. `zero` says what 0 means. */
static enum dm_status read_bytes(const char *name, const char *zero, size_t *bytes)
{
    const char *value = getenv(name);
    if (!value)
        return DM_OK;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    const char *letters = "KMG", *letter = *end ? strchr(letters, *end) : NULL;
    int shift = letter ? 10 * (int)(letter - letters + 1) : 0;
    end += letter != NULL;
    if (value[0] < '0' || value[0] > '9' || errno || *end != '\0' || number > SIZE_MAX >> shift)
        return invalid(
            CAF_BAD_ARGUMENT,
            "%s is '%.40s', but must be a number of bytes, with K, M or G if wanted, or 0 for %s",
            name, value, zero);
    *bytes = (size_t)number << shift;
    return DM_OK;
}

enum dm_status runtime_settings(void)
{
    static const char *const paths[] = {"direct", "rma"};
    static const char *const transfers[] = {"block", "datatype", "element"};
    static const char *const conduits[] = {"mpi", "ucx"};
    static const char *const switches[] = {"0", "1"};
    int path = PATH_DIRECT, transfer = TRANSFER_BLOCK, carrier = 0, debug = 0, parcels = 1;
    /* One image may well compute for hours before it synchronises; after a day nobody comes. */
    runtime.wait_limit_s = 24 * 3600;
    runtime.memory_limit = runtime.component_memory = 0;
    TRY(read_word("CAF_PATH", paths, 2, &path));
    TRY(read_word("CAF_TRANSFER", transfers, 3, &transfer));
    TRY(read_word("CAF_CONDUIT", conduits, 2, &carrier));
    TRY(read_word("CAF_DEBUG", switches, 2, &debug));
    TRY(read_word("CAF_PARCELS", switches, 2, &parcels));
    TRY(read_seconds("CAF_WAIT_LIMIT_S", &runtime.wait_limit_s));
    TRY(read_bytes("CAF_MEMORY", "all that is free", &runtime.memory_limit));
    TRY(read_bytes("CAF_COMPONENTS", "the default", &runtime.component_memory));
    runtime.path = (enum caf_path)path;
    runtime.transfer = (enum caf_transfer)transfer;
    runtime.debug = debug;
    runtime.parcels = parcels;
    conduit = carrier ? &conduit_ucx : &conduit_mpi;
    const char *recovery = getenv("CAF_RECOVERY");
    runtime.recovers = getenv("CAF_EXIT_FILE") || (recovery && strcmp(recovery, "1") == 0);
    if (carrier && transfer == TRANSFER_DATATYPE)
        return invalid(CAF_BAD_ARGUMENT, "CAF_TRANSFER=datatype needs MPI, but CAF_CONDUIT is ucx");
    return DM_OK;
}
