/* What programs compiled by GNU Fortran 15 and 16 call, with procedures as it makes them of
 * references to other images: x(first)[k], x(first:last)[k], x(first:)[k] = y(:), allocated(x[k]).
 */
#include "coarrays/gfortran/abi.h"
#include "coarrays/gfortran/status.h"

#include "caf_ranks_test.h"

enum { ELEMENTS = 12, ELEMENT = 31, RANGE = 7, SET_ELEMENT = 90, SET_RANGE = -5, PRESENT = 12 };
enum { SCALAR = 44, SET_SCALAR = 45, BY_FUNCTION = 46, EVALUATED = 47 };

struct line {
    struct descriptor header;
    struct dimension dimension;
};

/* The procedures' own part of a reference. */
struct range {
    int32_t first, last;
};

static struct line x;
static caf_token token;

static void make_line(struct line *line, int32_t *base, ptrdiff_t count)
{
    *line = (struct line){{.base = base,
                           .offset = (size_t)-1,
                           .type = {.element_bytes = 4, .rank = 1, .type = TYPE_INTEGER},
                           .span = 4},
                          {.stride = 1, .lower = 1, .upper = count}};
}

static int next_image(void)
{
    return caf_this_image() % caf_num_images() + 1;
}

static int previous_image(void)
{
    return (caf_this_image() + caf_num_images() - 2) % caf_num_images() + 1;
}

/* ---- procedures ---- */

static void get_element(void *added, const int *caller, void *to, int32_t *made, void *object,
                        void *of, size_t offset, size_t *to_length, const size_t *length)
{
    (void)caller, (void)of, (void)offset, (void)to_length, (void)length;
    int32_t *base = ((struct line *)object)->header.base;
    *(int32_t **)to = &base[((struct range *)added)->first - 1];
    *made = 0;
}

static void get_range(void *added, const int *caller, void *to, int32_t *made, void *object,
                      void *of, size_t offset, size_t *to_length, const size_t *length)
{
    const struct range *range = added;
    struct line *line = to;
    int32_t count = range->last - range->first + 1;
    int32_t *from = (int32_t *)((struct line *)object)->header.base + range->first - 1;
    (void)caller, (void)of, (void)offset, (void)to_length, (void)length;
    *made = !line->header.base;
    if (*made)
        make_line(line, malloc((size_t)count * sizeof *from), count);
    int32_t *data = line->header.base;
    for (ptrdiff_t i = 1; i <= count; i++)
        data[i + (ptrdiff_t)line->header.offset] = from[i - 1];
}

static void set_element(void *added, const int *caller, void *object, const void *from, void *of,
                        size_t offset, const size_t *length, const size_t *from_length)
{
    (void)caller, (void)of, (void)offset, (void)length, (void)from_length;
    int32_t *base = ((struct line *)object)->header.base;
    base[((struct range *)added)->first - 1] = *(const int32_t *)from;
}

static void set_range(void *added, const int *caller, void *object, const void *from, void *of,
                      size_t offset, const size_t *length, const size_t *from_length)
{
    const struct range *range = added;
    const struct line *values = from;
    int32_t *base = ((struct line *)object)->header.base;
    (void)caller, (void)of, (void)offset, (void)length, (void)from_length;
    for (int32_t i = range->first; i <= range->last; i++)
        base[i - 1] = ((int32_t *)values->header.base)[i - range->first];
}

static void is_there(void *added, const int *caller, int32_t *is_present, void *object, void *of,
                     size_t offset)
{
    (void)added, (void)caller, (void)of, (void)offset;
    *is_present = ((struct line *)object)->header.base != NULL;
}

static void get_scalar(void *added, const int *caller, void *to, int32_t *made, void *object,
                       void *of, size_t offset, size_t *to_length, const size_t *length)
{
    (void)added, (void)caller, (void)of, (void)offset, (void)to_length, (void)length;
    *(void **)to = object;
    *made = 0;
}

static void set_scalar(void *added, const int *caller, void *object, const void *from, void *of,
                       size_t offset, const size_t *length, const size_t *from_length)
{
    (void)added, (void)caller, (void)of, (void)offset, (void)length, (void)from_length;
    *(int32_t *)object = *(const int32_t *)from;
}

