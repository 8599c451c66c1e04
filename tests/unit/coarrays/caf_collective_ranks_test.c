/* Started with mpirun by coarrays_words.bats:
 * caf_collective_ranks_test all|early|late|limit COUNT_MAX.
 * Collectives of the coarray library against a serial computation. `all` is what works; in the
 * others the last image stops before or while the others are in a collective, or never comes. */
#include <complex.h>

#include "caf_ranks_test.h"

enum { TYPES = CAF_COMPLEX_DOUBLE + 1, OPERATIONS = 3 };

static int me, images;
static size_t count_max;
static double limit_s; /* CAF_WAIT_LIMIT_S */
static const size_t counts[] = {0, 1, 7, 1000, 9001, 300000};

/* The sentence of the last error has this in it. */
static bool says(const char *part)
{
    if (strstr(dm_message(), part))
        return true;
    printf("# image %d says: %s\n", me, dm_message());
    return false;
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes + 1);
    if (!memory)
        abort();
    return memory;
}

/* ---- numbers ---- */

static const size_t bytes_of[TYPES] = {1, 2, 4, 8, 4, 8, 8, 16};

/* Small whole numbers, whose sums over all images are exact in every type. */
static int number(int image, size_t i)
{
    return (int)((i * 7 + (size_t)image * 13) % 23) - 11;
}

static int imaginary(int image, size_t i)
{
    return number(image + 5, i + 3);
}

static void set(void *data, enum caf_type type, size_t i, int real, int imaginary_part)
{
    switch (type) {
    case CAF_INT8:
        ((int8_t *)data)[i] = (int8_t)real;
        break;
    case CAF_INT16:
        ((int16_t *)data)[i] = (int16_t)real;
        break;
    case CAF_INT32:
        ((int32_t *)data)[i] = real;
        break;
    case CAF_INT64:
        ((int64_t *)data)[i] = real;
        break;
    case CAF_FLOAT:
        ((float *)data)[i] = (float)real;
        break;
    case CAF_DOUBLE:
        ((double *)data)[i] = real;
        break;
    case CAF_COMPLEX_FLOAT:
        ((float complex *)data)[i] = (float)real + (float)imaginary_part * (float complex)I;
        break;
    case CAF_COMPLEX_DOUBLE:
        ((double complex *)data)[i] = real + imaginary_part * (double complex)I;
        break;
    }
}

static int combined(int operation, int a, int b)
{
    return operation == 0 ? a + b : (operation == 1) == (a < b) ? a : b;
}

static int result_of(int operation, size_t i, int (*value)(int image, size_t i))
{
    int result = value(1, i);
    for (int image = 2; image <= images; image++)
        result = combined(operation, result, value(image, i));
    return result;
}

static enum dm_status call(int operation, void *data, size_t count, enum caf_type type,
                           int result_image)
{
    enum dm_status (*calls[])(void *, size_t, enum caf_type, int) = {caf_sum, caf_min, caf_max};
    return calls[operation](data, count, type, result_image);
}

static void check_numbers(int operation, size_t count, enum caf_type type, int result_image)
{
    size_t bytes = count * bytes_of[type];
    char *data = allocate(bytes), *right = allocate(bytes);
    for (size_t i = 0; i < count; i++) {
        set(data, type, i, number(me, i), imaginary(me, i));
        set(right, type, i, result_of(operation, i, number), result_of(operation, i, imaginary));
    }
    data[bytes] = 77;
    expect_ok(call(operation, data, count, type, result_image));
    if (result_image == 0 || result_image == me)
        expect(memcmp(data, right, bytes) == 0);
    expect(data[bytes] == 77);
    free(data);
    free(right);
}

static void arithmetic(int operation, int types)
{
    for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= count_max; c++)
        for (int type = 0; type < types; type++)
            for (int kind = 0; kind < 2; kind++)
                check_numbers(operation, counts[c], (enum caf_type)type,
                              kind == 0 ? 0 : (type + (int)c) % images + 1);
}

static void sums(void)
{
    arithmetic(0, TYPES);
}

static void minima(void)
{
    arithmetic(1, CAF_COMPLEX_FLOAT);
}

static void maxima(void)
{
    arithmetic(2, CAF_COMPLEX_FLOAT);
}

