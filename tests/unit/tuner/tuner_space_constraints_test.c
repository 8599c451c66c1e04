/* Constraints of spaces: judged by C itself, over single values and over ranges. */
#include "common/random.h"
#include "tuner/space_internal.h"

#include "tuner_space_test.h"

static inline int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The same text for us and for the compiler, so that C says what is right. */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#define EXPRESSIONS                                                                                \
    EXPRESSION(a *b <= c)                                                                          \
    EXPRESSION(a + b * c - 3 > 2 * a % 5)                                                          \
    EXPRESSION(a - b - c == 1)                                                                     \
    EXPRESSION(-a + -(b - c) >= -4 && !(a == b))                                                   \
    EXPRESSION(a || b && c)                                                                        \
    EXPRESSION((a || b) && c)                                                                      \
    EXPRESSION(a < b == b < c)                                                                     \
    EXPRESSION(-5 < a < b)                                                                         \
    EXPRESSION(!a + !!b != 1)                                                                      \
    EXPRESSION(b != 0 && a / b > 0)                                                                \
    EXPRESSION(b == 0 || a % b == 0)                                                               \
    EXPRESSION(b == 0 || !(a / b < c))                                                             \
    EXPRESSION(c != 0 && (a * 7 + b) % c == 2)                                                     \
    EXPRESSION((a + 100) % 7 == 3 || (b - 100) % 7 == -3)                                          \
    EXPRESSION(min(a, b) * max(b, c) >= a + b + c)                                                 \
    EXPRESSION(a >= b && b >= c || a * a + b * b == c * c)                                         \
    EXPRESSION(a - 10 / 3 * 2 < c / 2 - b / -2)                                                    \
    EXPRESSION(3)                                                                                  \
    EXPRESSION(a == a && a - a == 0 && a * 0 == 0)

static const char *const expressions[] = {
#define EXPRESSION(expression) #expression,
    EXPRESSIONS
#undef EXPRESSION
};

static bool by_c(size_t which, int64_t a, int64_t b, int64_t c)
{
    size_t i = 0;
#define EXPRESSION(expression)                                                                     \
    if (which == i++)                                                                              \
        return expression;
    EXPRESSIONS
#undef EXPRESSION
    return false;
}

enum { LARGEST = 6 }; /* a, b and c go from -LARGEST to LARGEST */

/* The space has all that C says, in order, and nothing else. */
static bool is_as_by_c(size_t which, const struct tuner_space *space)
{
    size_t i = 0;
    for (int64_t a = -LARGEST; a <= LARGEST; a++)
        for (int64_t b = -LARGEST; b <= LARGEST; b++)
            for (int64_t c = -LARGEST; c <= LARGEST; c++)
                if (by_c(which, a, b, c)) {
                    if (i == tuner_space_size(space) || tuner_space_value(space, i, 0) != a ||
                        tuner_space_value(space, i, 1) != b || tuner_space_value(space, i, 2) != c)
                        return false;
                    i++;
                }
    return i == tuner_space_size(space);
}

static void constraints_as_in_c(void)
{
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        char text[256];
        snprintf(text, sizeof text, "integer a %d %d\ninteger b %d %d\ninteger c %d %d\nrequire %s",
                 -LARGEST, LARGEST, -LARGEST, LARGEST, -LARGEST, LARGEST, expressions[i]);
        struct tuner_space *space = read_text(text);
        bool right = space && is_as_by_c(i, space);
        if (!right)
            printf("# %s\n", expressions[i]);
        expect(right);
        tuner_space_free(space);
    }
}