/* x(f())[k]: the subscript is read where f() was called. */
static void get_by_function(void *added, const int *caller, void *to, int32_t *made, void *object,
                            void *of, size_t offset, size_t *to_length, const size_t *length)
{
    int32_t subscript = 0, *value = &subscript;
    (void)added, (void)offset, (void)to_length, (void)length;
    _gfortran_caf_get_from_remote(of, NULL, NULL, *caller, 4, (void **)&value, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(EVALUATED), NULL, 0, NULL,
                                  NULL, NULL);
    int32_t *base = ((struct line *)object)->header.base;
    *(int32_t **)to = &base[subscript - 1];
    *made = 0;
}

static void get_evaluated(void *added, const int *caller, void *to, int32_t *made, void *object,
                          void *of, size_t offset, size_t *to_length, const size_t *length)
{
    (void)added, (void)caller, (void)of, (void)offset, (void)to_length, (void)length;
    *(int32_t **)to = &((struct range *)object)->first;
    *made = 0;
}

/* ---- what the compiler makes of references ---- */

static int32_t element(int image, int32_t first, int *stat)
{
    int32_t value = -1, *to = &value;
    _gfortran_caf_get_from_remote(token, &x.header, NULL, image, 4, (void **)&to, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(ELEMENT),
                                  &(struct range){first, first}, sizeof(struct range), stat, NULL,
                                  NULL);
    return value;
}

static void put_range(int image, int32_t first, int32_t last, const struct line *values)
{
    _gfortran_caf_send_to_remote(token, &x.header, NULL, image, 4, NULL, NULL, &values->header,
                                 _gfortran_caf_get_remote_function_index(SET_RANGE),
                                 &(struct range){first, last}, sizeof(struct range), NULL, NULL,
                                 NULL);
}

static void fill(void)
{
    for (int i = 0; i < ELEMENTS; i++)
        ((int32_t *)x.header.base)[i] = 100 * caf_this_image() + i + 1;
    expect_ok(caf_sync_all());
}

/* ---- steps ---- */

static void registers(void)
{
    _gfortran_caf_register_accessor(RANGE, (accessor *)get_range);
    _gfortran_caf_register_accessor(SET_ELEMENT, (accessor *)set_element);
    _gfortran_caf_register_accessor(ELEMENT, (accessor *)get_element);
    _gfortran_caf_register_accessors_finish();
    _gfortran_caf_register_accessor(SET_RANGE, (accessor *)set_range);
    _gfortran_caf_register_accessor(PRESENT, (accessor *)is_there);
    _gfortran_caf_register_accessor(RANGE, (accessor *)get_range);
    _gfortran_caf_register_accessor(SCALAR, (accessor *)get_scalar);
    _gfortran_caf_register_accessor(SET_SCALAR, (accessor *)set_scalar);
    _gfortran_caf_register_accessor(BY_FUNCTION, (accessor *)get_by_function);
    _gfortran_caf_register_accessor(EVALUATED, (accessor *)get_evaluated);
    _gfortran_caf_register_accessors_finish();
    expect(accessor_of(_gfortran_caf_get_remote_function_index(SET_RANGE)) ==
           (accessor *)set_range);
    make_line(&x, NULL, ELEMENTS);
    _gfortran_caf_register(4 * ELEMENTS, REGISTER_ALLOCATABLE, &token, &x.header, NULL, NULL, 0);
    expect(x.header.base && token);
}

