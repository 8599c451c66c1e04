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

#endif