static void integers_wrap_around(void)
{
    int64_t big = INT64_MAX / 2 + 1000;
    int8_t small = 100;
    expect_ok(caf_sum(&big, 1, CAF_INT64, 0));
    expect((uint64_t)big == (uint64_t)(INT64_MAX / 2 + 1000) * (uint64_t)images);
    expect_ok(caf_sum(&small, 1, CAF_INT8, 0));
    expect((uint8_t)small == (uint8_t)(100 * images));
}

/* ---- own operations ---- */

struct matrix {
    uint32_t a[2][2];
};

static int context_of_products;

static void product(const void *in, void *inout, size_t count, void *context)
{
    const struct matrix *left = in;
    struct matrix *right = inout;
    expect(context == &context_of_products);
    for (size_t n = 0; n < count; n++) {
        struct matrix result = {{{0}}};
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                for (int k = 0; k < 2; k++)
                    result.a[i][j] += left[n].a[i][k] * right[n].a[k][j];
        right[n] = result;
    }
}

static struct matrix matrix(int image, size_t n)
{
    uint32_t x = (uint32_t)n * 2654435761u + (uint32_t)image * 40503u;
    return (struct matrix){{{x, x ^ 5}, {x >> 3, x * x + 1}}};
}

static void products_keep_the_order(void)
{
    for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= count_max; c++)
        for (int result_image = 0; result_image <= images; result_image++) {
            size_t count = counts[c], wrong = 0;
            struct matrix *data = allocate(count * sizeof *data);
            for (size_t n = 0; n < count; n++)
                data[n] = matrix(me, n);
            expect_ok(
                caf_reduce(data, count, sizeof *data, product, &context_of_products, result_image));
            for (size_t n = 0; n < count && (result_image == 0 || result_image == me); n++) {
                struct matrix right = matrix(images, n), left;
                for (int image = images - 1; image >= 1; image--) {
                    left = matrix(image, n);
                    product(&left, &right, 1, &context_of_products);
                }
                wrong += memcmp(&data[n], &right, sizeof right) != 0;
            }
            expect(wrong == 0);
            free(data);
        }
}

/* Elements of any size: each is a list of maps x -> a x + b, which are composed. */
static size_t maps_per_element;

static void compose(const void *in, void *inout, size_t count, void *context)
{
    const uint16_t(*left)[2] = in;
    uint16_t(*right)[2] = inout;
    (void)context;
    for (size_t i = 0; i < count * maps_per_element; i++) {
        right[i][1] = (uint16_t)(left[i][0] * (uint32_t)right[i][1] + left[i][1]);
        right[i][0] = (uint16_t)(left[i][0] * (uint32_t)right[i][0]);
    }
}

static void set_map(uint16_t *map, int image, size_t i)
{
    map[0] = (uint16_t)(2 * i + 3 + 2 * (size_t)image);
    map[1] = (uint16_t)(i * 7 + (size_t)image);
}

static void check_maps(size_t count, size_t per_element)
{
    size_t all = count * per_element, wrong = 0;
    uint16_t(*data)[2] = allocate(all * sizeof *data);
    maps_per_element = per_element;
    for (size_t i = 0; i < all; i++)
        set_map(data[i], me, i);
    expect_ok(caf_reduce(data, count, per_element * sizeof *data, compose, NULL, 0));
    maps_per_element = 1;
    for (size_t i = 0; i < all; i++) {
        uint16_t right[2], left[2];
        set_map(right, images, i);
        for (int image = images - 1; image >= 1; image--) {
            set_map(left, image, i);
            compose(left, right, 1, NULL);
        }
        wrong += memcmp(data[i], right, sizeof right) != 0;
    }
    expect(wrong == 0);
    free(data);
}

/* Also some that do not fit into what an image has for a chunk, growing and shrinking. */
static void elements_of_any_size(void)
{
    check_maps(5, 3);
    check_maps(4000, 3);
    check_maps(3, 10000);
    check_maps(3, 20000);
    check_maps(2, 100001);
    check_maps(30, 5000);
    check_maps(1, 1);
}

/* ---- broadcasts ---- */

static unsigned char byte_of(int image, size_t i)
{
    return (unsigned char)(i * 31 + i / 251 + (size_t)image * 17);
}

