/* coarrays_ring.c: each image puts its number into the next one's coarray, and all sum up what
 * came.
 *
 * Build: mpicc -std=c11 coarrays_ring.c $(pkg-config --cflags --libs datamotion-coarrays) \
 *     -o coarrays_ring
 * Run: mpirun -np 4 --oversubscribe ./coarrays_ring
 * Prints: image 1 of 4 heard from 4; together 10*there is no image 5 of 4 */
#include <datamotion/coarrays.h>

#include <mpi.h>
#include <stdio.h>

/* An error of one image may leave others waiting, so it ends all. */
static void check(enum dm_status status)
{
    if (status == DM_OK)
        return;
    fprintf(stderr, "%s\n", dm_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    struct caf_coarray *coarray;
    int *heard;
    check(caf_start(&argc, &argv));
    int me = caf_this_image(), images = caf_num_images();
    check(caf_allocate(&coarray, sizeof *heard, CAF_DATA, (void **)&heard));

    check(caf_put(coarray, me % images + 1, 0, &me, sizeof me)); /* heard[me % images + 1] = me */
    check(caf_sync_all());
    int sum = *heard;
    check(caf_sum(&sum, 1, CAF_INT32, 0));
    if (me == 1)
        printf("image 1 of %d heard from %d; together %d\n", images, *heard, sum);

    /* What fails changes nothing and says why. */
    if (me == 1 && caf_put(coarray, images + 1, 0, &me, sizeof me) == DM_INVALID &&
        caf_reason() == CAF_BAD_IMAGE)
        printf("%s\n", dm_message());
    check(caf_free(coarray));
    check(caf_end());
    return 0;
}
