/* The pipeline directive: what is accepted and how it reads, what is not and why, and the region
 * that it becomes. */
#include <string.h>

#include "pipeline/directive_internal.h"
#include "tests/unit/test_status.h"

#define HEAD "#pragma omp target teams distribute "

/* The one that was parsed last. */
static struct pipeline_directive *directive;

/* Prints what is there when it is not what was expected. */
static bool same(const char *found, const char *wanted)
{
    if (strcmp(found, wanted) == 0)
        return true;
    printf("# found:    %s\n# expected: %s\n", found, wanted);
    return false;
}

static bool holds(const char *found, const char *wanted)
{
    if (strstr(found, wanted))
        return true;
    printf("# found:    %s\n# expected: %s\n", found, wanted);
    return false;
}

static enum dm_status parse(const char *text)
{
    pipeline_directive_free(directive);
    return pipeline_directive_parse(&directive, text);
}

static bool parses(const char *text)
{
    if (parse(text) == DM_OK)
        return true;
    printf("# %s\n# %s\n", text, dm_message());
    return false;
}

/* The message of a refusal: its place, and the words behind that. */
static void expect_refusal(enum dm_status status, int line, int column, const char *words)
{
    const char *message = dm_message();
    int found_line = 1, found_column = 0, length = 0;
    if (sscanf(message, "line %d, column %d: %n", &found_line, &found_column, &length) != 2)
        sscanf(message, "column %d: %n", &found_column, &length);
    expect(status == DM_INVALID);
    expect(length > 0);
    if (found_line != line || found_column != column)
        printf("# not in line %d, column %d: %s\n", line, column, message);
    expect(found_line == line && found_column == column);
    expect(holds(message + length, words));
}

/* ---- what is accepted ---- */

struct reading {
    const char *text, *as; /* without HEAD */
};

static void check_readings(const struct reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[DIRECTIVE_TEXT], printed[DIRECTIVE_TEXT];
        snprintf(text, sizeof text, HEAD "%s", readings[i].text);
        expect(parses(text));
        pipeline_directive_print(directive, printed, sizeof printed);
        snprintf(text, sizeof text, HEAD "%s", readings[i].as);
        expect(same(printed, text));
        expect(parses(printed));
        pipeline_directive_print(directive, text, sizeof text);
        expect(same(text, printed));
    }
}
#define CHECK_READINGS(readings) check_readings(readings, sizeof readings / sizeof *readings)

static void first_form(void)
{
    static const struct reading readings[] = {
        {"map(pipeline(k),to:A[k]) iterator(k=0:9)",
         "map(pipeline(k), to: A[k]) iterator(k = 0:9)"},
        {"map(pipeline(k,1),to:A[k:1]) iterator(k=0:n)",
         "map(pipeline(k, 1), to: A[k:1]) iterator(k = 0:n)"},
        {"map(pipeline(k,c,2*s),from:A[k:1]) iterator(k=0:n:2)",
         "map(pipeline(k, c, 2*s), from: A[k:1]) iterator(k = 0:n:2)"},
        /* the direction before, behind the colon, and left out */
        {"map(to,pipeline(k,1,3):A[k-1:3]) iterator(k=1:n)",
         "map(pipeline(k, 1, 3), to: A[k-1:3]) iterator(k = 1:n)"},
        {"map(to:pipeline(k,1,3):A[k-1:3]) iterator(k=1:n)",
         "map(pipeline(k, 1, 3), to: A[k-1:3]) iterator(k = 1:n)"},
        {"map(pipeline(k,1,3):to:A[k-1:3]) iterator(k=1:n)",
         "map(pipeline(k, 1, 3), to: A[k-1:3]) iterator(k = 1:n)"},
        {"map(to:pipeline(k),to:A[k]) iterator(k=1:n)",
         "map(pipeline(k), to: A[k]) iterator(k = 1:n)"},
        {"map(pipeline(k,1,3):A[k:1]) iterator(k=1:n)",
         "map(pipeline(k, 1, 3), tofrom: A[k:1]) iterator(k = 1:n)"},
        /* several items and clauses in any order, with and without commas */
        {"iterator(k = 0:n), map(pipeline(k), to: A[k], B[0:m][k:2]), map(to: x, y[0:m])",
         "map(pipeline(k), to: A[k]) map(pipeline(k), to: B[0:m][k:2]) map(to: x) map(to: y[0:m]) "
         "iterator(k = 0:n)"},
        {"map(pipeline(k),alloc:t[k:2]) map(pipeline(k),tofrom:A[k]) iterator(k=0:n)",
         "map(pipeline(k), alloc: t[k:2]) map(pipeline(k), tofrom: A[k]) iterator(k = 0:n)"},
        {"map(x) map(pipeline(k),to:A[k]) iterator(k=0:n)",
         "map(tofrom: x) map(pipeline(k), to: A[k]) iterator(k = 0:n)"},
        /* names that look like words of the clause */
        {"map(to) map(pipeline(map),to:pipeline[map], iterator[2*map:2]) iterator(map=0:from)",
         "map(tofrom: to) map(pipeline(map), to: pipeline[map]) map(pipeline(map), to: "
         "iterator[2*map:2]) iterator(map = 0:from)"},
    };
    CHECK_READINGS(readings);
}

