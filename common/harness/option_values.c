#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "options_internal.h"

bool options_read_size(const char *string, size_t *size)
{
    char *end;
    /* strtod alone would also take signs, blanks, exponents and hexadecimal numbers. */
    size_t digits = strspn(string, "0123456789.");
    if (*string < '0' || *string > '9')
        return false;
    errno = 0;
    double number = strtod(string, &end);
    double unit = 1.0;
    if (end != string + digits)
        return false;
    switch (*end) {
    case 'G':
    case 'g':
        unit *= 1024.0; /* fall through */
    case 'M':
    case 'm':
        unit *= 1024.0; /* fall through */
    case 'K':
    case 'k':
        unit *= 1024.0;
        end++;
    }
    number *= unit;
    if (*end != '\0' || errno || !(number < 9007199254740992.0) || number != floor(number))
        return false;
    *size = (size_t)number;
    return true;
}

size_t option_read_size(const char *name, const char *string)
{
    size_t size;
    if (!options_read_size(string, &size))
        fail("--%s %s is not a size: write a whole number below 2^53, with K, M or G if you like",
             name, string);
    return size;
}

double option_read_real(const char *name, const char *string, double smallest, double largest)
{
    char *end;
    errno = 0;
    double number = strtod(string, &end);
    if (end == string || *end != '\0' || errno || !isfinite(number))
        fail("--%s %s is not a number", name, string);
    if (number < smallest || number > largest)
        fail("--%s %s is out of range: it must be from %.15g to %.15g", name, string, smallest,
             largest);
    return number;
}

int64_t option_read_integer(const char *name, const char *string, double smallest, double largest)
{
    double number = option_read_real(name, string, smallest, largest);
    if (number != floor(number))
        fail("--%s %s is not a whole number", name, string);
    return (int64_t)number;
}

/* ---- a program's own options ---- */

/* Remembers the text of an option that is a list or a choice: all are read after parsing, the
 * defaults too. */
static void set_list(const struct program_option *own, const char *argument)
{
    switch (own->kind) {
    case OPTION_NUMBERS:
        ((struct option_numbers *)own->target)->list = argument;
        break;
    case OPTION_REALS:
        ((struct option_reals *)own->target)->list = argument;
        break;
    case OPTION_WORDS:
        ((struct option_words *)own->target)->list = argument;
        break;
    case OPTION_CHOICES:
        ((struct option_choices *)own->target)->list = argument;
        break;
    default:
        ((struct option_choice *)own->target)->name = argument;
    }
}

static double largest_of(const struct program_option *own)
{
    return own->smallest == 0.0 && own->largest == 0.0 ? 9007199254740991.0 : own->largest;
}

void option_read_list(const struct program_option *own)
{
    struct option_numbers *numbers = own->target;
    struct option_reals *reals = own->target;
    struct option_words *words = own->target;
    switch (own->kind) {
    case OPTION_NUMBERS:
        if (numbers->list)
            *numbers = option_read_numbers(own->name, numbers->list, (long)own->smallest,
                                           (long)largest_of(own));
        break;
    case OPTION_REALS:
        if (reals->list)
            *reals = option_read_reals(own->name, reals->list, own->smallest, largest_of(own));
        break;
    case OPTION_WORDS:
        if (words->list)
            *words = option_read_words(own->name, words->list);
        break;
    case OPTION_CHOICES:
        if (((struct option_choices *)own->target)->list)
            option_read_choices(own->name, own->target);
        break;
    case OPTION_CHOICE:
        if (((struct option_choice *)own->target)->name)
            option_read_choice(own->name, own->target);
        break;
    default:
        break;
    }
}

void option_set(const struct program_option *own, const char *argument)
{
    double smallest = own->smallest, largest = largest_of(own);
    switch (own->kind) {
    case OPTION_SIZE:
        *(size_t *)own->target = option_read_size(own->name, argument);
        if ((double)*(size_t *)own->target < smallest || (double)*(size_t *)own->target > largest)
            fail("--%s %s is out of range: it must be from %.0f to %.0f", own->name, argument,
                 smallest, largest);
        break;
    case OPTION_INTEGER:
        *(int64_t *)own->target = option_read_integer(own->name, argument, smallest, largest);
        break;
    case OPTION_REAL:
        *(double *)own->target = option_read_real(own->name, argument, smallest, largest);
        break;
    case OPTION_TEXT:
        *(const char **)own->target = argument;
        break;
    case OPTION_FLAG:
        *(bool *)own->target = true;
        break;
    default:
        set_list(own, argument);
    }
}
