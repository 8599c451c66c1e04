/* What compiled Fortran calls, with descriptors made by hand: overlap, vector subscripts as the
 * compiler passes them, empty ones and wrong ones among them, errors into stat and errmsg. */
#include "coarrays/gfortran/abi.h"
#include "coarrays/gfortran/status.h"

#include "caf_ranks_test.h"

enum { ELEMENTS = 12 };

union array {
    struct descriptor descriptor;
    char room[sizeof(struct descriptor) + 2 * sizeof(struct dimension)];
};

static caf_token token;
static int32_t *mine;

static int next_image(void)
{
    return caf_this_image() % caf_num_images() + 1;
}

static union array scalar(int32_t *base)
{
    return (union array){.descriptor = {.base = base,
                                        .type = {.element_bytes = 4, .type = TYPE_INTEGER},
                                        .span = 4}};
}

/* base(lower : lower + count - 1 ), `stride` elements apart. */
static union array line(int32_t *base, ptrdiff_t lower, ptrdiff_t count, ptrdiff_t stride)
{
    union array array = scalar(base);
    array.descriptor.type.rank = 1;
    array.descriptor.dimension[0] =
        (struct dimension){.stride = stride, .lower = lower, .upper = lower + count - 1};
    return array;
}

static struct subscript vector(const void *values, int kind, size_t count)
{
    return (struct subscript){.count = count, .vector = {values, kind}};
}

static struct subscript range(ptrdiff_t first, ptrdiff_t last, ptrdiff_t step)
{
    return (struct subscript){.count = 0, .range = {first, last, step}};
}

static int get(int image, size_t offset, union array *from, struct subscript *subscripts,
               union array *to)
{
    int stat = 77;
    _gfortran_caf_get(token, offset, image, &from->descriptor, subscripts, &to->descriptor, 4, 4,
                      true, &stat);
    return stat;
}

static int send(int image, size_t offset, union array *to, struct subscript *subscripts,
                union array *from)
{
    int stat = 77;
    _gfortran_caf_send(token, offset, image, &to->descriptor, subscripts, &from->descriptor, 4, 4,
                       true, &stat, NULL);
    return stat;
}

static void fill(void)
{
    for (int i = 0; i < ELEMENTS; i++)
        mine[i] = 100 * caf_this_image() + i;
    expect_ok(caf_sync_all());
}

static void registers_and_fills(void)
{
    union array array = line(NULL, 1, ELEMENTS, 1);
    int stat = 77;
    char message[8] = "before..";
    _gfortran_caf_register(4 * ELEMENTS, REGISTER_ALLOCATABLE, &token, &array.descriptor, &stat,
                           message, sizeof message);
    mine = array.descriptor.base;
    expect(stat == 0 && mine && caf_memory(token) == mine && mine[ELEMENTS - 1] == 0);
    expect(memcmp(message, "before..", 8) == 0);
    fill();
}

static void scalars_and_lines(void)
{
    int32_t value = -1, values[4];
    union array there = scalar(mine), here = scalar(&value);
    expect(get(next_image(), 4 * 5, &there, NULL, &here) == 0 && value == 100 * next_image() + 5);
    union array four = line(values, 1, 4, 1), backwards = line(mine, -3, 4, -3);
    expect(get(next_image(), 4 * 11, &backwards, NULL, &four) == 0);
    for (int i = 0; i < 4; i++)
        expect(values[i] == 100 * next_image() + 11 - 3 * i);
    union array none = line(values, 1, 0, 1), none_there = line(mine, 1, 0, 1);
    expect(get(next_image(), 0, &none_there, NULL, &none) == 0);
}

static void vectors_of_all_kinds_with_lower_bounds(void)
{
    int8_t one[] = {-2, 9, 9, 0};
    int16_t two[] = {-2, 9, 9, 0};
    int32_t four[] = {-2, 9, 9, 0};
    int64_t eight[] = {-2, 9, 9, 0};
    const void *lists[] = {one, two, four, eight};
    for (int kind = 1, k = 0; kind <= 8; kind *= 2, k++) {
        int32_t values[4] = {0};
        union array there = line(mine, -2, ELEMENTS, 1), here = line(values, 1, 4, 1);
        struct subscript subscript = vector(lists[k], kind, 4);
        expect(get(next_image(), 0, &there, &subscript, &here) == 0);
        for (int i = 0; i < 4; i++)
            expect(values[i] == 100 * next_image() + four[i] + 2);
    }
}