static void second_form(void)
{
    static const struct reading readings[] = {
        {"map(pipeline(i,to):A[i]) iterator(i=0:n)",
         "map(pipeline(i, to): A[i]) iterator(i = 0:n)"},
        {"map(pipeline(i,to,4):A[i-1:3][0:m]) map(pipeline(i,from,4):B[i:1][0:m]) "
         "iterator(i=1:n-1)",
         "map(pipeline(i, to, 4): A[i-1:3][0:m]) map(pipeline(i, from, 4): B[i:1][0:m]) "
         "iterator(i = 1:n-1)"},
        {"map(pipeline(i,to:4):A[i-1:3], pipeline(i,tofrom,b):B[i:1]) iterator(i=1:n-1)",
         "map(pipeline(i, to, 4): A[i-1:3]) map(pipeline(i, tofrom, b): B[i:1]) "
         "iterator(i = 1:n-1)"},
        {"map(pipeline(i,to,4):A[i], C[i], pipeline(i,from):B[i]) iterator(i=0:n)",
         "map(pipeline(i, to, 4): A[i]) map(pipeline(i, to, 4): C[i]) map(pipeline(i, from): B[i]) "
         "iterator(i = 0:n)"},
    };
    CHECK_READINGS(readings);
}

static void expressions_keep_their_meaning(void)
{
    static const struct reading readings[] = {
        {"map(pipeline(k),to:A[((k))-(1-2)-3:n/2*3%(4)]) iterator(k=0:n)",
         "map(pipeline(k), to: A[k-(1-2)-3:n/2*3%4]) iterator(k = 0:n)"},
        {"map(pipeline(k),to:A[-(-k):-(a+b)]) iterator(k=-3:n)",
         "map(pipeline(k), to: A[--k:-(a+b)]) iterator(k = -3:n)"},
        {"map(pipeline(k),to:A[2*(k+1)*n:_PB_NI/(2*m)]) iterator(k=0:n)",
         "map(pipeline(k), to: A[2*(k+1)*n:_PB_NI/(2*m)]) iterator(k = 0:n)"},
    };
    CHECK_READINGS(readings);
}

static void other_clauses_are_kept(void)
{
    static const struct reading readings[] = {
        {"parallel for simd device(1) map(pipeline(k),to:A[k]) nowait private(i, j) "
         "if((n > 3) && !m) iterator(k=0:n)",
         "parallel for simd map(pipeline(k), to: A[k]) iterator(k = 0:n) device(1) nowait "
         "private(i, j) if((n > 3) && !m)"},
    };
    CHECK_READINGS(readings);
}

static void lines_are_joined_by_backslashes(void)
{
    char printed[DIRECTIVE_TEXT];
    expect(parses("  # pragma\tomp target \\\n teams distribute \\  \r\n map(pipeline(k), to: A[k])"
                  "\\\n\\\niterator(k = 0:n) \n \n"));
    pipeline_directive_print(directive, printed, sizeof printed);
    expect(same(printed, HEAD "map(pipeline(k), to: A[k]) iterator(k = 0:n)"));
}

