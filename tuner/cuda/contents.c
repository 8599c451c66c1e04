#include "contents.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/error.h"
#include "common/random.h"

const char *const contents_names[CONTENTS_KINDS] = {"random", "zero", "index", "unset", "file"};

enum { WHOLE_BELOW = 100 };

static double made(const struct element *element, enum contents contents, uint64_t seed,
                   size_t place)
{
    if (contents == CONTENTS_INDEX)
        return (double)place;
    return element->kind == ELEMENT_REAL ? random_uniform(seed, place)
                                         : (double)random_below(seed, place, WHOLE_BELOW);
}

enum dm_status contents_fill(void *array, const struct element *element, size_t count,
                             enum contents contents, const char *path, uint64_t seed)
{
    if (contents == CONTENTS_FILE)
        return contents_read(array, count * element->bytes, path);
    if (contents == CONTENTS_ZERO || contents == CONTENTS_UNSET)
        memset(array, contents == CONTENTS_ZERO ? 0 : 0xff, count * element->bytes);
    else
        for (size_t i = 0; i < count; i++)
            element_set(element, array, i, made(element, contents, seed, i));
    return DM_OK;
}

enum dm_status contents_read(void *array, size_t bytes, const char *path)
{
    struct stat file;

    if (stat(path, &file) != 0)
        return error_errno("%s", path);
    if (!S_ISREG(file.st_mode) || (size_t)file.st_size != bytes)
        return dm_fail(DM_INVALID, "%s has %lld bytes, where the array has %zu", path,
                       (long long)file.st_size, bytes);
    FILE *in = fopen(path, "re");
    if (!in)
        return error_errno("%s", path);
    size_t read = fread(array, 1, bytes, in);
    fclose(in);
    return read == bytes ? DM_OK : dm_fail(DM_FAILED, "%s cannot be read", path);
}

enum dm_status contents_write(const void *array, size_t bytes, const char *path)
{
    FILE *out = fopen(path, "we");

    if (!out)
        return error_errno("%s", path);
    size_t written = fwrite(array, 1, bytes, out);
    if (fclose(out) != 0 || written != bytes)
        return error_errno("%s cannot be written", path);
    return DM_OK;
}

double contents_scale(const void *array, const struct element *element, size_t count)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++) {
        double value = element_get(element, array, i);
        sum += isfinite(value) ? value * value : 0.0;
    }
    return count ? sqrt(sum / (double)count) : 0.0;
}

static bool alike(double value, double reference, struct contents_margin margin)
{
    if (value == reference || (isnan(value) && isnan(reference)))
        return true;
    return fabs(value - reference) <= margin.tolerance * fmax(fabs(reference), margin.scale);
}

/* Most arrays are of these, and most of their elements are alike. */
static bool floats_alike(const float *values, const float *references, size_t count,
                         struct contents_margin margin)
{
    bool all = true;

    for (size_t i = 0; i < count && all; i++)
        all = alike((double)values[i], (double)references[i], margin);
    return all;
}

size_t contents_differ(const void *array, const void *reference, const struct element *element,
                       size_t count, struct contents_margin margin, size_t *first)
{
    bool real = element->kind == ELEMENT_REAL;
    size_t wrong = 0;

    if (memcmp(array, reference, count * element->bytes) == 0)
        return 0;
    if (real && element->bytes == sizeof(float) && floats_alike(array, reference, count, margin))
        return 0;
    for (size_t i = count; i-- > 0;) {
        if (real ? alike(element_get(element, array, i), element_get(element, reference, i), margin)
                 : memcmp((const char *)array + i * element->bytes,
                          (const char *)reference + i * element->bytes, element->bytes) == 0)
            continue;
        wrong++;
        *first = i;
    }
    return wrong;
}
