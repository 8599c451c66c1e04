/* sparse_market_test: what the reader of Matrix Market files takes, what it refuses and how it says
 * so. */
#include <stdlib.h>
#include <string.h>

#include <datamotion/spmv.h>
#include "tests/unit/test_status.h"

#define BANNER  "%%MatrixMarket matrix "
#define GENERAL BANNER "coordinate real general\n"

static bool parse(struct spmv_coo *coo, const char *text)
{
    return spmv_market_parse(coo, text, strlen(text), "m") == DM_OK;
}

/* ---- what is read ---- */

/* The matrix of each text as a list of its values, row by row; `.`: not stored. */
static const struct accepted {
    const char *text;
    int64_t rows, columns;
    const char *dense;
    int64_t duplicates;
} accepted[] = {
    {GENERAL "2 3 3\n1 1 1.5\n2 3 -2e2\n1 2 +.25\n", 2, 3, "1.5 0.25 . . . -200", 0},
    {GENERAL "2 2 0\n", 2, 2, ". . . .", 0},
    {GENERAL "1 1 1\n1 1 0", 1, 1, "0", 0}, /* a zero that is listed is kept; no last newline */
    {GENERAL "1 1 1\n1 1 1e-400\n", 1, 1, "0", 0},
    {GENERAL "2 2 3\n2 2 1\n1 1 4\n2 2 2\n", 2, 2, "4 . . 3", 1},
    {BANNER "coordinate integer general\n2 2 2\n1 2 -7\n2 1 +9\n", 2, 2, ". -7 9 .", 0},
    {BANNER "coordinate pattern general\n2 2 2\n1 2\n2 2\n", 2, 2, ". 1 . 1", 0},
    {BANNER "coordinate real symmetric\n3 3 3\n1 1 1\n3 1 2\n3 3 4\n", 3, 3, "1 . 2 . . . 2 . 4",
     0},
    {BANNER "coordinate real symmetric\n2 2 2\n2 1 2\n2 1 3\n", 2, 2, ". 5 5 .", 2},
    {BANNER "coordinate pattern symmetric\n2 2 2\n2 2\n2 1\n", 2, 2, ". 1 1 1", 0},
    {BANNER "coordinate integer skew-symmetric\n2 2 1\n2 1 3\n", 2, 2, ". -3 3 .", 0},
    {BANNER "coordinate real hermitian\n2 2 2\n1 1 1\n2 1 3\n", 2, 2, "1 3 3 .", 0},
    {BANNER "array real general\n2 3\n1\n2\n3\n0\n5\n6\n", 2, 3, "1 3 5 2 . 6", 0},
    {BANNER "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, 3, "1 2 3 2 4 5 3 5 6", 0},
    {BANNER "array real skew-symmetric\n3 3\n2\n3\n5\n", 3, 3, ". -2 -3 2 . -5 3 5 .", 0},
    {BANNER "array real skew-symmetric\n1 1\n", 1, 1, ".", 0},
    {"%%matrixmarket MATRIX Coordinate REAL General\n1 1 1\n1 1 1\n", 1, 1, "1", 0},
    {GENERAL "% a\n\n%\n  % b\n 1\t1  1 \n\n% c\n \t\n 1 1   8  \n% d\n\n", 1, 1, "8", 0},
    {"%%MatrixMarket matrix coordinate real general\r\n% a\r\n\r\n2 1 2\r\n1 1 3\r\n2 1 4\r\n", 2,
     1, "3 4", 0},
};

static bool is_value(const struct spmv_coo *coo, int64_t *k, int64_t place, const char *word)
{
    int64_t row = place / coo->columns, column = place % coo->columns;
    bool is_stored = *k < coo->entries && coo->row[*k] == row && coo->column[*k] == column;
    if (!is_stored || strcmp(word, ".") == 0)
        return !is_stored && strcmp(word, ".") == 0;
    return coo->value[(*k)++] == atof(word);
}

static void every_kind_of_file_is_read(void)
{
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        struct spmv_coo coo;
        bool done = parse(&coo, accepted[i].text);
        if (!done)
            printf("# %s refused: %s\n", accepted[i].text, dm_message());
        expect(done);
        expect(coo.rows == accepted[i].rows && coo.columns == accepted[i].columns);
        expect(coo.duplicates == accepted[i].duplicates);
        char words[100], *rest = NULL;
        snprintf(words, sizeof words, "%s", accepted[i].dense);
        int64_t k = 0, place = 0;
        for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
            expect(is_value(&coo, &k, place++, w));
        expect(k == coo.entries && place == coo.rows * coo.columns);
        spmv_coo_close(&coo);
    }
}