static void the_description_says_what_was_written(void)
{
    expect(parses(HEAD "map(pipeline(k,2,3),to:A0[k-1:3][0:ny-1]) map(B[0:2]) iterator(k=1:n:4)"));
    expect(directive->form == DIRECTIVE_CHUNKS);
    expect(directive->item_count == 2);
    expect(directive->items[0].pipelined && directive->items[0].direction == DM_REGION_TO);
    expect(directive->items[0].direction_given && !directive->items[1].direction_given);
    expect(directive->items[0].dimensions == 2);
    expect(directive->items[0].brackets[0].split && !directive->items[0].brackets[1].split);
    expect(!directive->items[1].pipelined && directive->items[1].direction == DM_REGION_TOFROM);
    expect(directive->nodes[directive->step].number == 4);
    expect(parses(HEAD "map(pipeline(k),to:A[k]) iterator(k=1:n)"));
    expect(directive->form == DIRECTIVE_EITHER && directive->step == DIRECTIVE_ABSENT);
    expect(parses(HEAD "map(pipeline(k,to),to:A[k]) iterator(k=1:n)"));
    expect(directive->form == DIRECTIVE_BLOCKS);
}

static void printing_into_too_little_room(void)
{
    char whole[400], part[20];
    expect(parses(HEAD "map(pipeline(k),to:A[k]) iterator(k=1:n)"));
    int length = pipeline_directive_print(directive, whole, sizeof whole);
    expect(length == (int)strlen(whole));
    expect(pipeline_directive_print(directive, part, sizeof part) == length);
    expect(strncmp(part, whole, sizeof part - 1) == 0 && part[sizeof part - 1] == '\0');
    expect(pipeline_directive_print(directive, NULL, 0) == length);
}

/* ---- what is not accepted ---- */

struct bad {
    const char *text; /* without HEAD */
    int column;       /* behind HEAD, from 1 */
    const char *words;
};

static void check_bad(const struct bad *bad, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[DIRECTIVE_TEXT];
        snprintf(text, sizeof text, HEAD "%s", bad[i].text);
        const enum dm_status status = parse(text);
        if (status == DM_OK)
            printf("# accepted: %s\n", bad[i].text);
        expect(!directive == (status != DM_OK));
        expect_refusal(status, 1, bad[i].column + (int)strlen(HEAD), bad[i].words);
    }
}
#define CHECK_BAD(bad) check_bad(bad, sizeof bad / sizeof *bad)
#define K              " iterator(k = 1:n-1)"

