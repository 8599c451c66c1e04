#include "element.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct element elements[] = {
    {"float", 4, ELEMENT_REAL},   {"double", 8, ELEMENT_REAL},
    {"int", 4, ELEMENT_SIGNED},   {"unsigned", 4, ELEMENT_UNSIGNED},
    {"long", 8, ELEMENT_SIGNED},  {"size_t", 8, ELEMENT_UNSIGNED},
    {"short", 2, ELEMENT_SIGNED}, {"ushort", 2, ELEMENT_UNSIGNED},
    {"char", 1, ELEMENT_SIGNED},  {"uchar", 1, ELEMENT_UNSIGNED},
    {NULL, 0, ELEMENT_REAL},
};

const struct element *element_of(const char *name, size_t length)
{
    for (const struct element *at = elements; at->name; at++)
        if (strlen(at->name) == length && memcmp(at->name, name, length) == 0)
            return at;
    return NULL;
}

/* The bits of a whole number, extended to 64. */
static uint64_t get_bits(const struct element *element, const char *at)
{
    uint64_t bits = 0;

    memcpy(&bits, at, element->bytes); /* little-endian, as all GPUs and their hosts are */
    unsigned above = 64 - 8 * (unsigned)element->bytes;
    if (element->kind == ELEMENT_SIGNED)
        return (uint64_t)((int64_t)(bits << above) >> above);
    return bits;
}

double element_get(const struct element *element, const void *array, size_t place)
{
    const char *at = (const char *)array + place * element->bytes;
    float single;
    double real;

    if (element->kind != ELEMENT_REAL) {
        uint64_t bits = get_bits(element, at);
        return element->kind == ELEMENT_SIGNED ? (double)(int64_t)bits : (double)bits;
    }
    if (element->bytes == sizeof single) {
        memcpy(&single, at, sizeof single);
        return (double)single;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

void element_set(const struct element *element, void *array, size_t place, double value)
{
    char *at = (char *)array + place * element->bytes;

    if (element->kind != ELEMENT_REAL) {
        uint64_t bits = (uint64_t)(int64_t)value;
        memcpy(at, &bits, element->bytes);
    } else if (element->bytes == sizeof(float)) {
        float single = (float)value;
        memcpy(at, &single, sizeof single);
    } else {
        memcpy(at, &value, sizeof value);
    }
}

static bool fits(const struct element *element, int64_t number)
{
    int64_t above = element->bytes == 8 ? INT64_MAX : (int64_t)1 << (8 * element->bytes - 1);

    if (element->kind == ELEMENT_UNSIGNED)
        return number >= 0 && (element->bytes == 8 || number < 2 * above);
    return element->bytes == 8 || (number >= -above && number < above);
}

bool element_read(const struct element *element, const char *text, void *value)
{
    char *end;

    errno = 0;
    if (element->kind == ELEMENT_REAL) {
        double real = strtod(text, &end);
        element_set(element, value, 0, real);
        return end != text && !*end && isfinite(real);
    }
    int64_t number = strtoll(text, &end, 10);
    memcpy(value, &number, element->bytes);
    return end != text && !*end && !errno && fits(element, number);
}