static void empty_vectors_transfer_nothing(void)
{
    int32_t value = 5, index[1] = {1};
    union array there = line(mine, 1, ELEMENTS, 1), here = scalar(&value);
    /* As the compiler leaves it: an address and a kind where a range would be. */
    struct subscript empty = vector(index, 4, 0);
    empty.range.step = -1;
    expect(send(next_image(), 0, &there, &empty, &here) == 0);
    empty.range.step = 0;
    expect(send(next_image(), 0, &there, &empty, &here) == 0);
    struct subscript backwards = range(5, 4, 1);
    expect(send(next_image(), 0, &there, &backwards, &here) == 0);
    expect_ok(caf_sync_all());
    for (int i = 0; i < ELEMENTS; i++)
        expect(mine[i] == 100 * caf_this_image() + i);
}

static void what_is_beyond_the_coarray_is_an_error(void)
{
    int32_t values[4] = {0}, beyond[] = {1, 2, ELEMENTS + 1, 3}, before[] = {1, 0, 2, 3};
    union array there = line(mine, 1, ELEMENTS, 1), here = line(values, 1, 4, 1);
    struct subscript subscript = vector(beyond, 4, 4);
    expect(get(next_image(), 0, &there, &subscript, &here) == STAT_BAD_RANGE);
    expect(strstr(dm_message(), "GET") != NULL);
    subscript = vector(before, 4, 4);
    expect(send(next_image(), 0, &there, &subscript, &here) == STAT_BAD_RANGE);
    union array line_beyond = line(mine, 1, 4, 4), line_before = line(mine, 1, 4, -1);
    expect(get(next_image(), 4, &line_beyond, NULL, &here) == STAT_BAD_RANGE);
    expect(send(next_image(), 8, &line_before, NULL, &here) == STAT_BAD_RANGE);
    expect_ok(caf_sync_all());
    fill();
}

static void images_that_there_are_not(void)
{
    int32_t value = 5;
    union array there = scalar(mine), here = scalar(&value);
    union array line_there = line(mine, 1, 2, 3), line_here = line(mine, 1, 2, 1);
    int images[] = {0, -1, caf_num_images() + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        expect(get(images[i], 0, &there, NULL, &here) == STAT_BAD_IMAGE);
        expect(send(images[i], 0, &there, NULL, &here) == STAT_BAD_IMAGE);
        expect(send(images[i], 0, &line_there, NULL, &line_here) == STAT_BAD_IMAGE);
        int stat = 77;
        _gfortran_caf_sendget(token, 0, images[i], &there.descriptor, NULL, token, 0, 1,
                              &there.descriptor, NULL, 4, 4, false, &stat);
        expect(stat == STAT_BAD_IMAGE);
    }
}

static void sides_that_overlap_are_read_first(void)
{
    int me = caf_this_image();
    union array to = line(mine, 1, 10, 1), from = line(mine, 1, 10, 1);
    from.descriptor.base = mine;
    expect(send(me, 4 * 2, &to, NULL, &from) == 0);
    for (int i = 0; i < 10; i++)
        expect(mine[i + 2] == 100 * me + i);
    fill();
    from.descriptor.base = mine + 1;
    expect(get(me, 0, &to, NULL, &from) == 0);
    for (int i = 0; i < 10; i++)
        expect(mine[i + 1] == 100 * me + i);
    fill();
    int stat = 77;
    union array reverse = line(mine, 1, 10, -1);
    _gfortran_caf_sendget(token, 4 * 9, me, &reverse.descriptor, NULL, token, 0, me, &to.descriptor,
                          NULL, 4, 4, true, &stat);
    expect(stat == 0);
    for (int i = 0; i < 10; i++)
        expect(mine[9 - i] == 100 * me + i);
    expect_ok(caf_sync_all());
    fill();
}

/* The compiler passes the address of a pointer for the sync statements. */
static void errmsg_is_padded_and_cut_off(void)
{
    _Alignas(8) char message[200], direct[200];
    memset(message, '#', sizeof message);
    memset(direct, '#', sizeof direct);
    char *variable = message;
    int stat = 77, images[] = {caf_num_images() + 1};
    _gfortran_caf_sync_images(1, images, &stat, (char *)&variable, 190);
    expect(stat == STAT_BAD_IMAGE && strncmp(message, "SYNC IMAGES", 11) == 0);
    expect(message[189] == ' ' && message[190] == '#' && variable == message);
    _gfortran_caf_sync_images(1, images, &stat, direct, 6);
    expect(strncmp(direct, "SYNC I#", 7) == 0);
    _gfortran_caf_sync_images(1, images, &stat, NULL, 0);
    expect(stat == STAT_BAD_IMAGE);
}