static void grammar_errors(void)
{
    static const struct bad bad[] = {
        {"", 1 - (int)sizeof HEAD + 1, "no map clause has pipeline(...)"},
        {"mpa(A)", 1, "expected `map`, `iterator` or another clause of `target teams distribute`"},
        {"map(pipeline(k),to:A[k])" K ",", 46, "expected a clause after the comma, found the end"},
        {"parallel map(A)", 10, "expected `for` after `parallel`, found `map`"},
        {"map pipeline", 5, "expected `(` after `map`, found `pipeline`"},
        {"map()", 5, "expected the name of an array, found `)`"},
        {"map(pipeline(),to:A[k])" K, 14, "expected the name of the iterator, found `)`"},
        {"map(pipeline(1),to:A[k])" K, 14, "expected the name of the iterator, found `1`"},
        {"map(pipeline(k,),to:A[k])" K, 16, "expected a number, a name or `(`, found `)`"},
        {"map(pipeline(k,,3),to:A[k])" K, 16, "expected a number, a name or `(`, found `,`"},
        {"map(pipeline(k,1,3,4),to:A[k])" K, 19, "expected `)` after what `pipeline` is given"},
        {"map(pipeline(k,to,4,5):A[k])" K, 20, "expected `)` after what `pipeline` is given"},
        {"map(pipeline(k,alloc):A[k])" K, 16, "expected `to`, `from` or `tofrom`, found `alloc`"},
        {"map(pipeline(k,4,to):A[k])" K, 18, "expected overlap, a number, found `to`"},
        {"map(pipeline(k) to:A[k])" K, 17, "expected `:` after `pipeline(...)`, found `to`"},
        {"map(pipeline(k),in:A[k])" K, 17, "expected `to`, `from`, `tofrom` or `alloc`, found"},
        {"map(pipeline(k),to A[k])" K, 20, "expected `:` after the direction, found `A`"},
        {"map(pipeline(k),to:A[])" K, 22, "expected a number, a name or `(`, found `]`"},
        {"map(pipeline(k),to:A[k:])" K, 24, "expected a number, a name or `(`, found `]`"},
        {"map(pipeline(k),to:A[:3])" K, 22, "expected a number, a name or `(`, found `:`"},
        {"map(pipeline(k),to:A[k:1:2])" K, 25, "expected `]` after the length of the section"},
        {"map(pipeline(k),to:A[k 3])" K, 24, "expected `:` and the length of the section, or `]`"},
        {"map(pipeline(k),to:A[k)" K, 23, "found `)`"},
        {"map(pipeline(k),to:A[(k-1:3])" K, 26, "expected `)` after the expression, found `:`"},
        {"map(pipeline(k),to:A[k+])" K, 24, "expected a number, a name or `(`, found `]`"},
        {"map(pipeline(k),to:A[k]B)" K, 24, "expected `[`, `,` or `)` after an item of `map`"},
        {"map(pipeline(k),to:A[k],)" K, 25, "expected the name of an array, found `)`"},
        {"map(pipeline(k),to:A[k]", 24, "found the end of the directive"},
        {"map(pipeline(k),to:A[k]) iterator(k)", 36, "expected `=` after the name of the iterator"},
        {"map(pipeline(k),to:A[k]) iterator(k=1)", 38, "expected `:` after the start of the range"},
        {"map(pipeline(k),to:A[k]) iterator(k=1:)", 39, "expected a number, a name or `(`"},
        {"map(pipeline(k),to:A[k]) iterator(k=1:2:3:4)", 42, "expected `)` after the range"},
        {"map(pipeline(k),to:A[k]) iterator(k=1:2, j=1:2)", 40, "a pipeline has one iterator"},
        {"map(pipeline(k),to:A[k])" K " iterator(j=0:2)", 54, "already has the iterator `k`"},
        {"device(1", 9, "expected `)` of the clause, found the end of the directive"},
    };
    CHECK_BAD(bad);
}

static void words_that_are_none(void)
{
    static const struct bad bad[] = {
        {"map(pipeline(k),to:A[k$1])" K, 23, "or `]`, found `$`"},
        {"map(pipeline(k),to:A[k-\xc3\xa4])" K, 24, "the byte 0xc3 cannot be part of a directive"},
        {"map(pipeline(k),to:A[k-1a])" K, 25, "expected a decimal integer, but `a` follows"},
        {"map(pipeline(k),to:A[k-1.5])" K, 25, "expected a decimal integer, but `.` follows"},
        {"map(pipeline(k),to:A[k-0x3])" K, 25, "expected a decimal integer, but `x` follows"},
        {"map(pipeline(k),to:A[k-9223372036854775808])" K, 24, "the number is larger than"},
        {"map(pipeline(k),to:A[k\\1])" K, 23, "expected the end of the line after a backslash"},
        {"map(pipeline(k),to:A[k])" K "\nfor (k", 45,
         "the line ends here and so does the directive"},
        {"map(pipeline(k),to:a234567890123456789012345678901234567890123456789012345678901234[k])",
         20, "a name has at most 63 characters, this one 64"},
        {"map(pipeline(k),to:A[((((((((((((((((((((((((((((((((k", 54,
         "nest at most 32 parentheses"},
        {"map(pipeline(k),to:A[--------------------------------k", 54, "nest at most 32"},
        {"map(pipeline(k),to:A[k][0:1][0:1][0:1][0:1][0:1][0:1][0:1][0:1])" K, 59,
         "an array has at most 8 dimensions"},
        {"map(a,b,c,d,e,f,g,h,i)", 21, "a directive maps at most 8 arrays"},
    };
    CHECK_BAD(bad);
    expect_refusal(parse("pragma omp target"), 1, 1,
                   "expected `#pragma omp target teams distribute`");
    expect_refusal(parse("#pragma omp target teams map(A)"), 1, 26, "found `map`");
    expect_refusal(parse(""), 1, 1, "found the end of the directive");
    expect_refusal(parse(HEAD "\\\n  map(pipeline(k), to: \\\n  A[k)"), 3, 6, "found `)`");
    static char text[2 * DIRECTIVE_TEXT];
    memset(text, ' ', sizeof text - 1);
    expect_refusal(parse(text), 1, 1, "a directive has at most 4095 bytes");
}

