/* image.h: the compiler writes 0 for this image where a program has no brackets. */
#ifndef COARRAYS_GFORTRAN_IMAGE_H
#define COARRAYS_GFORTRAN_IMAGE_H

#include <datamotion/coarrays.h>

static inline int image_or_this(int image)
{
    return image == 0 ? caf_this_image() : image;
}

#endif