static void elements_and_ranges_are_read(void)
{
    int stat = 77, next = next_image();
    struct range range = {3, 7};
    fill();
    expect(element(next, 5, NULL) == 100 * next + 5);
    expect(element(next, 5, &stat) == 100 * next + 5 && stat == STAT_OK);
    element(caf_num_images() + 1, 5, &stat);
    expect(stat == STAT_BAD_IMAGE);
    int32_t room[5] = {0};
    struct line foreseen, open;
    make_line(&foreseen, room, 5);
    make_line(&open, NULL, 0);
    /* As compilers describe temporary arrays. */
    foreseen.header.offset = 0;
    foreseen.dimension = (struct dimension){.stride = 1, .lower = 0, .upper = 4};
    int index = _gfortran_caf_get_remote_function_index(RANGE);
    _gfortran_caf_get_from_remote(token, &x.header, NULL, next, 20, NULL, NULL, &foreseen.header,
                                  false, index, &range, sizeof range, NULL, NULL, NULL);
    _gfortran_caf_get_from_remote(token, &x.header, NULL, next, 0, NULL, NULL, &open.header, true,
                                  index, &range, sizeof range, NULL, NULL, NULL);
    expect(foreseen.header.base == room && foreseen.dimension.lower == 0);
    expect(open.dimension.upper == 5);
    for (int i = 0; i < 5; i++)
        expect(room[i] == 100 * next + 3 + i && ((int32_t *)open.header.base)[i] == room[i]);
    free(open.header.base);
    expect_ok(caf_sync_all());
}

static void elements_and_ranges_are_written(void)
{
    int32_t values[] = {7, 8, 9}, one = -caf_this_image();
    struct line line;
    make_line(&line, values, 3);
    const int32_t *mine = x.header.base;
    fill();
    put_range(next_image(), 2, 4, &line);
    _gfortran_caf_send_to_remote(token, &x.header, NULL, next_image(), 4, &one, NULL, NULL,
                                 _gfortran_caf_get_remote_function_index(SET_ELEMENT),
                                 &(struct range){9, 9}, sizeof(struct range), NULL, NULL, NULL);
    expect_ok(caf_sync_all());
    expect(mine[1] == 7 && mine[2] == 8 && mine[3] == 9 && mine[8] == -previous_image());
    expect(mine[0] == 100 * caf_this_image() + 1 && mine[4] == 100 * caf_this_image() + 5);
    expect_ok(caf_sync_all());
}

/* x(3:6)[me] = x(2:5). */
static void a_side_that_overlaps_is_read_first(void)
{
    int32_t *mine = x.header.base;
    struct line line;
    make_line(&line, mine + 1, 4);
    fill();
    put_range(caf_this_image(), 3, 6, &line);
    for (int i = 2; i < 6; i++)
        expect(mine[i] == 100 * caf_this_image() + i);
    expect_ok(caf_sync_all());
}

static void images_transfer_to_images(void)
{
    const int32_t *mine = x.header.base;
    struct range from = {1, 3}, to = {10, 12}, one = {2, 2};
    fill();
    _gfortran_caf_transfer_between_remotes(token, &x.header, NULL, next_image(),
                                           _gfortran_caf_get_remote_function_index(SET_RANGE), &to,
                                           sizeof to, token, &x.header, NULL, previous_image(),
                                           _gfortran_caf_get_remote_function_index(RANGE), &from,
                                           sizeof from, 0, false, NULL, NULL, NULL, NULL);
    __wrap__gfortran_caf_transfer_between_remotes(
        token, &x.header, NULL, next_image(), _gfortran_caf_get_remote_function_index(SET_ELEMENT),
        &one, sizeof one, token, &x.header, NULL, previous_image(),
        _gfortran_caf_get_remote_function_index(ELEMENT), &from, sizeof from, 72, true, NULL, NULL,
        NULL, NULL, NULL, NULL);
    expect_ok(caf_sync_all());
    int source = (previous_image() + caf_num_images() - 2) % caf_num_images() + 1;
    expect(mine[9] == 100 * source + 1 && mine[11] == 100 * source + 3);
    expect(mine[1] == 100 * source + 1);
    expect_ok(caf_sync_all());
}

static void what_is_allocated_is_present(void)
{
    int index = _gfortran_caf_get_remote_function_index(PRESENT);
    expect(_gfortran_caf_is_present_on_remote(token, next_image(), index, NULL, 0) == 1);
    expect(__wrap__gfortran_caf_is_present_on_remote(token, next_image(), index, NULL, 0) == 1);
    expect(__wrap__gfortran_caf_is_present_on_remote((caf_token)&x, 1, index, NULL, 0) == 0);
    expect(__wrap__gfortran_caf_is_present_on_remote(NULL, 1, index, NULL, 0) == 0);
    expect_ok(caf_sync_all());
}