/* ---- what is refused ---- */

static const struct refused {
    const char *text, *expected; /* part of the sentence */
} refused[] = {
    {"", "m: line 1: expected %%MatrixMarket, found an empty file"},
    {"\n" GENERAL "1 1 0\n", "line 1: expected one of %%MatrixMarket, found the end of the line"},
    {"%MatrixMarket matrix coordinate real general\n1 1 0\n", "found %MatrixMarket"},
    {BANNER, "line 1: expected one of coordinate, array"},
    {"%%MatrixMarket vector coordinate real general\n", "expected one of matrix, found vector"},
    {BANNER "sparse real general\n", "expected one of coordinate, array, found sparse"},
    {BANNER "coordinate complex general\n",
     "expected one of real, integer, pattern, found complex"},
    {BANNER "coordinate real diagonal\n", "general, symmetric, skew-symmetric, hermitian, found d"},
    {BANNER "coordinate real general x\n", "line 1: expected the end of the line, found x"},
    {BANNER "array pattern general\n1 1\n", "expected values, as the file is an array"},
    {BANNER "coordinate pattern skew-symmetric\n2 2 1\n2 1\n", "as the file is skew-symmetric"},
    {GENERAL, "line 2: expected rows, columns"},
    {GENERAL "% only\n\n", "line 4: expected rows, columns"},
    {GENERAL "2 2\n1 1 1\n", "line 2: expected entries from 0 to"},
    {GENERAL "2 2 1 1\n1 1 1\n", "line 2: expected the end of the line, found 1"},
    {GENERAL "0 2 1\n", "line 2: expected rows from 1 to 2147483647, found 0"},
    {GENERAL "2 -2 1\n", "expected columns from 1 to 2147483647, found -2"},
    {GENERAL "2 2147483648 1\n", "expected columns from 1 to 2147483647, found 2147483648"},
    {GENERAL "2 2 99999999999999999999\n", "expected entries from 0"},
    {GENERAL "2 2 1.0\n1 1 1\n", "found 1.0"},
    {GENERAL "9 9 1000000000000\n1 1 1\n", "entries in a file of that size, found 1000000000000"},
    {BANNER "array real general\n2147483647 2147483647\n1\n", "in a file of that size, found 46"},
    {BANNER "array real symmetric\n2147483647 2147483647\n1\n", "found 23"},
    {BANNER "coordinate real symmetric\n2 3 0\n", "as many columns as rows"},
    {GENERAL "20 20 2\n1 1 1\n2 21 1\n", "m: line 4: expected a column from 1 to 20, found 21"},
    {GENERAL "3 2 1\n2 3 1\n", "line 3: expected a column from 1 to 2, found 3"},
    {GENERAL "1 1 1\n2 1 1\n", "line 3: expected a row from 1 to 1, found 2"},
    {GENERAL "20 20 1\n0 1 1\n", "line 3: expected a row from 1 to 20, found 0"},
    {GENERAL "20 20 1\n\n%\n21 1 1\n", "line 5: expected a row from 1 to 20, found 21"},
    {GENERAL "20 20 1\n-1 1 1\n", "found -1"},
    {GENERAL "20 20 1\n1 18446744073709551617 1\n", "found 18446744073709551617"},
    {GENERAL "20 20 1\n1 1\n", "expected a number such as -1.25e3, found the end of the line"},
    {GENERAL "20 20 1\n1\n1 1\n", "a column from 1 to 20, found the end of the line"},
    {GENERAL "20 20 1\n1 1 1 1\n", "expected the end of the line, found 1"},
    {GENERAL "20 20 1\n1 1 nan\n", "expected a number such as -1.25e3, found nan"},
    {GENERAL "20 20 1\n1 1 -inf\n", "found -inf"},
    {GENERAL "20 20 1\n1 1 1e400\n", "expected a number within 1.8e308, found 1e400"},
    {GENERAL "20 20 1\n1 1 0x10\n", "found 0x10"},
    {GENERAL "20 20 1\n1 1 1.5D+00\n", "found 1.5D+00"},
    {GENERAL "20 20 1\n1 1 1,5\n", "found 1,5"},
    {GENERAL "20 20 1\n1 1 --1\n", "found --1"},
    {GENERAL "20 20 1\n1 1 e5\n", "found e5"},
    {GENERAL "20 20 1\n1 1 \033[31m\n", "found ?[31m"},
    {BANNER "coordinate integer general\n2 2 1\n1 1 1.5\n", "expected a whole number, found 1.5"},
    {BANNER "coordinate pattern general\n2 2 1\n1 1 1\n", "expected the end of the line, found 1"},
    {BANNER "coordinate real symmetric\n2 2 1\n1 2 1\n", "an entry on or below the diagonal"},
    {BANNER "coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
     "an entry below the diagonal, found row 1, column 1"},
    {GENERAL "2 2 3\n1 1 1\n1 2 1\n", "line 5: expected 3 entries, found the end after 2"},
    {GENERAL "2 2 1\n1 1 1\n% more\n1 2 1\n",
     "line 5: expected the end of the file after 1 entries, found 1"},
    {BANNER "array real general\n2 2\n1\n2\n3\n", "expected 4 entries, found the end after 3"},
    {BANNER "array real general\n2 1\n1\n2\n3\n", "the end of the file after 2 entries, found 3"},
    {BANNER "array real general\n2 1\n1 2\n", "expected the end of the line, found 2"},
};