static void meaning_errors(void)
{
    static const struct bad bad[] = {
        {"map(A)", 1 - (int)sizeof HEAD + 1, "no map clause has pipeline(...)"},
        {"map(pipeline(j),to:A[j])" K, 14,
         "`j` is not declared: the iterator of this directive is `k`"},
        {"map(pipeline(k),to:A[k])", 14, "`k` is not declared: add the clause iterator(k = begin"},
        {"map(pipeline(k),to:A[j:1])" K, 20, "no bracket of `A` moves with `k`"},
        {"map(pipeline(k),to:A)" K, 20, "no bracket of `A` moves with `k`"},
        {"map(pipeline(k),to:A[k][k][k])" K, 28, "`A` is split in more than 2 dimensions"},
        {"map(to:A[k])" K, 10, "only what is mapped with pipeline(k) moves with `k`"},
        {"map(pipeline(k),to:A[k][3])" K, 25, "the length may be left out only where the start"},
        {"map(pipeline(k),to:A[k:0])" K, 24,
         "the length of the section is 0 and must be at least 1"},
        {"map(pipeline(k),to:A[k:2-3])" K, 25, "the length of the section is -1"},
        {"map(pipeline(k),to:A[k:k])" K, 24, "must be the same for all iterations"},
        {"map(pipeline(k),to:A[k*k])" K, 23, "may be multiplied by a constant, not by itself"},
        {"map(pipeline(k),to:A[k/2])" K, 23, "nor be divided"},
        {"map(pipeline(k),to:A[n%k])" K, 23, "nor be divided"},
        {"map(pipeline(k),to:A[5-k])" K, 22, "moves by -1 per step of `k` and must move forward"},
        {"map(pipeline(k),to:A[k-k])" K, 22, "moves by 0 per step"},
        {"map(pipeline(k),to:A[k][-1:3])" K, 25, "the section begins at -1, before the array"},
        {"map(pipeline(k),to:A[k+1/0])" K, 25, "division by 0"},
        {"map(pipeline(k),to:A[k+9223372036854775807+1])" K, 43, "beyond 64 bits"},
        {"map(pipeline(k),to:A[k+4*9223372036854775807])" K, 25, "beyond 64 bits"},
        {"map(pipeline(k),to:A[k+9223372036854775807])" K, 22, "beyond 2^40 elements"},
        {"map(pipeline(k),to:A[k]) iterator(k=5:5)", 37, "it begins at 5 and ends before 5"},
        {"map(pipeline(k),to:A[k]) iterator(k=1:9:0)", 41, "the step is 0 and must be at least 1"},
        {"map(pipeline(k),to:A[k]) iterator(k=1:9:-1)", 41, "the step is -1"},
        {"map(pipeline(k),to:A[k]) iterator(k=k:9)", 37, "must be the same for all iterations"},
        {"map(pipeline(k,0),to:A[k])" K, 16, "chunk_size is 0 and must be at least 1"},
        {"map(pipeline(k,1,0),to:A[k])" K, 18, "overlap is 0 and must be at least 1"},
        {"map(pipeline(k,1,65),to:A[k])" K, 18, "overlap is 65 and must be at most 64"},
        {"map(pipeline(k,to,0):A[k])" K, 19, "num_block is 0 and must be at least 1"},
        {"map(pipeline(k,k),to:A[k])" K, 16, "chunk_size must be the same for all iterations"},
        {"map(pipeline(k,1),to:A[k]) map(pipeline(k,2),from:B[k])" K, 43,
         "chunk_size is 2 here and 1 before"},
        {"map(pipeline(k,1,2),to:A[k]) map(pipeline(k,1,3),from:B[k])" K, 47,
         "overlap is 3 here and 2 before"},
        {"map(to,pipeline(k),from:A[k])" K, 20, "`from` contradicts the direction before it"},
        {"map(pipeline(k,to,4),from:A[k])" K, 22, "`from` contradicts"},
        {"map(from:pipeline(k,to):A[k])" K, 21, "`to` contradicts"},
        {"map(pipeline(k),to:A[k]) map(pipeline(k),from:A[k])" K, 47,
         "`A` is mapped already, in line"},
        {"map(pipeline(k),to:k[k])" K, 20, "`k` is the iterator and cannot be an array"},
        {"map(pipeline(k,to,4):A[k]) map(pipeline(k,1,3),from:B[k])" K, 43,
         "has chunk_size and overlap, one before it has dirc and num_block"},
        {"map(pipeline(k,1,3),to:A[k]) map(pipeline(k,from):B[k])" K, 45,
         "has dirc and num_block, one before it has chunk_size and overlap"},
    };
    CHECK_BAD(bad);
}