/* y => x(first:), as an associate name or a coarray of CHANGE TEAM. */
static caf_token name(struct line *y, caf_token of, ptrdiff_t first)
{
    make_line(y, (int32_t *)x.header.base + first - 1, ELEMENTS - first + 1);
    _gfortran_caf_register(4 * (size_t)(ELEMENTS - first + 1), REGISTER_PLACE, &of, &y->header,
                           NULL, NULL, 0);
    return of;
}

static int32_t scalar(caf_token of, int image)
{
    int32_t value = -1, *to = &value;
    _gfortran_caf_get_from_remote(of, NULL, NULL, image, 4, (void **)&to, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(SCALAR), NULL, 0, NULL,
                                  NULL, NULL);
    return value;
}

static void names_stand_for_places(void)
{
    struct line y, z;
    int32_t value = -1, *to = &value, set = 7, next = next_image();
    fill();
    caf_token of_y = name(&y, token, 4), of_z = name(&z, of_y, 9);
    expect(of_y != token && of_z != of_y && name(&y, token, 4) == of_y);
    expect(y.header.base == (int32_t *)x.header.base + 3);
    expect(scalar(of_y, next) == 100 * next + 4 && scalar(of_z, next) == 100 * next + 9);
    _gfortran_caf_get_from_remote(of_y, &y.header, NULL, next, 4, (void **)&to, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(ELEMENT),
                                  &(struct range){2, 2}, sizeof(struct range), NULL, NULL, NULL);
    expect(value == 100 * next + 5);
    expect_ok(caf_sync_all());
    _gfortran_caf_send_to_remote(of_z, NULL, NULL, next, 4, &set, NULL, NULL,
                                 _gfortran_caf_get_remote_function_index(SET_SCALAR), NULL, 0, NULL,
                                 NULL, NULL);
    set = 8;
    _gfortran_caf_atomic_define(of_y, 4, next, &set, NULL, TYPE_INTEGER, 4);
    expect_ok(caf_sync_all());
    expect(element(caf_this_image(), 9, NULL) == 7 && element(caf_this_image(), 5, NULL) == 8);
    expect_ok(caf_sync_all());
}

static void names_stand_for_events_and_locks(void)
{
    struct line events, locks, second;
    caf_token of_events, of_locks, event, lock;
    int count = -1, acquired = 0, next = next_image();
    make_line(&events, NULL, 3);
    make_line(&locks, NULL, 3);
    _gfortran_caf_register(3, REGISTER_EVENT_ALLOCATABLE, &of_events, &events.header, NULL, NULL,
                           0);
    _gfortran_caf_register(3, REGISTER_LOCK_ALLOCATABLE, &of_locks, &locks.header, NULL, NULL, 0);
    /* For the compiler they have 8 bytes. */
    event = of_events;
    make_line(&second, (int32_t *)events.header.base + 2, 1);
    second.header.type.element_bytes = 8;
    _gfortran_caf_register(1, REGISTER_PLACE, &event, &second.header, NULL, NULL, 0);
    _gfortran_caf_event_post(event, 0, next, NULL, NULL, 0);
    _gfortran_caf_event_wait(of_events, 1, 1, NULL, NULL, 0);
    _gfortran_caf_event_post(of_events, 1, caf_this_image(), NULL, NULL, 0);
    _gfortran_caf_event_query(event, 0, 0, &count, NULL);
    expect(count == 1);
    lock = of_locks;
    make_line(&second, (int32_t *)locks.header.base + 4, 1);
    second.header.type.element_bytes = 8;
    _gfortran_caf_register(1, REGISTER_PLACE, &lock, &second.header, NULL, NULL, 0);
    _gfortran_caf_lock(lock, 0, 0, NULL, NULL, NULL, 0);
    _gfortran_caf_lock(of_locks, 2, 0, &acquired, &count, NULL, 0);
    expect(count == STAT_LOCKED && !acquired);
    _gfortran_caf_unlock(lock, 0, 0, NULL, NULL, 0);
    _gfortran_caf_deregister(&of_locks, DEREGISTER, NULL, NULL, 0);
    _gfortran_caf_deregister(&of_events, DEREGISTER, NULL, NULL, 0);
}

