#include "random.h"

#include <string.h>

void random_fill_float(float *values, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(random_bits(seed, i) >> 40) * 0x1.0p-23f - 1.0f;
}

void random_fill_double(double *values, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        values[i] = 2.0 * random_uniform(seed, i) - 1.0;
}

void random_fill_bytes(void *bytes, size_t count, uint64_t seed)
{
    unsigned char *out = bytes;
    for (size_t at = 0; at < count; at += 8) {
        uint64_t word = random_bits(seed, at / 8);
        memcpy(out + at, &word, count - at < 8 ? count - at : 8);
    }
}

size_t random_count_wrong_bytes(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *in = bytes;
    size_t wrong = 0;
    for (size_t at = 0; at < count; at += 8) {
        uint64_t word = random_bits(seed, at / 8);
        const unsigned char *expected = (const unsigned char *)&word;
        for (size_t i = 0; i < 8 && at + i < count; i++)
            wrong += in[at + i] != expected[i];
    }
    return wrong;
}
