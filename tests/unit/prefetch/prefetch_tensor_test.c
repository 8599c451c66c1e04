/* Block operations on host and GPU against loops over all labels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "prefetch/sip/tensor_labels.h"
#include "tests/unit/test.h"

enum { DEVICES = 2, STORAGES = 3, LABELS_MAX = 12, SEED = 5 };
static const double tolerance = 1e-12; /* relative to the sum of the absolute products */

static struct tensor_device *devices[DEVICES]; /* host, GPU */
static uint64_t draws;

static int draw(int bound)
{
    return (int)random_below(SEED, draws++, (uint64_t)bound);
}

static void shuffle(int *values, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int other = draw(i + 1), kept = values[i];
        values[i] = values[other];
        values[other] = kept;
    }
}

/* A tensor over labels, whose extents stand in `extents` by label. */
static struct tensor over(const int *labels, int rank, const int *extents)
{
    struct tensor tensor = {.rank = rank};
    for (int d = 0; d < rank; d++) {
        tensor.label[d] = labels[d];
        tensor.extent[d] = extents[labels[d]];
    }
    return tensor;
}

/* ---- one statement: target <- alpha a, alpha a + beta b, or alpha a b ---- */

enum operation { COPY, SUM, CONTRACT };

struct statement {
    enum operation operation;
    enum tensor_mode mode;
    double alpha, beta;
    struct tensor tensor[STORAGES]; /* target, a, b */
    int storage[STORAGES];          /* equal numbers: the same memory */
};

static size_t offset(const struct tensor *tensor, const int *index)
{
    size_t at = 0;
    for (int d = 0; d < tensor->rank; d++)
        at = at * (size_t)tensor->extent[d] + (size_t)index[tensor->label[d]];
    return at;
}

/* Steps the labels of the tensors like an odometer; false after the last. */
static bool next_index(int *index, const struct tensor *const *tensors, int count)
{
    int extents[LABELS_MAX] = {0};
    for (int t = 0; t < count; t++)
        for (int d = 0; d < tensors[t]->rank; d++)
            extents[tensors[t]->label[d]] = tensors[t]->extent[d];
    for (int label = 0; label < LABELS_MAX; label++) {
        if (extents[label] && ++index[label] < extents[label])
            return true;
        index[label] = 0;
    }
    return false;
}

/* expected += factor a (b), magnitude += its absolute value */
static void add_products(double *expected, double *magnitude, const struct tensor *target,
                         double factor, const struct tensor *a, const struct tensor *b)
{
    const struct tensor *tensors[] = {target, a, b};
    int index[LABELS_MAX] = {0};
    do {
        double product = factor * a->data[offset(a, index)];
        if (b)
            product *= b->data[offset(b, index)];
        expected[offset(target, index)] += product;
        magnitude[offset(target, index)] += fabs(product);
    } while (next_index(index, tensors, b ? 3 : 2));
}

static void compute_expected(const struct statement *statement, double *expected, double *magnitude)
{
    const struct tensor *tensor = statement->tensor;
    double sign = statement->mode == TENSOR_SUBTRACT ? -1.0 : 1.0;
    for (size_t i = 0; i < tensor_elements(tensor); i++) {
        expected[i] = statement->mode == TENSOR_SET ? 0.0 : tensor->data[i];
        magnitude[i] = fabs(expected[i]);
    }
    add_products(expected, magnitude, &tensor[0], sign * statement->alpha, &tensor[1],
                 statement->operation == CONTRACT ? &tensor[2] : NULL);
    if (statement->operation == SUM)
        add_products(expected, magnitude, &tensor[0], sign * statement->beta, &tensor[2], NULL);
}

static cudaError_t execute(struct tensor_device *device, const struct statement *statement)
{
    const struct tensor *tensor = statement->tensor;
    if (statement->operation == COPY)
        return tensor_copy(device, &tensor[0], statement->mode, statement->alpha, &tensor[1]);
    if (statement->operation == SUM)
        return tensor_sum(device, &tensor[0], statement->mode, statement->alpha, &tensor[1],
                          statement->beta, &tensor[2]);
    return tensor_contract(device, &tensor[0], statement->mode, statement->alpha, &tensor[1],
                           &tensor[2]);
}