static void bad_constraints(void)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "a name, a number or `(` is missing at the end of the line"},
        {"a +", "a name, a number or `(` is missing at the end of the line"},
        {"a = 3", "expected an operator, not `= 3`"},
        {"a 3", "expected an operator, not `3`"},
        {"a & 3", "expected an operator, not `& 3`"},
        {"(a < 3", "`)` is missing at the end of the line"},
        {"a < 3)", "expected an operator, not `)`"},
        {"min(a) < 3", "expected `,`, not `) < 3`"},
        {"max 3", "expected `(`, not `3`"},
        {"a < 3 < b", "unknown parameter b: it must stand on a line before"},
        {"a == \"x\"", "\"x\" can only be compared with a category, by == or !="},
        {"\"x\" == \"x\"", "\"x\" can only be compared with a category, by == or !="},
        {"f == \"z\"", "f has no word \"z\""},
        {"f", "f is a category: it can only be compared with a word in quotes, by == or !="},
        {"f == f", "f is a category: it can only be compared with a word in quotes, by == or !="},
        {"f < \"x\"", "f is a category: it can only be compared with a word in quotes, by == or "
                      "!="},
        {"!f", "f is a category: it can only be compared with a word in quotes, by == or !="},
        {"f == \"x\" == \"x\"", "\"x\" can only be compared with a category, by == or !="},
        {"a < 9223372036854775808", "a number does not fit 64 bits"},
        {"((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))",
         "brackets and signs nest at most 32 deep"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[256], why[256];
        snprintf(text, sizeof text, "integer a 1 4\ncategory f x y\nrequire %s", bad[i].text);
        snprintf(why, sizeof why, "a.space:3: %s", bad[i].why);
        expect(refused(text, why));
    }
}

static void failing_operations(void)
{
    expect(size_of("integer a -2 2\nrequire 4 / a < 100") == 4);
    expect(size_of("integer a -2 2\nrequire !(4 % a > 100)") == 4);
    expect(size_of("integer a -2 2\nrequire a == 0 || 4 / a > 0") == 3);
    expect(size_of("integer a -2 2\nrequire 4 / a > 0 || a == 0") == 2);
    expect(size_of("integer a -2 2\nrequire a >= 1 && 4 / (a - 1) > 0") == 1);
    expect(size_of("integer a 1 3\nrequire a * 4611686018427387904 > 0") == 1);
    expect(size_of("integer a 0 3\nrequire !(a + 9223372036854775806 < 0)") == 2);
    expect(size_of("integer a 0 3\nrequire -9223372036854775807 - a < 0") == 2);
    expect(size_of("values a -9223372036854775808 5\nrequire -a < 9") == 1);
    expect(size_of("values a -9223372036854775808 5\nrequire a / -1 < 9") == 1);
    expect(size_of("values a -9223372036854775808 5\nrequire a % -1 == 0") == 2);
    expect(refused("integer a 1 9\nrequire a / 0 == 0",
                   "a.space:2: no configuration passes `a / 0 == 0`"));
}

/* Judged by C, too: x and y are reals, a is whole. */
#define REAL_EXPRESSIONS                                                                           \
    EXPRESSION(x *y <= 1.5)                                                                        \
    EXPRESSION(a + x * 0.5 - 1e-1 > 2 * y)                                                         \
    EXPRESSION(a / 2 + x >= 1)                                                                     \
    EXPRESSION(a / 2.0 == x)                                                                       \
    EXPRESSION(y != 0 && x / y > 0.3)                                                              \
    EXPRESSION(!x || y < -0.5 && a % 2 == 0)                                                       \
    EXPRESSION(-x - -y == a * 0.25)                                                                \
    EXPRESSION((x == y) + (x < y) * 2 + (x >= a) != 2)                                             \
    EXPRESSION(min(x, y) * 2.5E+0 < max(x, 0.25))

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
static size_t real_count_by_c(size_t which)
{
    size_t count = 0;
    for (int i = -4; i <= 4; i++)
        for (int j = -4; j <= 4; j++)
            for (int64_t a = -3; a <= 3; a++) {
                const double x = i * 0.5, y = j * 0.25;
                size_t at = 0;
#define EXPRESSION(expression) count += which == at++ && (expression);
                REAL_EXPRESSIONS
#undef EXPRESSION
            }
    return count;
}
#undef min
#undef max

