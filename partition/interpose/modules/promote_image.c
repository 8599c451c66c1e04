/* promote_image.c: loads modules whose kernels know their place on the grid. */
#include "promote_image.h"

#ifndef SOFTGPU
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>
#endif

CUresult image_load(const struct image *image, CUmodule *handle)
{
    if (image->path)
        return real.cuModuleLoad(handle, image->path);
    return image->options ? real.cuModuleLoadDataEx(handle, image->data, image->option_count,
                                                    image->options, image->option_values)
                          : real.cuModuleLoadData(handle, image->data);
}

#ifdef SOFTGPU

bool image_is_text(const struct image *image)
{
    (void)image;
    return false;
}

/* The software GPU promotes a loaded module. */
enum dm_status image_promote(const struct image *image, struct image *promoted)
{
    *promoted = *image;
    return DM_OK;
}

void image_release(struct image *promoted)
{
    *promoted = (struct image){0};
}

CUresult image_load_promoted(const struct image *promoted, CUmodule *handle)
{
    CUresult result = image_load(promoted, handle);
    if (result != CUDA_SUCCESS)
        return result;
    result = real.softModulePromote(*handle);
    if (result != CUDA_SUCCESS)
        real.cuModuleUnload(*handle);
    return result;
}

#else

/* The file's bytes with a 0 behind. NULL: cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    long bytes = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    if (bytes >= 0 && !fseek(file, 0, SEEK_SET))
        text = malloc((size_t)bytes + 1);
    if (text && fread(text, 1, (size_t)bytes, file) == (size_t)bytes) {
        text[bytes] = 0;
    } else {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* Binary images begin with bytes that no text has: ELF (cubin) and NVIDIA's fat binaries. */
static bool is_ptx(const char *image)
{
    static const unsigned char fat_wrapper[4] = {0xb1, 0x43, 0x62, 0x46};
    static const unsigned char fat_binary[4] = {0x50, 0xed, 0x55, 0xba};
    return memcmp(image, "\177ELF", 4) && memcmp(image, fat_wrapper, 4) &&
           memcmp(image, fat_binary, 4);
}

bool image_is_text(const struct image *image)
{
    return !image->path && strnlen(image->data, 4) == 4 && is_ptx(image->data);
}

static enum dm_status promote_text(const char *text, char **ptx)
{
    size_t kernels;
    if (!text)
        return dm_fail(DM_UNAVAILABLE, "its module cannot be read");
    if (strnlen(text, 4) < 4 || !is_ptx(text))
        return dm_fail(DM_UNAVAILABLE, "its module is not PTX text");
    return partition_promote_ptx(text, ptx, &kernels);
}

enum dm_status image_promote(const struct image *image, struct image *promoted)
{
    char *file = image->path ? read_file(image->path) : NULL;
    char *ptx = NULL;
    enum dm_status status = promote_text(image->path ? file : image->data, &ptx);
    free(file);
    *promoted = *image;
    promoted->path = NULL;
    promoted->data = ptx;
    return status;
}

void image_release(struct image *promoted)
{
    free((void *)promoted->data);
    *promoted = (struct image){0};
}

CUresult image_load_promoted(const struct image *promoted, CUmodule *handle)
{
    return image_load(promoted, handle);
}

#endif