static void what_is_wrong_is_said_with_its_line(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct spmv_coo coo;
        bool done = parse(&coo, refused[i].text);
        if (done || !strstr(dm_message(), refused[i].expected))
            printf("# of %s: `%s`\n", refused[i].text, dm_message());
        expect(!done);
        expect(strstr(dm_message(), refused[i].expected));
        expect(!coo.row && !coo.column && !coo.value && coo.entries == 0);
    }
}

static void zero_bytes_are_no_text(void)
{
    static const char text[] = GENERAL "1 1 1\n1 1 1\0 2\n";
    struct spmv_coo coo;
    expect_error(spmv_market_parse(&coo, text, sizeof text - 1, "m"), DM_INVALID,
                 "line 3: expected text, found a zero byte");
}

/* Comments may be longer than a line of the format, and than the block in which a file is read. */
static void only_comments_may_be_long(void)
{
    enum { LONG = 200000 };
    static char text[LONG + 200];
    static const struct {
        const char *before, *after;
        char filling;
    } lines[] = {{GENERAL "%", "\n1 1 1\n1 1 6\n", 'x'},
                 {GENERAL "1 1 1\n1 1 6", "\n", '0'},
                 {GENERAL "1 1 1\n1 1 6", "\n", ' '},
                 {GENERAL "1 1 1\n", "1 1 6\n", ' '}};
    for (int i = 0; i < 4; i++) {
        struct spmv_coo coo;
        size_t length = strlen(lines[i].before);
        memcpy(text, lines[i].before, length);
        memset(text + length, lines[i].filling, LONG);
        memcpy(text + length + LONG, lines[i].after, strlen(lines[i].after) + 1);
        expect(parse(&coo, text) == (i == 0));
        expect(i == 0 ? coo.entries == 1 && coo.value[0] == 6
                      : strstr(dm_message(),
                               "line 3: expected a line of at most 1024 characters") != NULL);
        spmv_coo_close(&coo);
    }
}

int main(void)
{
    run_test(every_kind_of_file_is_read);
    run_test(what_is_wrong_is_said_with_its_line);
    run_test(zero_bytes_are_no_text);
    run_test(only_comments_may_be_long);
    return end_tests();
}
