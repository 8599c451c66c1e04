/* driver_image.c: images of kernel modules, which are shared objects of this machine (ELF, 64
 * bits).
 *
 * The dynamic linker loads a file once, however often it is asked. A module must have variables of
 * its own each time it is loaded, so each time its bytes are put into a new file in memory. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "soft_driver.h"

struct driver_image {
    int file; /* stays open: the dynamic linker knows loaded files by name, which is its number */
    void *handle; /* of dlopen */
    const struct module_kernels *kernels;
};

/* ---- is it a shared object, and how long? ---- */

static bool has_header(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_type == ET_DYN &&
           header->e_phentsize == sizeof(Elf64_Phdr);
}

/* A PTX text is what a GPU's driver would compile. */
static CUresult refusal(const char *bytes, size_t count)
{
    static const char word[] = ".version";

    bool found = memmem(bytes, count, word, sizeof word - 1) != NULL;
    return found ? CUDA_ERROR_JIT_COMPILER_NOT_FOUND : CUDA_ERROR_INVALID_IMAGE;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Where the last segment or section table ends; 0 if no size can be that. */
static uint64_t end_of_image(const char *bytes, const Elf64_Ehdr *header)
{
    uint64_t sections = (uint64_t)header->e_shnum * header->e_shentsize, end;

    if (__builtin_add_overflow(header->e_shoff, sections, &end))
        return 0;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        uint64_t segment_end;
        memcpy(&segment, bytes + header->e_phoff + i * sizeof segment, sizeof segment);
        if (__builtin_add_overflow(segment.p_offset, segment.p_filesz, &segment_end))
            return 0;
        end = larger(end, segment_end);
    }
    return end;
}

/* A file that was cut short would end the process when it is loaded. */
static CUresult check_file(const char *bytes, size_t count)
{
    Elf64_Ehdr header;

    if (count < sizeof header)
        return refusal(bytes, count);
    memcpy(&header, bytes, sizeof header);
    if (!has_header(&header))
        return refusal(bytes, count);
    if (header.e_phoff > count || (count - header.e_phoff) / sizeof(Elf64_Phdr) < header.e_phnum)
        return CUDA_ERROR_INVALID_IMAGE;
    uint64_t end = end_of_image(bytes, &header);
    return end == 0 || end > count ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}

/* ---- loading ---- */

static bool write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return true;
}

/* False with the error. */
static bool load_copy(struct driver_image *image, const char *bytes, size_t count, CUresult *error)
{
    char path[64];

    *error = CUDA_ERROR_OPERATING_SYSTEM;
    if (!write_all(image->file, bytes, count))
        return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", image->file);
    image->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *error = CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
    if (!image->handle) {
        fprintf(stderr, "soft GPU: a module cannot be loaded: %s\n", dlerror());
        return false;
    }
    image->kernels = dlsym(image->handle, "soft_module_kernels");
    *error = CUDA_ERROR_INVALID_IMAGE;
    return image->kernels && image->kernels->version == MODULE_KERNELS_VERSION;
}

void driver_image_unload(struct driver_image *image)
{
    if (image->handle)
        dlclose(image->handle);
    if (image->file >= 0)
        close(image->file);
    free(image);
}

static struct driver_image *load(const char *bytes, size_t count, CUresult *error)
{
    struct driver_image *image = calloc(1, sizeof *image);

    *error = CUDA_ERROR_OUT_OF_MEMORY;
    if (!image)
        return NULL;
    image->file = memfd_create("soft-gpu-module", MFD_CLOEXEC);
    if (image->file >= 0 && load_copy(image, bytes, count, error))
        return image;
    driver_image_unload(image);
    return NULL;
}

/* What is not ELF is taken for a text, which ends with a 0. */
struct driver_image *driver_image_from_memory(const void *bytes, CUresult *error)
{
    Elf64_Ehdr header;

    if (strncmp(bytes, ELFMAG, SELFMAG) != 0) {
        *error = refusal(bytes, strlen(bytes));
        return NULL;
    }
    memcpy(&header, bytes, sizeof header);
    uint64_t end = has_header(&header) ? end_of_image(bytes, &header) : 0;
    *error = CUDA_ERROR_INVALID_IMAGE;
    return end > 0 ? load(bytes, end, error) : NULL;
}

struct driver_image *driver_image_from_file(const char *path, CUresult *error)
{
    struct stat status;
    struct driver_image *image = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    *error = CUDA_ERROR_FILE_NOT_FOUND;
    if (file < 0)
        return NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        size_t count = (size_t)status.st_size;
        char *bytes = count ? mmap(NULL, count, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
        *error = CUDA_ERROR_INVALID_IMAGE;
        if (bytes != MAP_FAILED) {
            *error = check_file(bytes, count);
            image = *error == CUDA_SUCCESS ? load(bytes, count, error) : NULL;
            munmap(bytes, count);
        }
    }
    close(file);
    return image;
}

const struct module_kernels *driver_image_kernels(const struct driver_image *image)
{
    return image->kernels;
}

/* The module's own variables only: the dynamic linker would look in other libraries, too. */
void *driver_image_variable(const struct driver_image *image, const char *name, size_t *bytes)
{
    Dl_info found, own;
    ElfW(Sym) *symbol = NULL;
    void *address = dlsym(image->handle, name);

    if (!address || !dladdr(image->kernels, &own) ||
        !dladdr1(address, &found, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
        found.dli_fbase != own.dli_fbase || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT)
        return NULL;
    *bytes = symbol->st_size;
    return address;
}