static void too_much_memory_is_an_error_of_all(void)
{
    caf_token none = NULL;
    union array array = line(NULL, 1, 1, 1);
    int stat = 0;
    char message[100];
    _gfortran_caf_register((size_t)1 << 43, REGISTER_ALLOCATABLE, &none, &array.descriptor, &stat,
                           message, sizeof message);
    expect(stat == STAT_NO_MEMORY && none == NULL && array.descriptor.base == NULL);
    expect(strncmp(message, "ALLOCATE", 8) == 0);
}

static void lists_of_images(void)
{
    union array list = line(NULL, 0, 0, 1);
    for (int kind = 1; kind <= 8; kind *= 2) {
        _gfortran_caf_stopped_images(&list.descriptor, NULL, &kind);
        expect(descriptor_count(&list.descriptor) == 0 && list.descriptor.base);
        free(list.descriptor.base);
    }
    _gfortran_caf_failed_images(&list.descriptor, NULL, NULL);
    expect(descriptor_count(&list.descriptor) == 0);
    free(list.descriptor.base);
    expect(_gfortran_caf_image_status(next_image(), NULL) == 0);
    expect(_gfortran_caf_num_images(0, 1) == 0);
    expect(_gfortran_caf_num_images(0, -1) == caf_num_images());
}

/* What a program's own MPI calls see: the images of the current team, or of the one that is named,
 * in their order. */
static void expect_communicator(void **team, int images, int index)
{
    MPI_Comm ranks = MPI_Comm_f2c(_gfortran_caf_get_communicator(team));
    int size, rank, sum = 1, same;
    MPI_Comm_size(ranks, &size);
    MPI_Comm_rank(ranks, &rank);
    expect(size == images && rank == index - 1);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, ranks);
    expect(sum == images);
    MPI_Comm_compare(ranks, MPI_Comm_f2c(_gfortran_caf_get_communicator(team)), &same);
    expect(same == MPI_IDENT);
}

static void communicators_and_teams(void)
{
    int me = caf_this_image(), images = caf_num_images(), half = 1 + me % 2;
    int in_half = half == 2 ? (images + 1) / 2 : images / 2, levels[] = {0, 1, 2};
    void *team = NULL, *initial = _gfortran_caf_get_team(NULL);
    expect_communicator(NULL, images, me);
    _gfortran_caf_form_team(half, &team, 0);
    expect_communicator(&team, in_half, (me + 1) / 2);
    _gfortran_caf_change_team(&team, 0);
    expect_communicator(NULL, in_half, (me + 1) / 2);
    expect_communicator(&initial, images, me);
    expect(_gfortran_caf_get_team(NULL) == team && _gfortran_caf_team_number(team) == half);
    expect(_gfortran_caf_get_team(&levels[0]) == initial);
    expect(_gfortran_caf_get_team(&levels[1]) == initial);
    expect(_gfortran_caf_get_team(&levels[2]) == team);
    expect(_gfortran_caf_team_number(initial) == -1);
    _gfortran_caf_end_team(NULL);
    expect(_gfortran_caf_get_team(NULL) == initial);
    expect_communicator(NULL, images, me);
}

static void deregisters(void)
{
    int stat = 77;
    _gfortran_caf_deregister(&token, DEREGISTER, &stat, NULL, 0);
    expect(stat == 0 && token == NULL);
}

int main(int argc, char **argv)
{
    _gfortran_caf_init(&argc, &argv);
    run_steps((struct step[]){STEP(registers_and_fills),
                              STEP(scalars_and_lines),
                              STEP(vectors_of_all_kinds_with_lower_bounds),
                              STEP(empty_vectors_transfer_nothing),
                              STEP(what_is_beyond_the_coarray_is_an_error),
                              STEP(images_that_there_are_not),
                              STEP(sides_that_overlap_are_read_first),
                              STEP(errmsg_is_padded_and_cut_off),
                              STEP(too_much_memory_is_an_error_of_all),
                              STEP(lists_of_images),
                              STEP(communicators_and_teams),
                              STEP(deregisters),
                              {0}});
    _gfortran_caf_finalize();
    return test_failures > 0;
}