/* Between nodes this cannot be done. */
static void procedures_read_what_was_evaluated(void)
{
    const char *path = getenv("CAF_PATH");
    bool is_near = caf_pointer(token, next_image()) && !(path && strcmp(path, "rma") == 0);
    int image = is_near ? next_image() : caf_this_image();
    int32_t value = -1, *to = &value;
    fill();
    _gfortran_caf_get_from_remote(token, &x.header, NULL, image, 4, (void **)&to, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(BY_FUNCTION),
                                  &(struct range){6, 0}, sizeof(struct range), NULL, NULL, NULL);
    expect(value == 100 * image + 6);
    expect_ok(caf_sync_all());
}

/* team: not entered yet. */
static void teams_that_may_not_be_named(void *team)
{
    int stat = 77;
    int32_t value = -1, *to = &value;
    _gfortran_caf_get_from_remote(token, &x.header, NULL, 1, 4, (void **)&to, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(ELEMENT),
                                  &(struct range){1, 1}, sizeof(struct range), &stat, &team, NULL);
    expect(stat == STAT_BAD_IMAGE && value == -1);
    /* The source's STAT= is told of the source. */
    stat = 77;
    __wrap__gfortran_caf_transfer_between_remotes(
        token, &x.header, NULL, 1, _gfortran_caf_get_remote_function_index(SET_ELEMENT),
        &(struct range){1, 1}, sizeof(struct range), token, &x.header, NULL, 1,
        _gfortran_caf_get_remote_function_index(ELEMENT), &(struct range){1, 1},
        sizeof(struct range), 4, true, NULL, &stat, NULL, NULL, &team, NULL);
    expect(stat == STAT_BAD_IMAGE);
}

static void teams_of_version_16(void)
{
    int me = caf_this_image(), images = caf_num_images(), half = 1 + (me - 1) % 2;
    int other = images > 1 ? 3 - half : half, stat = 77, all = -1;
    void *team = NULL;
    char text[80];
    fill();
    __wrap__gfortran_caf_form_team(half, &team, &(int){-2}, &stat, text, sizeof text);
    expect(stat == STAT_BAD_ARGUMENT && strstr(text, "NEW_INDEX"));
    __wrap__gfortran_caf_form_team(half, &team, NULL, &stat, NULL, 0);
    expect(stat == STAT_OK && team);
    teams_that_may_not_be_named(team);
    __wrap__gfortran_caf_change_team(team, &stat, NULL, 0);
    expect(__wrap__gfortran_caf_this_image(NULL) == (me + 1) / 2);
    expect(__wrap__gfortran_caf_num_images(NULL, &all) == images);
    expect(__wrap__gfortran_caf_num_images(NULL, &other) == (images + 2 - other) / 2);
    expect(__wrap__gfortran_caf_num_images(team, NULL) == (images + 2 - half) / 2);
    int32_t value = 0, *to = &value;
    _gfortran_caf_get_from_remote(token, &x.header, NULL, 1, 4, (void **)&to, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(ELEMENT),
                                  &(struct range){1, 1}, sizeof(struct range), NULL, NULL, &other);
    expect(value == 100 * other + 1);
    __wrap__gfortran_caf_sync_team(team, &stat, NULL, 0);
    __wrap__gfortran_caf_end_team(&stat, NULL, 0);
    expect(stat == STAT_OK && __wrap__gfortran_caf_this_image(NULL) == me);
    /* Who goes on to MPI's own calls serves nobody. */
    expect_ok(caf_sync_all());
}

static void deregisters(void)
{
    _gfortran_caf_deregister(&token, DEREGISTER, NULL, NULL, 0);
    expect(!token);
}

int main(int argc, char **argv)
{
    _gfortran_caf_init(&argc, &argv);
    run_steps((struct step[]){STEP(registers),
                              STEP(elements_and_ranges_are_read),
                              STEP(elements_and_ranges_are_written),
                              STEP(a_side_that_overlaps_is_read_first),
                              STEP(images_transfer_to_images),
                              STEP(what_is_allocated_is_present),
                              STEP(names_stand_for_places),
                              STEP(names_stand_for_events_and_locks),
                              STEP(procedures_read_what_was_evaluated),
                              STEP(teams_of_version_16),
                              STEP(deregisters),
                              {0}});
    _gfortran_caf_finalize();
    return test_failures > 0;
}