static void constraints_in_reals(void)
{
    static const char *const texts[] = {
#define EXPRESSION(expression) #expression,
        REAL_EXPRESSIONS
#undef EXPRESSION
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[256];
        snprintf(text, sizeof text, "real x -2 2 0.5\nreal y -1 1 0.25\ninteger a -3 3\nrequire %s",
                 texts[i]);
        expect(size_of(text) == real_count_by_c(i));
    }
    expect(refused("real s 0.1 0.9 0.2\nrequire s > .5",
                   "a.space:2: expected a name, a number or `(`, not `.5`"));
    expect(size_of("real s 0.1 0.9 0.2\nrequire 1 / (s - 0.5) < 1e300") == 4);
    expect(size_of("integer a 1 9\nrequire a * 0.3 < 1") == 3);
    expect(size_of("integer a 1 9\nrequire a * 1e308 > 0") == 1); /* the others overflow */
}

static void words(void)
{
    expect(size_of("category f x y \"\"\ninteger a 1 5\nrequire f != \"x\" || a < 3") == 12);
    expect(size_of("category f x y \"\"\nrequire \"\" == f") == 1);
    expect(size_of("category f x y \"\"\nrequire (f) == (\"y\") || !(f != \"x\")") == 2);
}

static void nothing_left(void)
{
    expect(refused("integer a 1 9\nrequire a > 0\nrequire a > 9 # never\nrequire a < 5",
                   "a.space:3: no configuration passes `a > 9`"));
    expect(refused("integer a 1 9\nrequire a > 3\nrequire a > 4\nrequire a < 4\nrequire a < 3",
                   "a.space:4: no configuration that passes the constraints before it passes "
                   "`a < 4`"));
    expect(refused("integer a 1 9\nrequire 1 > 2", "a.space:2: no configuration passes `1 > 2`"));
}

static void large_products(void)
{
    expect(size_of("integer a 1 1000\ninteger b 1 1000\ninteger c 1 1000\ninteger d 1 1000\n"
                   "require a == d && b == c && a == b") == 1000);
    /* Whatever the order of the parameters: a, b and c have to be 1 or little more. */
    expect(size_of("integer a 1 1000\ninteger b 1 1000\ninteger c 1 1000\ninteger d 1 1000\n"
                   "require a * b * c * d <= 3") == 9);
    expect(size_of("integer a 0 1000000\ninteger b 0 1000000\n"
                   "require a + b == 1000 && a % 10 == 0 && b % 7 == 0") == 15);
    static const char hard[] = "integer a 1 100000\ninteger b 1 100000\ninteger c 1 100000\n"
                               "require (a * b + c) * 31 % 100003 == 7";
    struct tuner_space *space;
    expect_error(space_read_within(&space, hard, sizeof hard - 1, "hard", 1000000), DM_INVALID,
                 "hard: finding the configurations takes more than 1000000 operations: put "
                 "parameters with a common constraint next to one another");
    expect(!space);
}

/* ---- ranges ---- */

static uint64_t drawn;

static int64_t draw(int64_t smallest, int64_t largest)
{
    return smallest + (int64_t)random_below(7, drawn++, (uint64_t)(largest - smallest) + 1);
}

/* A random expression of three parameters. */
static void write_expression(char *text, size_t size, int depth)
{
    static const char *const signs[] = {"||", "&&", "==", "!=", "<", "<=", ">",
                                        ">=", "+",  "-",  "*",  "/", "%",  ","};
    static const char *const heads[] = {"(", "-(", "!(", "(", "(", "("};
    char left[512], right[512];
    if (depth == 0 || draw(0, 5) == 0) {
        static const char *const ends[] = {"a", "b", "c", "0", "1", "3", "17", "4000000000"};
        snprintf(text, size, "%s", ends[draw(0, 7)]);
        return;
    }
    write_expression(left, sizeof left, depth - 1);
    write_expression(right, sizeof right, depth - 1);
    const char *sign = signs[draw(0, 13)];
    const char *head = *sign != ',' ? heads[draw(0, 5)] : draw(0, 1) ? "min(" : "max(";
    snprintf(text, size, "%s%.240s %s %.240s)", head, left, sign, right);
}