static void check_broadcast(size_t bytes, int source)
{
    unsigned char *data = allocate(bytes);
    size_t wrong = 0;
    for (size_t i = 0; i <= bytes; i++)
        data[i] = byte_of(me, i);
    expect_ok(caf_broadcast(data, bytes, source));
    for (size_t i = 0; i < bytes; i++)
        wrong += data[i] != byte_of(source, i);
    expect(wrong == 0 && data[bytes] == byte_of(me, bytes));
    free(data);
}

static void broadcasts(void)
{
    for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= count_max; c++)
        for (int source = 1; source <= images; source++)
            check_broadcast(5 * counts[c], source);
}

/* ---- one after another, without anything between them ---- */

static void dawdle(uint64_t *own)
{
    uint32_t turns = random_below(own, 2000);
    for (volatile uint32_t i = 0; i < turns; i++)
        ;
    if (turns < 20)
        sleep_s(100e-6);
}

static void random_sequence(void)
{
    uint64_t common = 5, own = (uint64_t)me;
    for (int i = 0; i < 300; i++) {
        size_t count = random_below(&common, 4)
                           ? random_below(&common, 40)
                           : random_below(&common, (uint32_t)count_max / 10 + 1);
        uint32_t kind = random_below(&common, 5);
        int image = (int)random_below(&common, (uint32_t)images + 1);
        enum caf_type type = (enum caf_type)random_below(&common, CAF_COMPLEX_FLOAT);
        dawdle(&own);
        if (kind < OPERATIONS)
            check_numbers((int)kind, count, type, image);
        else if (kind == 3)
            check_broadcast(count, image ? image : 1);
        else
            check_maps(count / 8, 8);
    }
}

/* Only the last image wants the sums; the others may run ahead, but not too far. */
static void one_result_after_another(void)
{
    uint64_t own = (uint64_t)me;
    for (int i = 0; i < 500; i++) {
        int32_t sum = i + me;
        if (me == images)
            dawdle(&own);
        expect_ok(caf_sum(&sum, 1, CAF_INT32, images));
        if (me == images)
            expect(sum == i * images + images * (images + 1) / 2);
    }
}

/* ---- what is wrong ---- */

static void wrong_arguments(void)
{
    double data[2] = {1, 2};
    expect_invalid(caf_broadcast(data, 8, 0), CAF_BAD_IMAGE, "");
    expect(says("CO_BROADCAST: there is no image 0 of "));
    expect_invalid(caf_broadcast(data, 8, images + 1), CAF_BAD_IMAGE, "");
    expect_invalid(caf_sum(data, 1, CAF_DOUBLE, -1), CAF_BAD_IMAGE, "");
    expect(says("CO_SUM: there is no image -1 of "));
    expect_invalid(caf_max(data, 1, CAF_DOUBLE, images + 1), CAF_BAD_IMAGE, "CO_MAX: ");
    expect_invalid(caf_sum(data, 1, (enum caf_type)TYPES, 0), CAF_BAD_ARGUMENT, "");
    expect(says("CO_SUM: there is no type 8"));
    expect_invalid(caf_min(data, 1, CAF_COMPLEX_DOUBLE, 0), CAF_BAD_ARGUMENT, "");
    expect(says("CO_MIN: complex doubles have no order"));
    expect_invalid(caf_max(data, 1, CAF_COMPLEX_FLOAT, 0), CAF_BAD_ARGUMENT, "");
    expect_invalid(caf_sum(data, SIZE_MAX / 4, CAF_DOUBLE, 0), CAF_BAD_ARGUMENT, "");
    expect(says("CO_SUM: there cannot be "));
    expect_invalid(caf_reduce(data, 1, 8, NULL, NULL, 0), CAF_BAD_ARGUMENT, "");
    expect(says("CO_REDUCE: there is no function"));
    expect_invalid(caf_reduce(data, 1, 0, compose, NULL, 0), CAF_BAD_ARGUMENT, "");
    expect(says("CO_REDUCE: an element has 0 bytes"));
    expect_invalid(caf_reduce(data, 1, 8, compose, NULL, images + 1), CAF_BAD_IMAGE, "");
    expect(data[0] == 1 && data[1] == 2);
    expect(caf_sum(data, 1, CAF_DOUBLE, 0) == DM_OK && data[0] == images);
}