/* Executes on a device with copies of the data; the result comes back to `result`. */
static cudaError_t execute_on(int number, const struct statement *statement, double *result)
{
    struct statement moved = *statement;
    enum memory_kind kind = number == 0 ? MEMORY_PAGEABLE : MEMORY_DEVICE;
    double *data[STORAGES] = {NULL};
    for (int i = 0; i < STORAGES; i++) {
        int storage = statement->storage[i];
        size_t bytes = tensor_elements(&statement->tensor[i]) * sizeof(double);
        if (!data[storage]) {
            data[storage] = memory_allocate(kind, bytes);
            check_cuda(
                cudaMemcpy(data[storage], statement->tensor[i].data, bytes, cudaMemcpyDefault));
        }
        moved.tensor[i].data = data[storage];
    }
    cudaError_t error = execute(devices[number], &moved);
    if (number == 1)
        check_cuda(cudaStreamSynchronize(tensor_stream(devices[1])));
    check_cuda(cudaMemcpy(result, moved.tensor[0].data,
                          tensor_elements(moved.tensor) * sizeof(double), cudaMemcpyDefault));
    for (int i = 0; i < STORAGES; i++)
        memory_release(kind, data[i]);
    return error;
}

static bool equal(const double *result, const double *expected, const double *magnitude,
                  size_t elements)
{
    for (size_t i = 0; i < elements; i++)
        if (!(fabs(result[i] - expected[i]) <= tolerance * magnitude[i]))
            return false;
    return true;
}

/* Whether both devices compute the statement as the loops do. Tensors without storage get it. */
static bool right(struct statement statement)
{
    double *data[STORAGES] = {NULL};
    size_t elements = tensor_elements(statement.tensor);
    for (int i = 0; i < STORAGES; i++) {
        int storage = statement.storage[i];
        size_t count = tensor_elements(&statement.tensor[i]);
        if (!data[storage]) {
            data[storage] = memory_allocate(MEMORY_PAGEABLE, count * sizeof(double));
            random_fill_double(data[storage], count, draws++);
        }
        statement.tensor[i].data = data[storage];
    }
    double *expected = memory_allocate(MEMORY_PAGEABLE, 3 * elements * sizeof(double));
    double *magnitude = expected + elements, *result = magnitude + elements;
    compute_expected(&statement, expected, magnitude);
    bool good = true;
    for (int number = 0; number < DEVICES; number++)
        if (execute_on(number, &statement, result) || !equal(result, expected, magnitude, elements))
            good = false;
    memory_release(MEMORY_PAGEABLE, expected);
    for (int i = 0; i < STORAGES; i++)
        memory_release(MEMORY_PAGEABLE, data[i]);
    return good;
}

/* ---- copies and sums ---- */

static const int extents_by_label[LABELS_MAX] = {3, 5, 2, 7, 1, 4, 3, 2, 2, 1, 2, 3};

