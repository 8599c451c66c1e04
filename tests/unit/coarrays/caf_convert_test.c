/* Assignment between kinds, types and lengths against what C does with one value at a time. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "coarrays/gfortran/convert.h"
#include "coarrays/gfortran/descriptor.h"
#include "tests/unit/test.h"

enum { COUNT = 37 };

static const struct element integer1 = {TYPE_INTEGER, 1, 1}, integer2 = {TYPE_INTEGER, 2, 2},
                            integer4 = {TYPE_INTEGER, 4, 4}, integer8 = {TYPE_INTEGER, 8, 8},
                            integer16 = {TYPE_INTEGER, 16, 16}, real4 = {TYPE_REAL, 4, 4},
                            real8 = {TYPE_REAL, 8, 8}, complex4 = {TYPE_COMPLEX, 4, 8},
                            complex8 = {TYPE_COMPLEX, 8, 16};

static struct element text(int kind, size_t length)
{
    return (struct element){TYPE_CHARACTER, kind, (size_t)kind * length};
}

static void integers_become_reals_and_back(void)
{
    int32_t from[COUNT], back[COUNT];
    double reals[COUNT];
    for (int i = 0; i < COUNT; i++)
        from[i] = (i - 18) * 119304647;
    convert(reals, 8, real8, from, 4, integer4, COUNT);
    convert(back, 4, integer4, reals, 8, real8, COUNT);
    for (int i = 0; i < COUNT; i++)
        expect(reals[i] == from[i] && back[i] == from[i]);
}

static void reals_are_cut_off_towards_zero(void)
{
    static const double from[] = {2.9, -2.9, 0.999, -0.999, 1e18, -127.5};
    static const int64_t want[] = {2, -2, 0, 0, 1000000000000000000, -127};
    int64_t to[6];
    convert(to, 8, integer8, from, 8, real8, 6);
    expect(memcmp(to, want, sizeof to) == 0);
}

static void wide_integers_keep_all_bits(void)
{
    __int128 wide = ((__int128)1 << 100) + 5, back = 0;
    int64_t narrow = INT64_MIN;
    double real;
    convert(&real, 8, real8, &wide, 16, integer16, 1);
    expect(real == ldexp(1, 100));
    convert(&back, 16, integer16, &narrow, 8, integer8, 1);
    expect(back == INT64_MIN);
    convert(&back, 16, integer16, &real, 8, real8, 1);
    expect(back == (__int128)1 << 100);
}

static void narrow_integers_wrap(void)
{
    int32_t from[] = {127, 128, -129, 70000};
    int8_t bytes[4];
    int16_t shorts[4];
    convert(bytes, 1, integer1, from, 4, integer4, 4);
    convert(shorts, 2, integer2, from, 4, integer4, 4);
    expect(bytes[0] == 127 && bytes[1] == -128 && bytes[2] == 127);
    expect(shorts[3] == 70000 - 65536);
}

/* Kind 10 or 16, whatever long double is. */
static void extended_reals_keep_what_they_can(void)
{
    int kind = sizeof(long double) == 16 && (1.0L + 0x1p-64L > 1.0L) ? 16 : 10;
    struct element extended = {TYPE_REAL, kind, sizeof(long double)};
    if (!convert_possible(extended, real8))
        return;
    long double third = 1 / 3.0L, back;
    double narrow;
    convert(&narrow, 8, real8, &third, sizeof third, extended, 1);
    expect(narrow == 1 / 3.0);
    convert(&back, sizeof back, extended, &narrow, 8, real8, 1);
    expect(back == (long double)(1 / 3.0));
}

static void complex_numbers_are_pairs(void)
{
    double complex from[3] = {1 + 2 * I, -3.5 - 4 * I, 0.25};
    float complex narrow[3];
    double parts[3];
    convert(narrow, 8, complex4, from, 16, complex8, 3);
    convert(parts, 8, real8, narrow, 8, complex4, 3);
    for (int i = 0; i < 3; i++)
        expect(narrow[i] == (float complex)from[i] && parts[i] == creal(from[i]));
    memset(from, 0xff, sizeof from);
    convert(from, 16, complex8, parts, 8, real8, 3);
    for (int i = 0; i < 3; i++)
        expect(creal(from[i]) == parts[i] && cimag(from[i]) == 0);
}

static void strides_have_any_sign_and_no_alignment(void)
{
    unsigned char from[5 * 8 + 1], to[5 * 7 + 3];
    memset(to, 0xaa, sizeof to);
    for (int i = 0; i < 5; i++)
        memcpy(from + 1 + 8 * i, &(float){(float)(i + 0.5)}, 4);
    convert(to + 3 + 7 * 4, -7, integer2, from + 1, 8, real4, 5);
    for (int i = 0; i < 5; i++) {
        int16_t value;
        memcpy(&value, to + 3 + 7 * (4 - i), 2);
        expect(value == i);
    }
    expect(to[0] == 0xaa && to[3 + 2] == 0xaa && to[3 + 7 - 1] == 0xaa);
}