static void all(void)
{
    static const struct step steps[] = {STEP(sums),
                                        STEP(minima),
                                        STEP(maxima),
                                        STEP(integers_wrap_around),
                                        STEP(products_keep_the_order),
                                        STEP(elements_of_any_size),
                                        STEP(broadcasts),
                                        STEP(random_sequence),
                                        STEP(one_result_after_another),
                                        STEP(wrong_arguments),
                                        {0}};
    run_steps(steps);
}

/* ---- images that stop: each speaks for itself ---- */

static void say(const char *name)
{
    printf("%sok image %d %s\n", test_failed_checks ? "not " : "", me, name);
    fflush(stdout);
}

static void expect_stopped(enum dm_status status, const char *statement)
{
    expect(status == DM_LOST);
    expect(says(statement) && says(" has stopped"));
}

static void everything_tells(void)
{
    static double data[50000];
    for (int round = 0; round < 3; round++) {
        expect_stopped(caf_sum(data, 1, CAF_DOUBLE, 0), "CO_SUM: ");
        expect_stopped(caf_sum(data, 50000, CAF_DOUBLE, 1), "CO_SUM: ");
        expect_stopped(caf_min(data, 5000, CAF_DOUBLE, 0), "CO_MIN: ");
        expect_stopped(caf_max(data, 0, CAF_DOUBLE, images), "CO_MAX: ");
        expect_stopped(caf_broadcast(data, 8, 1), "CO_BROADCAST: ");
        expect_stopped(caf_broadcast(data, sizeof data, images), "CO_BROADCAST: ");
        expect_stopped(caf_reduce(data, 6, 8, compose, NULL, 0), "CO_REDUCE: ");
        expect_stopped(caf_reduce(data, 1, 300000, compose, NULL, 1), "CO_REDUCE: ");
    }
}

/* The last image stops before there was any collective. */
static void early(void)
{
    if (me != images) {
        bool stopped = false;
        while (caf_has_stopped(images, &stopped) == DM_OK && !stopped)
            sleep_s(1e-3);
        everything_tells();
    }
    say("early");
}

/* The last image stops while the others wait for it in a collective. */
static void late(void)
{
    static double data[50000];
    for (int i = 0; i < 10; i++)
        expect_ok(caf_sum(data, 1 + (size_t)i * 5000, CAF_DOUBLE, i % images));
    if (me == images) {
        sleep_s(0.1);
    } else {
        expect_stopped(caf_sum(data, 50000, CAF_DOUBLE, 0), "CO_SUM: ");
        everything_tells();
    }
    say("late");
}

/* With CAF_WAIT_LIMIT_S=1: the last image does not come, and then no other does. */
static void limit(void)
{
    double data = 1, usual_s = runtime.wait_limit_s;
    expect(limit_s == 1);
    expect(caf_sum(&data, 1, CAF_DOUBLE, 0) == DM_OK && data == images);
    if (me != images) {
        runtime.wait_limit_s = limit_s;
        expect(caf_sum(&data, 1, CAF_DOUBLE, 0) == DM_TIMEOUT);
        expect(says("waited for 1 s, the limit CAF_WAIT_LIMIT_S"));
        expect(caf_broadcast(&data, 8, 1) == DM_TIMEOUT);
        expect(says("CO_BROADCAST: an earlier collective of this image did not end"));
        runtime.wait_limit_s = usual_s;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    say("limit");
}

int main(int argc, char **argv)
{
    static const struct step scenarios[] = {STEP(all), STEP(early), STEP(late), STEP(limit), {0}};
    alarm(HANGS_AFTER_S); /* nothing hangs */
    program_start(&argc, &argv);
    limit_s = put_off_wait_limit();
    me = caf_this_image();
    images = caf_num_images();
    if (argc != 3)
        stop_in_error(1, "usage: caf_collective_ranks_test all|early|late|limit COUNT_MAX");
    count_max = (size_t)atol(argv[2]);
    for (const struct step *scenario = scenarios; scenario->run; scenario++)
        if (strcmp(argv[1], scenario->name) == 0)
            scenario->run();
    expect_ok(caf_end());
    return test_failures || test_failed_checks;
}