/* target over 0..rank-1, a and b over permutations of it, with all modes and aliases. */
static bool permutation_is_right(int rank, const int *a_labels, const int *b_labels)
{
    int labels[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct statement statement = {.alpha = -1.5,
                                  .beta = 0.25,
                                  .tensor = {over(labels, rank, extents_by_label),
                                             over(a_labels, rank, extents_by_label),
                                             over(b_labels, rank, extents_by_label)}};
    static const int storages[][STORAGES] = {{0, 1, 2}, {0, 0, 2}, {0, 1, 0}, {0, 0, 0}};
    bool good = true;
    for (int mode = TENSOR_SET; mode <= TENSOR_SUBTRACT; mode++)
        for (int alias = 0; alias < 4; alias++)
            for (int operation = COPY; operation <= SUM; operation++) {
                statement.mode = (enum tensor_mode)mode;
                statement.operation = (enum operation)operation;
                memcpy(statement.storage, storages[alias], sizeof statement.storage);
                good = right(statement) && good;
            }
    return good;
}

/* Calls permutation_is_right with all orders of the labels from `fixed` on; returns their number.
 */
static int try_orders(int *labels, int fixed, int rank)
{
    if (fixed == rank) {
        int other[TENSOR_RANK_MAX];
        memcpy(other, labels, sizeof other);
        shuffle(other, rank);
        expect(permutation_is_right(rank, labels, other));
        return 1;
    }
    int orders = 0;
    for (int i = fixed; i < rank; i++) {
        int kept = labels[fixed];
        labels[fixed] = labels[i];
        labels[i] = kept;
        orders += try_orders(labels, fixed + 1, rank);
        labels[i] = labels[fixed];
        labels[fixed] = kept;
    }
    return orders;
}

static void all_permutations_up_to_rank_4(void)
{
    static const int orders[] = {1, 1, 2, 6, 24};
    for (int rank = 0; rank <= 4; rank++) {
        int labels[TENSOR_RANK_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
        expect(try_orders(labels, 0, rank) == orders[rank]);
    }
}

static void random_permutations_of_higher_rank(void)
{
    for (int i = 0; i < 3; i++) {
        int labels[TENSOR_RANK_MAX] = {0, 1, 2, 3, 4, 5, 6, 7}, other[TENSOR_RANK_MAX];
        int rank = 5 + i % 3;
        shuffle(labels, rank);
        memcpy(other, labels, sizeof other);
        shuffle(other, rank);
        expect(permutation_is_right(rank, labels, other));
    }
}

/* Extents around the edges of tiles. */
static void large_permutations(void)
{
    static const int extents[][3] = {{32, 33, 31}, {70, 3, 65}, {1, 100, 37}, {129, 2, 64}};
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int e = 0; e < 4; e++)
        for (int o = 0; o < 6; o++) {
            struct statement statement = {
                .alpha = 2.0,
                .mode = o % 2 ? TENSOR_ADD : TENSOR_SET,
                .storage = {0, 1, 2},
                .tensor = {over(orders[0], 3, extents[e]), over(orders[o], 3, extents[e])}};
            expect(right(statement));
        }
}

/* ---- contractions ---- */

/* Draws the labels: `m` in target and a, `n` in target and b, `k` in a and b, each shuffled. */
static struct statement draw_contraction(int m, int n, int k, const int *extents)
{
    int target[LABELS_MAX], a[LABELS_MAX], b[LABELS_MAX];
    for (int i = 0; i < m; i++)
        target[i] = a[i] = i;
    for (int i = 0; i < n; i++)
        target[m + i] = b[i] = m + i;
    for (int i = 0; i < k; i++)
        a[m + i] = b[n + i] = m + n + i;
    if (draw(3)) { /* else the layout is that of a matrix product */
        shuffle(target, m + n);
        shuffle(a, m + k);
        shuffle(b, k + n);
    }
    return (struct statement){
        .operation = CONTRACT,
        .mode = (enum tensor_mode)draw(3),
        .alpha = 0.5 * draw(4) - 0.5,
        .storage = {0, 1, 2},
        .tensor = {over(target, m + n, extents), over(a, m + k, extents), over(b, k + n, extents)}};
}

static void random_contractions(void)
{
    for (int i = 0; i < 200; i++) {
        int extents[LABELS_MAX];
        for (int label = 0; label < LABELS_MAX; label++)
            extents[label] = 1 + draw(4);
        expect(right(draw_contraction(draw(4), draw(4), draw(4), extents)));
    }
}

static void large_contractions(void)
{
    for (int i = 0; i < 24; i++) {
        int extents[LABELS_MAX] = {1 + draw(90), 1 + draw(90), 1 + draw(90)};
        expect(right(draw_contraction(1, 1, 1, extents)));
        int many[LABELS_MAX] = {9, 1 + draw(9), 8, 1 + draw(9), 7, 1 + draw(3)};
        expect(right(draw_contraction(2, 2, 2, many)));
    }
}

static void matrix_times_vector(void)
{
    for (int i = 0; i < 24; i++) {
        int extents[LABELS_MAX] = {1 + draw(90), 1 + draw(9), 1 + draw(90)};
        expect(right(draw_contraction(i % 2 ? 2 : 0, i % 2 ? 0 : 2, 1, extents)));
    }
}

static void long_sums_into_a_scalar(void)
{
    int extents[LABELS_MAX] = {47, 31, 29};
    for (int i = 0; i < 6; i++)
        expect(right(draw_contraction(0, 0, 3, extents)));
}

/* The target is also a, b or both; equal extents, so that any order fits. */
static void contractions_into_an_operand(void)
{
    static const int storages[][STORAGES] = {{0, 0, 2}, {0, 1, 0}, {0, 0, 0}, {0, 1, 1}};
    for (int i = 0; i < 48; i++) {
        int each = i % 3, extents[LABELS_MAX];
        for (int label = 0; label < LABELS_MAX; label++)
            extents[label] = each == 1 ? 40 : 5;
        struct statement statement = draw_contraction(each, each, each, extents);
        memcpy(statement.storage, storages[i % 4], sizeof statement.storage);
        expect(right(statement));
    }
}

/* What stood in a target that is set, numbers or not, does not matter; the factor may be 0. */
static void not_a_number_on(int number, int m, int n)
{
    int extents[LABELS_MAX] = {m, n, 3};
    enum memory_kind kind = number == 0 ? MEMORY_PAGEABLE : MEMORY_DEVICE;
    struct tensor to = over((int[]){0, 1}, 2, extents), a = over((int[]){0, 2}, 2, extents),
                  b = over((int[]){2, 1}, 2, extents), *all[] = {&to, &a, &b};
    for (int i = 0; i < 3; i++) {
        all[i]->data = memory_allocate(kind, tensor_elements(all[i]) * sizeof(double));
        expect(tensor_fill(devices[number], all[i], TENSOR_SET, i ? 1.0 : NAN) == cudaSuccess);
    }
    const double factors[] = {2.0, 0.0, 0.0}, expected[] = {6.0, 6.0, 0.0};
    const enum tensor_mode modes[] = {TENSOR_SET, TENSOR_ADD, TENSOR_SET};
    for (int step = 0; step < 3; step++) {
        double result[16];
        size_t elements = tensor_elements(&to);
        expect(tensor_contract(devices[number], &to, modes[step], factors[step], &a, &b) ==
               cudaSuccess);
        if (number == 1)
            check_cuda(cudaStreamSynchronize(tensor_stream(devices[1])));
        check_cuda(cudaMemcpy(result, to.data, elements * sizeof(double), cudaMemcpyDefault));
        for (size_t i = 0; i < elements; i++)
            expect(result[i] == expected[step]);
    }
    for (int i = 0; i < 3; i++)
        memory_release(kind, all[i]->data);
}

static void factor_zero_and_not_a_number(void)
{
    for (int number = 0; number < DEVICES; number++)
        for (int shape = 0; shape < 4; shape++)
            not_a_number_on(number, shape & 1 ? 1 : 4, shape & 2 ? 1 : 4);
}

/* ---- plans: what need not move stays where it is ---- */

/* A tensor from letters; its extents are 5, but 1 for capitals. */
static struct tensor lettered(const char *letters)
{
    static double data;
    struct tensor tensor = {.rank = (int)strlen(letters), .data = &data};
    for (int d = 0; d < tensor.rank; d++) {
        tensor.label[d] = letters[d];
        tensor.extent[d] = letters[d] < 'a' ? 1 : 5;
    }
    return tensor;
}

/* Which of the contraction's tensors have to be permuted: "" or some of "tab". */
static const char *permuted(const char *target, const char *a, const char *b)
{
    static char moved[4];
    struct tensor to = lettered(target), one = lettered(a), other = lettered(b);
    struct tensor_product plan;
    expect(tensor_plan_product(&plan, &to, &one, &other) == cudaSuccess);
    const struct tensor_matrix *of_a = plan.swapped ? &plan.second : &plan.first,
                               *of_b = plan.swapped ? &plan.first : &plan.second;
    snprintf(moved, sizeof moved, "%s%s%s", plan.target.permuted ? "t" : "",
             of_a->permuted ? "a" : "", of_b->permuted ? "b" : "");
    return moved;
}

static void layouts_that_fit_are_not_permuted(void)
{
    static const char *const cases[][4] = {
        {"ij", "ik", "kj", ""},      {"ij", "ki", "kj", ""},       {"ij", "ki", "jk", ""},
        {"ji", "ik", "kj", ""},      {"ijkl", "ijmn", "mnkl", ""}, {"klij", "mnij", "klmn", ""},
        {"il", "ijkl", "jk", "a"},   {"ij", "iklm", "mlkj", "b"},  {"ij", "kml", "ijklm", "a"},
        {"ikjl", "ijm", "mkl", "t"}, {"", "ijk", "kij", "b"},      {"i", "ijk", "kj", "b"},
        {"iXj", "kXYi", "jYk", ""},  {"il", "ijlk", "kj", "a"},    {"ijl", "ikj", "kl", "a"},
        {"ijl", "lk", "jik", "b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(permuted(cases[i][0], cases[i][1], cases[i][2]), cases[i][3]) != 0) {
            printf("# %s = %s %s: permutes '%s', not '%s'\n", cases[i][0], cases[i][1], cases[i][2],
                   permuted(cases[i][0], cases[i][1], cases[i][2]), cases[i][3]);
            expect(!"the expected permutations");
        }
}

/* ---- fill, scale, dot ---- */

/* Runs fill (three modes) and scale on a device's memory and brings the values back. */
static void fill_and_scale_on(int number, struct tensor tensor, double *values)
{
    size_t bytes = tensor_elements(&tensor) * sizeof(double);
    enum memory_kind kind = number == 0 ? MEMORY_PAGEABLE : MEMORY_DEVICE;
    tensor.data = memory_allocate(kind, bytes);
    expect(tensor_fill(devices[number], &tensor, TENSOR_SET, 5.0) == cudaSuccess);
    expect(tensor_fill(devices[number], &tensor, TENSOR_ADD, 2.0) == cudaSuccess);
    expect(tensor_fill(devices[number], &tensor, TENSOR_SUBTRACT, 1.0) == cudaSuccess);
    expect(tensor_scale(devices[number], &tensor, -0.5) == cudaSuccess);
    if (number == 1)
        check_cuda(cudaStreamSynchronize(tensor_stream(devices[1])));
    check_cuda(cudaMemcpy(values, tensor.data, bytes, cudaMemcpyDefault));
    memory_release(kind, tensor.data);
}

static void fill_and_scale(void)
{
    int labels[] = {0, 1, 2, 3, 4, 5}, extents[LABELS_MAX] = {3, 4, 2, 5, 2, 3};
    double values[720];
    for (int number = 0; number < DEVICES; number++)
        for (int rank = 0; rank <= 6; rank++) {
            struct tensor tensor = over(labels, rank, extents);
            fill_and_scale_on(number, tensor, values);
            size_t wrong = 0;
            for (size_t i = 0; i < tensor_elements(&tensor); i++)
                wrong += values[i] != -3.0;
            expect(wrong == 0);
        }
}

/* The dot product on a device, twice: equal to the last bit. */
static double dot_on(int number, struct tensor a, struct tensor b)
{
    enum memory_kind kind = number == 0 ? MEMORY_PAGEABLE : MEMORY_DEVICE;
    size_t bytes = tensor_elements(&a) * sizeof(double);
    double *host_a = a.data, *host_b = b.data, first = NAN, second = NAN;
    a.data = memory_allocate(kind, bytes);
    b.data = memory_allocate(kind, bytes);
    check_cuda(cudaMemcpy(a.data, host_a, bytes, cudaMemcpyDefault));
    check_cuda(cudaMemcpy(b.data, host_b, bytes, cudaMemcpyDefault));
    expect(tensor_dot(devices[number], &a, &b, &first) == cudaSuccess);
    expect(tensor_dot(devices[number], &a, &b, &second) == cudaSuccess);
    expect(first == second);
    memory_release(kind, a.data);
    memory_release(kind, b.data);
    return first;
}

static void dot_equals_loops(void)
{
    static const int extents[][LABELS_MAX] = {
        {1, 1, 1, 1, 1, 1}, {2, 3, 4, 5, 3, 2}, {7, 9, 8, 3, 1, 11}, {60, 70, 50, 1, 1, 1}};
    for (int e = 0; e < 4; e++)
        for (int rank = 0; rank <= 6; rank++) {
            int labels[] = {0, 1, 2, 3, 4, 5}, scalar[1] = {0};
            struct tensor a = over(labels, rank, extents[e]);
            shuffle(labels, rank);
            struct tensor b = over(labels, rank, extents[e]), sum = over(scalar, 0, extents[e]);
            size_t elements = tensor_elements(&a);
            a.data = memory_allocate(MEMORY_PAGEABLE, elements * sizeof(double));
            b.data = memory_allocate(MEMORY_PAGEABLE, elements * sizeof(double));
            random_fill_double(a.data, elements, 1);
            random_fill_double(b.data, elements, 2);
            double expected = 0.0, magnitude = 0.0;
            add_products(&expected, &magnitude, &sum, 1.0, &a, &b);
            for (int number = 0; number < DEVICES; number++)
                expect(fabs(dot_on(number, a, b) - expected) <= tolerance * magnitude);
            memory_release(MEMORY_PAGEABLE, a.data);
            memory_release(MEMORY_PAGEABLE, b.data);
        }
}

/* ---- errors ---- */

static void misfits_are_refused(void)
{
    int extents[LABELS_MAX] = {2, 2, 2, 2}, other[LABELS_MAX] = {2, 3, 2, 2};
    double data[3][64] = {{0}}, result;
    struct tensor ij = over((int[]){0, 1}, 2, extents), ik = over((int[]){0, 2}, 2, extents),
                  kj = over((int[]){2, 1}, 2, extents), i = over((int[]){0}, 1, extents),
                  ii = over((int[]){0, 0}, 2, extents), wide = over((int[]){0, 1}, 2, other),
                  deep = ij, empty = ij, nowhere = ij;
    ij.data = ii.data = deep.data = empty.data = data[0];
    ik.data = i.data = wide.data = data[1];
    kj.data = data[2];
    deep.rank = TENSOR_RANK_MAX + 1;
    empty.extent[1] = 0;
    for (int number = 0; number < DEVICES; number++) {
        struct tensor_device *device = devices[number];
        const struct tensor *bad[] = {&ik, &i, &ii, &wide, &deep, &empty, &nowhere};
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            expect(tensor_copy(device, &ij, TENSOR_SET, 1.0, bad[b]) == cudaErrorInvalidValue);
            expect(tensor_sum(device, &ij, TENSOR_SET, 1.0, &ij, 1.0, bad[b]) ==
                   cudaErrorInvalidValue);
            expect(tensor_sum(device, &ij, TENSOR_SET, 1.0, bad[b], 1.0, &ij) ==
                   cudaErrorInvalidValue);
            expect(tensor_dot(device, &ij, bad[b], &result) == cudaErrorInvalidValue);
            expect(tensor_contract(device, &ij, TENSOR_SET, 1.0, bad[b], &ij) ==
                   cudaErrorInvalidValue);
        }
        const struct tensor *malformed[] = {&ii, &deep, &empty, &nowhere};
        for (size_t m = 0; m < sizeof malformed / sizeof *malformed; m++) {
            expect(tensor_fill(device, malformed[m], TENSOR_SET, 1.0) == cudaErrorInvalidValue);
            expect(tensor_scale(device, malformed[m], 1.0) == cudaErrorInvalidValue);
        }
        /* a label only in one operand, in all three, and with two extents */
        expect(tensor_contract(device, &i, TENSOR_SET, 1.0, &ik, &kj) == cudaErrorInvalidValue);
        expect(tensor_contract(device, &ij, TENSOR_SET, 1.0, &ij, &ij) == cudaErrorInvalidValue);
        kj.extent[0] = 3;
        expect(tensor_contract(device, &ij, TENSOR_SET, 1.0, &ik, &kj) == cudaErrorInvalidValue);
        kj.extent[0] = 2;
    }
    expect(data[0][0] == 0.0);
}

enum { HOGS = 64 };

/* Allocates nearly all of the GPU's memory. */
static int hog_memory(void **hogs)
{
    size_t chunk, total;
    int count = 0;
    check_cuda(cudaMemGetInfo(&chunk, &total));
    while (count < HOGS && chunk >= 1 << 20)
        if (cudaMalloc(&hogs[count], chunk) == cudaSuccess)
            count++;
        else
            chunk /= 2;
    cudaGetLastError();
    return count;
}

/* An operation that needs a workspace, and one that does not, while the GPU is full. */
static void a_full_gpu_is_reported(void)
{
    int extents[LABELS_MAX] = {1024, 1024}, few[LABELS_MAX] = {4, 4};
    struct tensor ij = over((int[]){0, 1}, 2, extents), ji = over((int[]){1, 0}, 2, extents),
                  small_ij = over((int[]){0, 1}, 2, few), small_ji = over((int[]){1, 0}, 2, few);
    void *hogs[HOGS];
    struct tensor_device *device;
    check_cuda(tensor_open_gpu(&device));
    ij.data = ji.data = memory_allocate(MEMORY_DEVICE, tensor_elements(&ij) * sizeof(double));
    small_ij.data = small_ji.data = ij.data;
    expect(tensor_copy(device, &small_ij, TENSOR_SET, 1.0, &small_ji) == cudaSuccess);
    int count = hog_memory(hogs);
    expect(tensor_copy(device, &ij, TENSOR_SET, 1.0, &ji) == cudaErrorMemoryAllocation);
    expect(tensor_fill(device, &ij, TENSOR_SET, 3.0) == cudaSuccess);
    for (int i = 0; i < count; i++)
        check_cuda(cudaFree(hogs[i]));
    expect(tensor_copy(device, &small_ij, TENSOR_SET, 1.0, &small_ji) == cudaSuccess);
    expect(tensor_copy(device, &ij, TENSOR_ADD, 1.0, &ji) == cudaSuccess);
    double sum = 0.0;
    expect(tensor_dot(device, &ij, &ij, &sum) == cudaSuccess);
    expect(sum == 36.0 * 1024.0 * 1024.0);
    memory_release(MEMORY_DEVICE, ij.data);
    tensor_close(device);
}

static void flops_and_elements(void)
{
    int extents[LABELS_MAX] = {2, 3, 5, 7};
    struct tensor il = over((int[]){0, 3}, 2, extents),
                  ijkl = over((int[]){0, 1, 2, 3}, 4, extents),
                  jk = over((int[]){1, 2}, 2, extents), scalar = over(NULL, 0, extents);
    expect(tensor_elements(&ijkl) == 210 && tensor_elements(&scalar) == 1);
    expect(tensor_contract_flops(&il, &ijkl, &jk) == 420.0);
    expect(tensor_contract_flops(&scalar, &jk, &jk) == 30.0);
    expect(tensor_contract_flops(&ijkl, &il, &jk) == 420.0);
}

int main(void)
{
    check_cuda(tensor_open_host(&devices[0]));
    check_cuda(tensor_open_gpu(&devices[1]));
    run_test(all_permutations_up_to_rank_4);
    run_test(random_permutations_of_higher_rank);
    run_test(large_permutations);
    run_test(random_contractions);
    run_test(large_contractions);
    run_test(matrix_times_vector);
    run_test(long_sums_into_a_scalar);
    run_test(contractions_into_an_operand);
    run_test(factor_zero_and_not_a_number);
    run_test(layouts_that_fit_are_not_permuted);
    run_test(fill_and_scale);
    run_test(dot_equals_loops);
    run_test(misfits_are_refused);
    run_test(a_full_gpu_is_reported);
    run_test(flops_and_elements);
    tensor_close(devices[0]);
    tensor_close(devices[1]);
    return end_tests();
}
