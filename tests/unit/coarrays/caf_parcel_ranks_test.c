/* Puts of elements that lie far apart, within a node: they may lie packed until somebody needs the
 * memory, which nobody may notice. With at least 3 images; 1 to 3 play parts, others only take
 * part. */
#include "coarrays/caf/parcel.h"

#include "caf_ranks_test.h"

enum { EDGE = 64, CELLS = EDGE * EDGE };

static struct caf_coarray *coarray;
static int32_t *mine;
static int me;

/* Row `row` of the square of columns, of which each element lies EDGE elements behind the last. */
static size_t at(int row, int column)
{
    return ((size_t)column * EDGE + (size_t)row) * sizeof *mine;
}

static void put_row(int image, int row, int32_t first)
{
    int32_t values[EDGE];
    for (int i = 0; i < EDGE; i++)
        values[i] = first + i;
    expect_ok(caf_put_line(coarray, image, at(row, 0), EDGE * sizeof *mine, values, sizeof *values,
                           EDGE, sizeof *values));
}

static int32_t get_cell(int image, int row, int column)
{
    int32_t value;
    expect_ok(caf_get(&value, coarray, image, at(row, column), sizeof value));
    return value;
}

static bool has_row(int row, int32_t first)
{
    for (int i = 0; i < EDGE; i++)
        if (mine[i * EDGE + row] != first + i)
            return false;
    return true;
}

static void sync_with(int image)
{
    expect_ok(caf_sync_images(1, &image));
}

/* All begin with the same memory. */
static void begin(void)
{
    expect_ok(caf_sync_all());
    memset(mine, 0, CELLS * sizeof *mine);
    expect_ok(caf_sync_all());
}

/* ---- steps ---- */

static void allocates(void)
{
    void *memory;
    me = caf_this_image();
    expect_ok(caf_allocate(&coarray, CELLS * sizeof *mine, CAF_DATA, &memory));
    mine = memory;
}

/* Image 2 waits, and only what it does afterwards puts the row in place. */
static void a_row_lies_until_the_image_synchronises(void)
{
    begin();
    if (me == 1) {
        put_row(2, 3, 100);
        put_row(2, 5, 200);
        expect(parcels_lie_at(2) == runtime.parcels);
        sync_with(2);
    } else if (me == 2) {
        sync_with(1);
        expect(has_row(3, 100) && has_row(5, 200) && mine[4] == 0);
        expect(!parcels_lie_at(2));
    }
}

static void a_third_image_reads_what_lies_at_the_second(void)
{
    begin();
    if (me == 1) {
        put_row(2, 7, 100);
        sync_with(3);
    } else if (me == 3) {
        int32_t row[EDGE];
        sync_with(1);
        expect(get_cell(2, 7, 9) == 109);
        expect_ok(caf_get_line(row, sizeof *row, coarray, 2, at(7, 0), EDGE * sizeof *mine, EDGE,
                               sizeof *row));
        expect(row[EDGE - 1] == 100 + EDGE - 1);
    }
}

static void a_third_image_puts_over_it(void)
{
    int32_t value = -1;
    begin();
    if (me == 1) {
        put_row(2, 7, 100);
        sync_with(3);
    } else if (me == 3) {
        sync_with(1);
        put_row(2, 7, 300);
        expect_ok(caf_put(coarray, 2, at(7, 1), &value, sizeof value));
        sync_with(2);
    } else if (me == 2) {
        sync_with(3);
        expect(mine[7] == 300 && mine[EDGE + 7] == -1 && mine[2 * EDGE + 7] == 302);
    }
}

static void the_image_itself_sees_its_order(void)
{
    int32_t value = -5, old;
    begin();
    if (me == 1) {
        put_row(2, 1, 100);
        expect(get_cell(2, 1, 4) == 104);
        put_row(2, 1, 200);
        expect_ok(caf_put(coarray, 2, at(1, 4), &value, sizeof value));
        expect(get_cell(2, 1, 4) == -5 && get_cell(2, 1, 5) == 205);
        put_row(2, 1, 300);
        put_row(2, 1, 400);
        expect_ok(caf_atomic_operation(coarray, 2, at(1, 6), CAF_ADD, 1, &old));
        expect(old == 406 && get_cell(2, 1, 6) == 407);
        sync_with(2);
    } else if (me == 2) {
        sync_with(1);
        expect(mine[EDGE + 1] == 401);
    }
}

static void more_than_there_is_room_for(void)
{
    begin();
    if (me == 1) {
        for (int row = 0; row < EDGE; row++)
            put_row(row % 2 ? 2 : 3, row, 1000 * row);
        sync_with(2);
        sync_with(3);
    } else if (me <= 3) {
        sync_with(1);
        for (int row = me == 2; row < EDGE; row += 2)
            expect(has_row(row, 1000 * row));
    }
}

/* Another library's message follows. */
static void after_sync_memory_it_is_there(void)
{
    begin();
    if (me == 1) {
        put_row(2, 9, 100);
        expect_ok(caf_sync_memory());
        MPI_Send(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else if (me == 2) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(has_row(9, 100));
    }
}

/* Each image writes rows of its own into all the others. */
static void all_to_all(void)
{
    int images = caf_num_images(), rows = EDGE / images;
    uint64_t seed = 7;
    begin();
    for (int times = 1; times <= 20; times++) {
        uint32_t column = random_below(&seed, EDGE);
        for (int row = 0; row < rows; row++)
            for (int other = 1; other <= images; other++)
                if (other != me)
                    put_row(other, (me - 1) * rows + row, 10000 * times + 100 * row + me);
        expect_ok(caf_sync_all());
        for (int other = 1; other <= images; other++)
            for (int at_image = 1; at_image <= images; at_image++)
                if (other != at_image)
                    expect(get_cell(at_image, (other - 1) * rows, (int)column) ==
                           10000 * times + other + (int)column);
        expect_ok(caf_sync_all());
    }
}

/* From here on image 3 looks by pointer. */
static void who_reads_by_pointer_sees_it_after_synchronising(void)
{
    begin();
    const int32_t *theirs = me == 3 ? caf_pointer(coarray, 2) : NULL;
    begin();
    if (me == 1) {
        put_row(2, 11, 100);
        sync_with(3);
    } else if (me == 3) {
        sync_with(1);
        expect(theirs[11] == 100 && theirs[EDGE + 11] == 101);
    }
}

static void frees(void)
{
    expect_ok(caf_sync_all());
    if (me == 1)
        put_row(2, 13, 100);
    expect_ok(caf_free(coarray));
}

int main(int argc, char **argv)
{
    expect_ok(caf_start(&argc, &argv));
    run_steps((struct step[]){STEP(allocates),
                              STEP(a_row_lies_until_the_image_synchronises),
                              STEP(a_third_image_reads_what_lies_at_the_second),
                              STEP(a_third_image_puts_over_it),
                              STEP(the_image_itself_sees_its_order),
                              STEP(more_than_there_is_room_for),
                              STEP(after_sync_memory_it_is_there),
                              STEP(all_to_all),
                              STEP(who_reads_by_pointer_sees_it_after_synchronising),
                              STEP(frees),
                              {0}});
    expect_ok(caf_end());
    return test_failures > 0;
}
