/* Polynomials with integer factors over symbols: what is known about indices and extents. */
#include <string.h>

#include "translate.h"

struct polynomial polynomial_number(long value)
{
    struct polynomial a = {.count = value != 0};
    a.terms[0].factor = value;
    return a;
}

struct polynomial polynomial_symbol(int symbol)
{
    struct polynomial a = {.count = 1};
    a.terms[0] = (struct term){.factor = 1, .symbols = {symbol}, .count = 1};
    return a;
}

/* By their symbols: those of higher degree first. */
static int compare(const struct term *a, const struct term *b)
{
    if (a->count != b->count)
        return b->count - a->count;
    for (int s = 0; s < a->count; s++)
        if (a->symbols[s] != b->symbols[s])
            return a->symbols[s] - b->symbols[s];
    return 0;
}

static void add_term(struct polynomial *a, const struct term *term)
{
    int at = 0;
    while (at < a->count && compare(&a->terms[at], term) < 0)
        at++;
    if (at < a->count && compare(&a->terms[at], term) == 0) {
        if (__builtin_add_overflow(a->terms[at].factor, term->factor, &a->terms[at].factor))
            a->unknown = true;
        if (a->terms[at].factor)
            return;
        a->count--;
        memmove(&a->terms[at], &a->terms[at + 1], sizeof *term * (size_t)(a->count - at));
        return;
    }
    if (a->count == POLYNOMIAL_TERMS) {
        a->unknown = true;
        return;
    }
    memmove(&a->terms[at + 1], &a->terms[at], sizeof *term * (size_t)(a->count - at));
    a->terms[at] = *term;
    a->count++;
}

struct polynomial polynomial_sum(const struct polynomial *a, const struct polynomial *b, long sign)
{
    struct polynomial sum = *a;
    for (int t = 0; t < b->count; t++) {
        struct term term = b->terms[t];
        if (__builtin_mul_overflow(term.factor, sign, &term.factor))
            sum.unknown = true;
        add_term(&sum, &term);
    }
    sum.unknown = sum.unknown || b->unknown;
    return sum;
}

/* False: too many symbols, or a factor beyond 64 bits. */
static bool multiply(const struct term *a, const struct term *b, struct term *product)
{
    *product = (struct term){.count = a->count + b->count};
    if (product->count > POLYNOMIAL_FACTORS ||
        __builtin_mul_overflow(a->factor, b->factor, &product->factor))
        return false;
    for (int s = 0, from_a = 0, from_b = 0; s < product->count; s++) {
        bool take_a =
            from_b == b->count || (from_a < a->count && a->symbols[from_a] <= b->symbols[from_b]);
        product->symbols[s] = take_a ? a->symbols[from_a++] : b->symbols[from_b++];
    }
    return true;
}

struct polynomial polynomial_product(const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial product = {.unknown = a->unknown || b->unknown};
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            struct term term;
            if (multiply(&a->terms[i], &b->terms[j], &term))
                add_term(&product, &term);
            else
                product.unknown = true;
        }
    return product;
}

bool polynomial_equal(const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial difference = polynomial_sum(a, b, -1);
    return !difference.unknown && difference.count == 0;
}

bool polynomial_is_number(const struct polynomial *a, long *value)
{
    *value = a->count ? a->terms[0].factor : 0;
    return !a->unknown && (a->count == 0 || (a->count == 1 && a->terms[0].count == 0));
}

static int power_of(const struct term *term, int symbol)
{
    int power = 0;
    for (int s = 0; s < term->count; s++)
        power += term->symbols[s] == symbol;
    return power;
}

bool polynomial_holds(const struct polynomial *a, int symbol)
{
    for (int t = 0; t < a->count; t++)
        if (power_of(&a->terms[t], symbol))
            return true;
    return false;
}

/* term / by; false if that leaves a rest. */
static bool divide_term(const struct term *term, const struct term *by, struct term *quotient)
{
    int next = 0;
    *quotient = (struct term){.factor = term->factor / by->factor};
    if (term->factor % by->factor)
        return false;
    for (int s = 0; s < term->count; s++) {
        if (next < by->count && by->symbols[next] == term->symbols[s])
            next++;
        else
            quotient->symbols[quotient->count++] = term->symbols[s];
    }
    return next == by->count;
}

bool polynomial_linear(const struct polynomial *a, int symbol, struct polynomial *factor,
                       struct polynomial *rest)
{
    const struct term by = {.factor = 1, .symbols = {symbol}, .count = 1};
    *factor = *rest = (struct polynomial){0};
    for (int t = 0; t < a->count; t++) {
        struct term quotient;
        int power = power_of(&a->terms[t], symbol);
        if (power > 1)
            return false;
        if (power == 0)
            add_term(rest, &a->terms[t]);
        else if (divide_term(&a->terms[t], &by, &quotient))
            add_term(factor, &quotient);
    }
    return !a->unknown;
}

void polynomial_divide(const struct polynomial *a, const struct polynomial *b,
                       struct polynomial *quotient, struct polynomial *rest)
{
    *quotient = (struct polynomial){.unknown = a->unknown || b->unknown || b->count == 0};
    *rest = *a;
    for (int t = 0; t < rest->count && !quotient->unknown;) {
        struct term times;
        if (!divide_term(&rest->terms[t], &b->terms[0], &times)) {
            t++;
            continue;
        }
        struct polynomial part = {.terms = {times}, .count = 1};
        struct polynomial taken = polynomial_product(&part, b);
        *rest = polynomial_sum(rest, &taken, -1);
        add_term(quotient, &times);
        quotient->unknown = quotient->unknown || rest->unknown;
    }
}

/* With 1 + symbol in the place of each symbol. */
static struct polynomial shifted(const struct polynomial *a)
{
    struct polynomial sum = {.unknown = a->unknown};
    for (int t = 0; t < a->count; t++) {
        struct polynomial product = polynomial_number(a->terms[t].factor);
        for (int s = 0; s < a->terms[t].count; s++) {
            struct polynomial one = polynomial_number(1);
            struct polynomial symbol = polynomial_symbol(a->terms[t].symbols[s]);
            one = polynomial_sum(&one, &symbol, 1);
            product = polynomial_product(&product, &one);
        }
        sum = polynomial_sum(&sum, &product, 1);
    }
    return sum;
}

bool polynomial_not_negative(const struct polynomial *a)
{
    struct polynomial b = shifted(a);
    for (int t = 0; t < b.count; t++)
        if (b.terms[t].factor < 0)
            return false;
    return !b.unknown;
}
