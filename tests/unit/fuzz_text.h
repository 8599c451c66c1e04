/* fuzz_text.h: the text that a fuzz driver tries, and changes of it. A driver defines
 * FUZZ_MOST_BYTES, the most that the text can become, and includes it once, after fuzz.h. */
#ifndef TESTS_UNIT_FUZZ_TEXT_H
#define TESTS_UNIT_FUZZ_TEXT_H

#include <zlib.h>

#include "common/harness/exit.h"

#include "fuzz.h"

static char bytes[FUZZ_MOST_BYTES]; /* what is tried */
static size_t length;

/* Puts `count` bytes in the place of `removed`; nothing if that became too long. */
static inline void splice(size_t at, size_t removed, const char *added, size_t count)
{
    if (at > length)
        return;
    size_t behind = length - at > removed ? length - at - removed : 0;
    if (at + count + behind > FUZZ_MOST_BYTES)
        return;
    memmove(bytes + at + count, bytes + length - behind, behind);
    memcpy(bytes + at, added, count);
    length = at + count + behind;
}

static inline void change_byte(void)
{
    char byte = (char)(draw(4) ? ' ' + (int)draw(95) : (int)draw(256));
    splice(draw(length + 1), draw(2), &byte, 1);
}

/* Replaces what stands between two separators, or puts the word there beside it. */
static inline void replace_word(const char *word, const char *separators)
{
    size_t at = draw(length + 1), end = at;
    while (at > 0 && !strchr(separators, bytes[at - 1]))
        at--;
    while (end < length && !strchr(separators, bytes[end]))
        end++;
    splice(at, draw(4) ? end - at : 0, word, strlen(word));
}

/* Compressed, and then changed, so that the change is below the text. */
static inline void compress_and_change(void)
{
    static char packed[2 * FUZZ_MOST_BYTES];
    z_stream stream = {.next_in = (unsigned char *)bytes,
                       .avail_in = (unsigned)length,
                       .next_out = (unsigned char *)packed,
                       .avail_out = sizeof packed};
    if (deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&stream, Z_FINISH) != Z_STREAM_END || deflateEnd(&stream) != Z_OK)
        fail("the text cannot be compressed");
    length = stream.total_out < FUZZ_MOST_BYTES ? stream.total_out : FUZZ_MOST_BYTES;
    memcpy(bytes, packed, length);
    for (size_t times = draw(3); times > 0; times--)
        change_byte();
}

#endif