/* ---- what it becomes ---- */

enum { NX = 6, NY = 5, NZ = 9 };
static float memory[4][NZ * NY * NX];
static struct pipeline_loop loop;

static cudaError_t launch_nothing(const struct dm_region *region, const struct dm_slices *views,
                                  long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaSuccess;
}

/* a and b are cubes of NZ x NY x NX, m a matrix of 8 x 6, v a vector of 12. */
static struct pipeline_array arrays[] = {
    {"a", memory[0], sizeof(float), 3, {NZ, NY, NX}},
    {"b", memory[1], sizeof(float), 3, {NZ, NY, NX}},
    {"m", memory[2], sizeof(float), 2, {8, 6}},
    {"v", memory[3], sizeof(float), 1, {12}},
};
static const struct pipeline_constant constants[] = {
    {"nx", NX}, {"ny", NY}, {"nz", NZ}, {"zero", 0}, {"large", 1L << 50}};

/* With the arrays from `first`, `count` of them. */
static enum dm_status bind(const char *text, int first, int count)
{
    static struct pipeline_names names;
    char whole[DIRECTIVE_TEXT];
    names = (struct pipeline_names){constants, sizeof constants / sizeof *constants, arrays + first,
                                    count};
    snprintf(whole, sizeof whole, HEAD "%s", text);
    expect(parses(whole));
    return pipeline_directive_bind(directive, &names, launch_nothing, memory, &loop);
}

static void the_stencil_becomes_a_region(void)
{
    expect_ok(bind("map(pipeline(k,1,3),to:a[k-1:3][0:ny-1][0:nx-1]) "
                   "map(pipeline(k,1,3),from:b[k:1][0:ny-1][0:nx-1]) iterator(k=1:nz-1)",
                   0, 2));
    const struct dm_region *region = &loop.region;
    const struct dm_region_array *a = &region->arrays[0], *b = &region->arrays[1];
    expect(region->begin == 1 && region->end == NZ - 1 && region->array_count == 2);
    expect(region->launch == launch_nothing && region->context == memory && !region->ordered);
    expect(region->rounds == 1 && dm_region_check(region) == DM_OK);
    expect(a->split == DM_REGION_ROWS && a->slices == NZ && a->rows == 1 && a->pitch_bytes == 0);
    expect(a->slice_bytes == NY * NX * sizeof(float) && a->host == memory[0]);
    expect(a->direction == DM_REGION_TO && a->offset == -1 && a->length == 3);
    expect(b->direction == DM_REGION_FROM && b->offset == 0 && b->length == 1);
    expect(loop.chunk_size == 1 && loop.streams == 3);
    expect(loop.num_block[0] == 0 && loop.num_block[1] == 0);
}

