/* calls_16.c: what GNU Fortran 16 calls with other arguments than 12 to 15: teams by value, with
 * STAT=, ERRMSG= and NEW_INDEX=, this_image and num_images with a team (abi.h). */
#include "coarrays/caf/error.h"
#include "coarrays/caf/team.h"

#include "abi.h"
#include "allocate.h"
#include "component.h"
#include "image.h"
#include "status.h"

/* After a failure those that run have done the statement; without STAT= the program goes on. */
static void report(enum dm_status status, int *stat, char *errmsg, size_t errmsg_length)
{
    if (!stat && is_failed_image(status))
        status = DM_OK;
    status_report(status, stat, errmsg, errmsg_length);
}

int __wrap__gfortran_caf_this_image(void *team)
{
    return image_known_team("THIS_IMAGE", team)->index;
}

/* Images of the teams that were formed with the current one; -1: the initial team. */
static int images_of_number(int number)
{
    const struct team *team = current_team;
    int count = 0;
    while (number == -1 && team->parent)
        team = team->parent;
    if (team->number == number)
        return team->images;
    for (int i = 1; team->parent && i <= team->parent->images; i++)
        count += team->sibling_number[i] == number;
    if (count == 0)
        status_fatal("NUM_IMAGES: there is no team %d beside the current one", number);
    return count;
}

int __wrap__gfortran_caf_num_images(void *team, int *team_number)
{
    if (team_number)
        return images_of_number(*team_number);
    return image_known_team("NUM_IMAGES", team)->images;
}

void __wrap__gfortran_caf_form_team(int number, void **team, int *new_index, int *stat,
                                    char *errmsg, size_t errmsg_length)
{
    struct team *formed = NULL;
    int index = new_index ? *new_index : 0;
    /* 0 would be none. */
    if (new_index && index == 0)
        index = -1;
    /* All images are here together for the last time. */
    component_prepare();
    enum dm_status status = team_form(number, index, &formed);
    if (formed)
        *team = formed;
    report(status, stat, errmsg, errmsg_length);
}

void __wrap__gfortran_caf_change_team(void *team, int *stat, char *errmsg, size_t errmsg_length)
{
    report(team_enter(image_known_team("CHANGE TEAM", team)), stat, errmsg, errmsg_length);
}

void __wrap__gfortran_caf_end_team(int *stat, char *errmsg, size_t errmsg_length)
{
    coarray_forget_team(current_team);
    report(team_leave(), stat, errmsg, errmsg_length);
}

void __wrap__gfortran_caf_sync_team(void *team, int *stat, char *errmsg, size_t errmsg_length)
{
    report(team_sync(image_known_team("SYNC TEAM", team)), stat, errmsg, errmsg_length);
}
