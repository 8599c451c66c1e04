/* program.c: start and end of a program, and what it learns about images (Fanfarillo 2016, 5.1). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <unistd.h>
#include <mpi.h>

#include "coarrays/caf/team.h"

#include "abi.h"
#include "access.h"
#include "foreign.h"
#include "image.h"
#include "program.h"
#include "random.h"
#include "status.h"
#include "stop.h"

/* An error is usually the same on all images: then the first one says it and ends all. */
enum { FIRST_ENDS_ALL_S = 2 };

/* The team that many CHANGE TEAM constructs outside the current one. */
static const struct team *team_at(int distance)
{
    const struct team *team = current_team;
    while (distance-- > 0 && team->parent)
        team = team->parent;
    return team;
}

static int image_stat(int image)
{
    bool stopped = false, failed = false;
    if (caf_has_stopped(image, &stopped) != DM_OK || caf_has_failed(image, &failed) != DM_OK)
        status_fatal("%s", dm_message());
    return failed ? STAT_FAILED_IMAGE : stopped ? STAT_STOPPED_IMAGE : STAT_OK;
}

void program_start(int *argc, char ***argv)
{
    static bool started;
    int initialised, rank = 0;
    if (caf_start(argc, argv) == DM_OK) {
        if (!started) {
            exit_notes_start();
            random_start();
            access_start();
            foreign_start();
        }
        started = true;
        return;
    }
    MPI_Initialized(&initialised);
    if (initialised)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        sleep(FIRST_ENDS_ALL_S);
    if (rank > 0 && exit_was_noted())
        _exit(1);
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
    return team_at(distance)->index;
}

/* failed: -1 all images, 0 those that have not failed, 1 those that have. */
int _gfortran_caf_num_images(int distance, int failed)
{
    const struct team *team = team_at(distance);
    int count = 0;
    for (int i = 1; failed >= 0 && i <= team->images; i++)
        count += (image_stat(team->member[i]) == STAT_FAILED_IMAGE) == (failed == 1);
    return failed < 0 ? team->images : count;
}

/* NULL or -1, as an int, where the program names none; GNU Fortran 16 passes the variable's
 * address. */
static const struct team *team_named(void *team)
{
    bool is_none = (uint32_t)(uintptr_t)team == UINT32_MAX;
    return is_none ? current_team : image_known_team("IMAGE_STATUS", team);
}

int _gfortran_caf_image_status(int image, void *team)
{
    return image_stat(team_image(team_named(team), image));
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

/* The images of the current team of that state, as a new array of integers of *kind, which the
 * program frees. */
static void list_images(struct descriptor *result, void *named, int stat, const int *kind)
{
    const struct team *team = team_named(named);
    int bytes = kind ? *kind : 4;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        status_fatal("FAILED_IMAGES, STOPPED_IMAGES: there is no list of integers of kind %d",
                     bytes);
    char *list = malloc((size_t)team->images * (size_t)bytes);
    if (!list)
        status_fatal("FAILED_IMAGES, STOPPED_IMAGES: no memory");
    int count = 0;
    for (int i = 1; i <= team->images; i++)
        if (image_stat(team->member[i]) == stat)
            store_integer(list + bytes * count++, bytes, i);
    result->base = list;
    result->offset = 0;
    result->type.element_bytes = (size_t)bytes;
    result->type.rank = 1;
    result->type.type = TYPE_INTEGER;
    result->span = bytes;
    result->dimension[0] = (struct dimension){.stride = 1, .lower = 0, .upper = count - 1};
}

void _gfortran_caf_failed_images(struct descriptor *result, void *team, int *kind)
{
    list_images(result, team, STAT_FAILED_IMAGE, kind);
}

void _gfortran_caf_stopped_images(struct descriptor *result, void *team, int *kind)
{
    list_images(result, team, STAT_STOPPED_IMAGE, kind);
}