static void columns_planes_and_whole_arrays(void)
{
    expect_ok(bind("map(pipeline(k),to:m[0:8][k:2]) map(to:v[0:12]) iterator(k=0:nx:2)", 2, 2));
    const struct dm_region_array *m = &loop.region.arrays[0], *v = &loop.region.arrays[1];
    expect(loop.region.begin == 0 && loop.region.end == 3);
    expect(m->split == DM_REGION_COLUMNS && m->slices == 3 && m->rows == 8);
    expect(m->slice_bytes == 2 * sizeof(float) && m->pitch_bytes == 6 * sizeof(float));
    expect(m->offset == 0 && m->length == 1);
    expect(v->split == DM_REGION_WHOLE && v->slices == 1 && v->slice_bytes == 12 * sizeof(float));
    expect(loop.chunk_size == 1 && loop.streams == PIPELINE_OVERLAP);
    expect_ok(bind("map(pipeline(k),to:a[0:nz][k:1][0:nx]) iterator(k=0:ny)", 0, 1));
    expect(loop.region.arrays[0].split == DM_REGION_COLUMNS && loop.region.arrays[0].rows == NZ);
    expect(loop.region.arrays[0].slice_bytes == NX * sizeof(float));
    expect(loop.region.arrays[0].pitch_bytes == NY * NX * sizeof(float));
}

static void steps_and_factors_make_wider_slices(void)
{
    /* 12 elements in slices of 4; iterations 1 and 2 of 3 */
    expect_error(bind("map(pipeline(k,c,1),to:v[2*k-4:8]) iterator(k=2:5:2)", 3, 1), DM_INVALID,
                 "the constant `c` has no value");
    expect_ok(bind("map(pipeline(k,2,1),to:v[2*k-4:8]) iterator(k=2:5:2)", 3, 1));
    const struct dm_region_array *v = &loop.region.arrays[0];
    expect(loop.region.begin == 1 && loop.region.end == 3);
    expect(v->slices == 3 && v->slice_bytes == 4 * sizeof(float));
    expect(v->offset == -1 && v->length == 2);
    expect(loop.chunk_size == 2 && loop.streams == 1);
}

static void blocks_scratch_and_unsaid_counts(void)
{
    struct pipeline_array saved = arrays[1];
    arrays[1].host = NULL;
    expect_ok(
        bind("map(pipeline(k,to,nx-2):a[k][0:1][0:1]) map(pipeline(k),alloc:b[k:2][0:1][0:1]) "
             "iterator(k=0:nz-1)",
             0, 2));
    expect(loop.num_block[0] == 4 && loop.num_block[1] == 0);
    expect(loop.region.arrays[1].direction == DM_REGION_SCRATCH && !loop.region.arrays[1].host);
    expect(loop.region.arrays[1].length == 2);
    arrays[1] = saved;
    /* the order is that of the launch function's views, not that of the directive */
    expect_ok(bind("map(pipeline(k),from:b[k][0:1][0:1]) map(pipeline(k,3),to:a[k][0:1][0:1]) "
                   "iterator(k=0:nz)",
                   0, 2));
    expect(loop.region.arrays[0].host == memory[0] && loop.region.arrays[1].host == memory[1]);
    expect(loop.chunk_size == 3);
}

struct unbound {
    const char *text;
    int first, count, column;
    const char *words;
};

