/* promote_image.h: loads modules whose kernels know their place on the grid. */
#ifndef PROMOTE_IMAGE_H
#define PROMOTE_IMAGE_H

#include "modules.h"

/* Loads the image on the current device as it is. */
CUresult image_load(const struct image *image, CUmodule *handle);

/* Whether the image is in memory, and PTX. */
bool image_is_text(const struct image *image);

/* What is loaded on each device instead: an image that the caller gives back.
 * DM_UNAVAILABLE, DM_INVALID: it cannot be promoted; DM_NO_MEMORY. */
enum dm_status image_promote(const struct image *image, struct image *promoted);
void image_release(struct image *promoted);
/* Loads it on the current device. */
CUresult image_load_promoted(const struct image *promoted, CUmodule *handle);

#endif