/* What the expression is for single values is in what it is for a range around them. */
static bool range_holds(const struct expression *expression, struct range all,
                        const struct range ranges[3])
{
    struct range single[3];
    for (int d = 0; d < 3; d++) {
        int64_t value = draw(ranges[d].low, ranges[d].high);
        single[d] = (struct range){.low = value, .high = value};
    }
    struct range exact = expression_range(expression, single);
    if (range_never(exact) == range_always(exact))
        return false;
    if (exact.fails)
        return all.may_fail;
    return exact.low == exact.high && !exact.may_fail && !all.fails && all.low <= exact.low &&
           exact.high <= all.high;
}

static void ranges_hold_values(void)
{
    struct tuner_parameter parameters[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    static struct expression expression;
    size_t wrong = 0, decided = 0;
    for (int i = 0; i < 20000; i++) {
        char source[1024];
        write_expression(source, sizeof source, 3);
        struct source_line line = {
            .at = source, .end = source + strlen(source), .name = "text", .number = 1};
        if (expression_read(&line, parameters, 3, &expression) != DM_OK) {
            printf("# %s: %s\n", source, dm_message());
            wrong++;
            continue;
        }
        struct range ranges[3] = {{0}};
        int64_t largest = draw(0, 9) ? 12 : INT64_MAX / 2;
        for (int d = 0; d < 3; d++) {
            ranges[d].low = draw(-largest, largest);
            ranges[d].high = draw(ranges[d].low, draw(0, 1) ? largest : ranges[d].low);
        }
        struct range all = expression_range(&expression, ranges);
        decided += range_never(all) || range_always(all);
        for (int point = 0; point < 20; point++)
            if (!range_holds(&expression, all, ranges)) {
                printf("# %s in [%lld, %lld], ...\n", source, (long long)ranges[0].low,
                       (long long)ranges[0].high);
                wrong++;
                break;
            }
    }
    expect(wrong == 0);
    expect(decided > 2000); /* ranges would be of no use otherwise */
}

static void conditional_parameters(void)
{
    expect(size_of("values a 1 2\nvalues b 4 5 6\nonly b if a == 2\n") == 4);
    expect(size_of("values a 1 2\nvalues b 6 5 4\nonly b if a == 2 || a == 1 # always\n") == 6);
    expect(size_of("category m x y\nreal r 0.5 1.5 0.5\nonly r if m == \"y\"") == 4);
    expect(size_of("category m x y\nvalues t 1 2 4\nonly m if t > 2") == 4);
    struct tuner_space *space = read_text("values a 1 2\nvalues b 6 5 4\nonly b if a == 2\n");
    expect(space && in_order(space) && tuner_space_value(space, 0, 1) == 6);
    tuner_space_free(space);
    expect(refused("values a 1 2\nonly b if a == 2",
                   "a.space:2: unknown parameter b: it must stand on a line before"));
    expect(refused("values a 1 2\nonly a a == 2",
                   "a.space:2: expected `if` and a condition, not `== 2`"));
    expect(refused("values a 1 2\nonly a if",
                   "a.space:2: a name, a number or `(` is missing at the end of the line"));
}

int main(void)
{
    run_test(constraints_as_in_c);
    run_test(bad_constraints);
    run_test(failing_operations);
    run_test(constraints_in_reals);
    run_test(words);
    run_test(conditional_parameters);
    run_test(nothing_left);
    run_test(large_products);
    run_test(ranges_hold_values);
    return end_tests();
}