static void what_cannot_be_bound(void)
{
    static const struct unbound cases[] = {
        {"map(pipeline(k),to:c[k]) iterator(k=0:nz)", 0, 1, 20, "unknown array `c`"},
        {"map(pipeline(k),to:a[k][0:ny][0:nx]) iterator(k=0:nz)", 0, 2, 20,
         "the kernel needs the array `b`, which no map clause names"},
        {"map(pipeline(k),to:a[k][0:ny][0:nx]) iterator(k=0:n)", 0, 1, 51,
         "the constant `n` has no value"},
        {"map(pipeline(k),to:a[k][0:ny]) iterator(k=0:nz)", 0, 1, 20,
         "`a` has 3 dimensions, but 2 brackets"},
        {"map(pipeline(k),to:a[k][k][0:nx]) iterator(k=0:ny)", 0, 1, 25,
         "`a` is split in two dimensions; a region has slices of one"},
        {"map(pipeline(k),to:a[k][0:ny+1][0:nx]) iterator(k=0:nz)", 0, 1, 25,
         "the section ends at 6, but `a` has 5 elements in this dimension"},
        {"map(pipeline(k),to:a[k][zero-1:2][0:nx]) iterator(k=0:nz)", 0, 1, 25, "begins at -1"},
        {"map(pipeline(k),to:v[k:zero]) iterator(k=0:9)", 3, 1, 24,
         "the length of the section is 0 and must be at least 1"},
        {"map(pipeline(k),to:v[k*zero:1]) iterator(k=0:9)", 3, 1, 22, "moves by 0 per step"},
        {"map(pipeline(k),to:v[k+large:1]) iterator(k=0:9)", 3, 1, 22, "beyond 2^40"},
        {"map(pipeline(k),to:v[k:nz/zero]) iterator(k=0:9)", 3, 1, 26, "division by 0"},
        {"map(pipeline(k),to:v[k-1:3]) iterator(k=0:nz)", 3, 1, 22,
         "the loop needs the slices -1 to 9 of `v`, which has 0 to 11"},
        {"map(pipeline(k),to:v[k]) iterator(k=0:13)", 3, 1, 22, "needs the slices 0 to 12"},
        {"map(pipeline(k),to:v[k]) iterator(k=nz:ny)", 3, 1, 37, "begins at 9 and ends before 5"},
        {"map(pipeline(k),to:v[k]) iterator(k=0:large)", 3, 1, 39, "the end of the range is"},
        {"map(pipeline(k),to:v[k]) iterator(k=0:9:zero)", 3, 1, 41, "the step is 0"},
        {"map(pipeline(k),to:v[k:2]) iterator(k=1:9:2)", 3, 1, 39,
         "begins at 1 and must begin at a multiple of the step 2"},
        {"map(pipeline(k),to:v[k:3]) iterator(k=0:9:2)", 3, 1, 22,
         "`v` moves by 2 elements per iteration: offset 0, length 3 and extent 12 must be"},
        {"map(pipeline(k),to:v[5*k:5]) iterator(k=0:2)", 3, 1, 22, "extent 12 must be multiples"},
        {"map(pipeline(k),from:v[k:3]) iterator(k=0:9)", 3, 1, 24,
         "copy back 3 slices of `v`, some of which belong to others: what is mapped `from` or"},
        {"map(pipeline(k):v[k:3]) iterator(k=0:9)", 3, 1, 19, "mapped without a direction"},
        {"map(pipeline(k,zero),to:v[k]) iterator(k=0:9)", 3, 1, 16, "chunk_size is 0"},
        {"map(pipeline(k,1,nz-9),to:v[k]) iterator(k=0:9)", 3, 1, 20, "overlap is 0"},
        {"map(pipeline(k,to,zero):v[k]) iterator(k=0:9)", 3, 1, 19, "num_block is 0"},
        {"map(pipeline(k,nx),to:m[k][0:6]) map(pipeline(k,ny),to:v[k]) iterator(k=0:8)", 2, 2, 49,
         "chunk_size is 5 here and 6 before"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct unbound *c = &cases[i];
        expect_refusal(bind(c->text, c->first, c->count), 1, c->column + (int)strlen(HEAD),
                       c->words);
    }
}

static void memory_of_the_host_is_checked(void)
{
    struct pipeline_array saved = arrays[1];
    arrays[1].host = NULL;
    const char *text = "map(pipeline(k),to:a[k][0:ny][0:nx]) "
                       "map(pipeline(k),from:b[k][0:ny][0:nx]) iterator(k=0:nz)";
    expect_error(bind(text, 0, 2), DM_INVALID,
                 "`b` has no memory on the host: map it with `alloc`");
    arrays[1].host = memory[0];
    expect_error(bind(text, 0, 2), DM_INVALID, "overlap");
    arrays[1] = saved;
}

int main(void)
{
    run_test(first_form);
    run_test(second_form);
    run_test(expressions_keep_their_meaning);
    run_test(other_clauses_are_kept);
    run_test(lines_are_joined_by_backslashes);
    run_test(the_description_says_what_was_written);
    run_test(printing_into_too_little_room);
    run_test(grammar_errors);
    run_test(words_that_are_none);
    run_test(meaning_errors);
    run_test(the_stencil_becomes_a_region);
    run_test(columns_planes_and_whole_arrays);
    run_test(steps_and_factors_make_wider_slices);
    run_test(blocks_scratch_and_unsaid_counts);
    run_test(what_cannot_be_bound);
    run_test(memory_of_the_host_is_checked);
    pipeline_directive_free(directive);
    return end_tests();
}