static void one_element_is_read_for_all(void)
{
    int32_t one = 7;
    double to[COUNT];
    convert(to, 8, real8, &one, 0, integer4, COUNT);
    for (int i = 0; i < COUNT; i++)
        expect(to[i] == 7);
}

static void strings_are_padded_and_cut_off(void)
{
    char to[8] = "xxxxxxxx";
    convert(to, 4, text(1, 3), "ab", 0, text(1, 2), 2);
    expect(memcmp(to, "ab xab x", 8) == 0);
    convert(to, 2, text(1, 2), "pqrs", 0, text(1, 4), 1);
    expect(memcmp(to, "pq x", 4) == 0);
    convert(to, 4, text(1, 4), "", 0, text(1, 0), 2);
    expect(memcmp(to, "        ", 8) == 0);
    convert(to, 0, text(1, 0), "ab", 0, text(1, 2), 1);
    expect(to[0] == ' ');
}

static void characters_change_their_kind(void)
{
    uint32_t wide[4];
    char narrow[4];
    convert(wide, 16, text(4, 4), "a\xe9", 0, text(1, 2), 1);
    expect(wide[0] == 'a' && wide[1] == 0xe9 && wide[2] == ' ' && wide[3] == ' ');
    wide[2] = 0x20ac;
    convert(narrow, 4, text(1, 4), wide, 16, text(4, 4), 1);
    expect(memcmp(narrow, "a\xe9? ", 4) == 0);
}

static void equal_elements_are_copied_as_they_are(void)
{
    struct element derived = {TYPE_DERIVED, 0, 12};
    char from[5][12], to[5][12];
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 12; k++)
            from[i][k] = (char)(12 * i + k);
    convert(to, 12, derived, from, 12, derived, 5);
    expect(memcmp(to, from, sizeof to) == 0);
    convert(to[4], -12, derived, from, 12, derived, 5);
    for (int i = 0; i < 5; i++)
        expect(memcmp(to[4 - i], from[i], 12) == 0);
    convert(to, 12, derived, from, 12, derived, 0);
    expect(memcmp(to[4], from[0], 12) == 0);
}

static void arrays_of_any_rank(void)
{
    int32_t from[2][3][4];
    double to[4][3][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                from[i][j][k] = 12 * i + 4 * j + k;
    struct caf_shape shape = {.rank = 3, .count = {4, 3, 2}};
    struct caf_strides from_strides = {.stride = {4, 16, 48}};
    struct caf_strides to_strides = {.stride = {6 * 8, 2 * 8, 8}};
    convert_array(&shape, to, &to_strides, real8, from, &from_strides, integer4);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                expect(to[k][j][i] == from[i][j][k]);
    to[0][0][0] = -1;
    shape.count[1] = 0;
    convert_array(&shape, to, &to_strides, real8, from, &from_strides, integer4);
    expect(to[0][0][0] == -1);
    shape.rank = 0;
    convert_array(&shape, to, &to_strides, real8, &from[1][0][0], &from_strides, integer4);
    expect(to[0][0][0] == 12);
}

static void what_fortran_does_not_assign_is_impossible(void)
{
    struct element logical = {TYPE_LOGICAL, 4, 4}, derived = {TYPE_DERIVED, 0, 4};
    struct element odd = {TYPE_REAL, 3, 3}, other = {TYPE_DERIVED, 0, 8};
    expect(!convert_possible(logical, integer4) && !convert_possible(integer4, logical));
    expect(!convert_possible(text(1, 4), integer4) && !convert_possible(integer4, text(1, 4)));
    expect(!convert_possible(derived, integer4) && !convert_possible(derived, other));
    expect(!convert_possible(odd, real8) && !convert_possible(text(2, 4), text(1, 4)));
    expect(convert_possible(derived, derived) && convert_possible(logical, logical));
    expect(convert_possible(integer1, complex8) && convert_possible(complex4, integer16));
    expect(convert_possible(text(4, 1), text(1, 9)));
}

int main(void)
{
    run_test(integers_become_reals_and_back);
    run_test(reals_are_cut_off_towards_zero);
    run_test(wide_integers_keep_all_bits);
    run_test(narrow_integers_wrap);
    run_test(extended_reals_keep_what_they_can);
    run_test(complex_numbers_are_pairs);
    run_test(strides_have_any_sign_and_no_alignment);
    run_test(one_element_is_read_for_all);
    run_test(strings_are_padded_and_cut_off);
    run_test(characters_change_their_kind);
    run_test(equal_elements_are_copied_as_they_are);
    run_test(arrays_of_any_rank);
    run_test(what_fortran_does_not_assign_is_impossible);
    return end_tests();
}
