/* lift_type.c: types of PTX and of LLVM. */
#include <stdlib.h>
#include <string.h>

#include "lift.h"

bool lift_read_type(const char *text, struct lift_type *type)
{
    static const char *const known[] = {"pred", "s8", "s16", "s32", "s64", "u8",  "u16", "u32",
                                        "u64",  "b8", "b16", "b32", "b64", "f16", "f32", "f64"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i]) == 0) {
            unsigned bits = i ? (unsigned)strtoul(text + 1, NULL, 10) : 1;
            *type = (struct lift_type){text[0], bits};
            return true;
        }
    return false;
}

const char *lift_llvm(struct lift_type type)
{
    if (type.kind == 'a')
        return "i8*";
    if (type.kind == 'f')
        return type.bits == 16 ? "half" : type.bits == 32 ? "float" : "double";
    switch (type.bits) {
    case 1:
        return "i1";
    case 8:
        return "i8";
    case 16:
        return "i16";
    case 32:
        return "i32";
    case 64:
        return "i64";
    default:
        return "i128";
    }
}

static char family(struct lift_type type)
{
    return type.kind == 'a' || type.kind == 'f' ? type.kind : 'i';
}

bool lift_same(struct lift_type a, struct lift_type b)
{
    return family(a) == family(b) && a.bits == b.bits;
}
