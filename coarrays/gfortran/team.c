/* team.c: teams. A team variable holds the address of the library's object; GNU Fortran 12 to 15
 * pass the variable's address, to team_number its value, and neither STAT= nor NEW_INDEX=; 16:
 * calls_16.c. */
#include <mpi.h>

#include "coarrays/caf/error.h"
#include "coarrays/caf/team.h"

#include "abi.h"
#include "allocate.h"
#include "component.h"
#include "image.h"
#include "status.h"

/* What a program cannot be told by STAT=: after a failure those that run have done it. */
static void report(enum dm_status status)
{
    status_report(is_failed_image(status) ? DM_OK : status, NULL, NULL, 0);
}

struct team *image_known_team(const char *statement, void *team)
{
    if (!team)
        return current_team;
    if (!team_is_known(team) && team_is_known(*(void **)team))
        team = *(void **)team;
    if (!team_is_known(team))
        status_fatal("%s: the team variable was not defined by FORM TEAM on this image", statement);
    return team;
}

void _gfortran_caf_form_team(int number, void **team, int new_index)
{
    struct team *formed = NULL;
    /* All images are here together for the last time. */
    component_prepare();
    report(team_form(number, new_index, &formed));
    *team = formed;
}

void _gfortran_caf_change_team(void **team, int unused)
{
    (void)unused;
    report(team_enter(image_known_team("CHANGE TEAM", team)));
}

void _gfortran_caf_end_team(void **team)
{
    (void)team;
    coarray_forget_team(current_team);
    report(team_leave());
}

void _gfortran_caf_sync_team(void **team, int unused)
{
    (void)unused;
    report(team_sync(image_known_team("SYNC TEAM", team)));
}

int _gfortran_caf_team_number(void *team)
{
    return image_known_team("TEAM_NUMBER", team)->number;
}

/* level: iso_fortran_env's INITIAL_TEAM, PARENT_TEAM, CURRENT_TEAM; NULL: the current one. */
void *_gfortran_caf_get_team(int *level)
{
    enum { INITIAL_TEAM, PARENT_TEAM };
    struct team *team = current_team;
    if (level && *level == PARENT_TEAM && team->parent)
        team = team->parent;
    while (level && *level == INITIAL_TEAM && team->parent)
        team = team->parent;
    return team;
}

int image_of_team(int index, void **team)
{
    const struct team *named = image_known_team("a team in brackets", team);
    const struct team *may_be = current_team;
    while (may_be && may_be != named)
        may_be = may_be->parent;
    return may_be ? team_image(named, index) : IMAGE_OF_OTHER_TEAM;
}

int image_of_team_number(int index, int number)
{
    const struct team *team = current_team;
    while (number == -1 && team->parent)
        team = team->parent;
    if (team->number == number || !team->parent)
        return team->number == number ? team_image(team, index) : image_unknown(index);
    for (int i = 1; i <= team->parent->images; i++)
        if (team->sibling_number[i] == number && team->sibling_index[i] == index)
            return team->parent->member[i];
    return image_unknown(index);
}

enum dm_status image_check(int image)
{
    bool failed = false;
    TRY(caf_has_failed(image, &failed));
    return failed
               ? error_lost(CAF_FAILED_IMAGE, "an image in brackets", current_team->index_of[image])
               : DM_OK;
}

/* For programs that also call MPI: a duplicate that is theirs. Failed images are in it. */
int _gfortran_caf_get_communicator(void **team)
{
    struct team *of = image_known_team("GET_COMMUNICATOR", team);
    MPI_Comm ranks = of->all;
    if (ranks == MPI_COMM_NULL)
        status_report(team_communicator(of, &ranks), NULL, NULL, 0);
    return (int)MPI_Comm_c2f(ranks);
}
