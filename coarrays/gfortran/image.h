/* image.h: images as programs name them, by their index in the current team, and as the library
 * does, by their number in the initial team. The compiler writes 0 for this image where a program
 * has no brackets. */
#ifndef COARRAYS_GFORTRAN_IMAGE_H
#define COARRAYS_GFORTRAN_IMAGE_H

#include "coarrays/caf/team.h"

#include "status.h"

static inline int image_number(int index)
{
    return team_image(current_team, index);
}

static inline int image_or_this(int index)
{
    return index == 0 ? caf_this_image() : image_number(index);
}

/* DM_LOST if it has failed: its memory is there still, but nobody changes it any more. */
enum dm_status image_check(int image);

static inline void image_report(enum dm_status status, int image, int *stat)
{
    status_report(stat && status == DM_OK ? image_check(image) : status, stat, NULL, 0);
}

/* Of x[index, team=team]; NULL: of the current team. */
int image_of_team(int index, void **team);

/* Of x[index, team_number=number]: a team formed with the current one, or -1, the initial team. */
int image_of_team_number(int index, int number);

/* Of both; NULL: of neither. */
static inline int image_meant(int index, void **team, const int *team_number)
{
    if (team)
        return image_of_team(index, team);
    return team_number ? image_of_team_number(index, *team_number) : image_number(index);
}

/* The team that a variable of a program holds, or that is given itself; NULL: the current one. An
 * error stop that names the statement if it is none. */
struct team *image_known_team(const char *statement, void *team);

#endif
