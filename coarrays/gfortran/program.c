/* program.c: start and end of a program, and what it learns about images (Fanfarillo 2016, 5.1). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <unistd.h>
#include <mpi.h>

#include "abi.h"
#include "program.h"
#include "random.h"
#include "status.h"
#include "stop.h"

/* An error is usually the same on all images: then the first one says it and ends all. */
enum { FIRST_ENDS_ALL_S = 2 };

void program_start(int *argc, char ***argv)
{
    static bool started;
    int initialised, rank = 0;
    if (caf_start(argc, argv) == DM_OK) {
        if (!started)
            random_start();
        started = true;
        return;
    }
    MPI_Initialized(&initialised);
    if (initialised)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        sleep(FIRST_ENDS_ALL_S);
    stop_in_error(1, dm_message());
}

/* Static coarrays have been registered, and so the library started, and been given their initial
 * values before main: nobody may read them before everybody has done that. */
void _gfortran_caf_init(int *argc, char ***argv)
{
    program_start(argc, argv);
    status_report(caf_sync_all(), NULL, NULL, 0);
}

void _gfortran_caf_finalize(void)
{
    status_report(caf_end(), NULL, NULL, 0);
}

int _gfortran_caf_this_image(int distance)
{
    (void)distance; /* of teams */
    return caf_this_image();
}

/* failed: -1 all images, 0 those that have not failed, 1 those that have. */
int _gfortran_caf_num_images(int distance, int failed)
{
    (void)distance;
    return failed == 1 ? 0 : caf_num_images();
}

int _gfortran_caf_image_status(int image, void *team)
{
    (void)team; /* NULL or -1 where the program names none */
    bool stopped = false;
    if (caf_has_stopped(image, &stopped) != DM_OK)
        status_fatal("%s", dm_message());
    return stopped ? STAT_STOPPED_IMAGE : STAT_OK;
}

static void store_integer(void *to, int kind, int value)
{
    switch (kind) {
    case 1:
        *(int8_t *)to = (int8_t)value;
        break;
    case 2:
        *(int16_t *)to = (int16_t)value;
        break;
    case 8:
        *(int64_t *)to = value;
        break;
    default:
        *(int32_t *)to = value;
    }
}

/* Stopped images, or none, as a new array of integers of *kind, which the program frees. */
static void list_images(struct descriptor *result, bool stopped_ones, const int *kind)
{
    int bytes = kind ? *kind : 4;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        status_fatal("FAILED_IMAGES, STOPPED_IMAGES: there is no list of integers of kind %d",
                     bytes);
    char *list = malloc((size_t)caf_num_images() * (size_t)bytes);
    if (!list)
        status_fatal("FAILED_IMAGES, STOPPED_IMAGES: no memory");
    int count = 0;
    for (int image = 1; stopped_ones && image <= caf_num_images(); image++) {
        bool stopped = false;
        status_report(caf_has_stopped(image, &stopped), NULL, NULL, 0);
        if (stopped)
            store_integer(list + bytes * count++, bytes, image);
    }
    result->base = list;
    result->offset = 0;
    result->type.element_bytes = (size_t)bytes;
    result->type.rank = 1;
    result->type.type = TYPE_INTEGER;
    result->span = bytes;
    result->dimension[0] = (struct dimension){.stride = 1, .lower = 0, .upper = count - 1};
}

/* An image that fails takes the others with it, so there is none to be listed. */
void _gfortran_caf_failed_images(struct descriptor *result, void *team, int *kind)
{
    (void)team;
    list_images(result, false, kind);
}

void _gfortran_caf_stopped_images(struct descriptor *result, void *team, int *kind)
{
    (void)team;
    list_images(result, true, kind);
}
