/* module_check.c: whether a data base is of the module that the program loads. */
#include "module_check.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.h"

/* An image in memory says itself where it ends: a text by a 0, a file of the software GPU (ELF)
 * behind its table of sections. */
static size_t bytes_of(const char *image)
{
    Elf64_Ehdr header;
    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        return strlen(image);
    memcpy(&header, image, sizeof header);
    return header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
}

static enum dm_status check_open_file(const struct partition_database *database, const char *path,
                                      int file)
{
    struct stat about;
    void *bytes = MAP_FAILED;
    if (fstat(file, &about) == 0 && about.st_size > 0)
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return dm_fail(DM_INVALID, "%s cannot be read to see whether its data base is of it", path);
    enum dm_status status = partition_database_check(database, bytes, (size_t)about.st_size);
    munmap(bytes, (size_t)about.st_size);
    return status;
}

enum dm_status module_check(const struct partition_database *database, const struct image *image)
{
    if (!image->path)
        return partition_database_check(database, image->data, bytes_of(image->data));
    int file = open(image->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return dm_fail(DM_INVALID, "%s cannot be opened to see whether its data base is of it",
                       image->path);
    enum dm_status status = check_open_file(database, image->path, file);
    close(file);
    return status;
}
