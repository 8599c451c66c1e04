#include "build_ids.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* The build id as text in the notes of [at, end); false if there is none. */
static bool find_in_notes(const char *at, const char *end, char *text, size_t bytes)
{
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof *note;
        const char *id = name + (note->n_namesz + 3) / 4 * 4;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            2 * (size_t)note->n_descsz < bytes) {
            for (size_t i = 0; i < note->n_descsz; i++)
                snprintf(text + 2 * i, 3, "%02x", (unsigned char)id[i]);
            return true;
        }
        at = id + (note->n_descsz + 3) / 4 * 4;
    }
    return false;
}

static int write_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct json *json = context;
    char id[129];
    bool found = false;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum && !found; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const char *start = (const char *)object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_NOTE)
            found = find_in_notes(start, start + segment->p_memsz, id, sizeof id);
    }
    const char *slash = strrchr(object->dlpi_name, '/');
    json_open(json, NULL, '{');
    json_text(json, "name",
              *object->dlpi_name ? (slash ? slash + 1 : object->dlpi_name) : "program");
    json_text(json, "build_id", found ? id : NULL);
    json_close(json, '}');
    return 0;
}

void build_ids_write(struct json *json)
{
    json_open(json, "libraries", '[');
    dl_iterate_phdr(write_object, json);
    json_close(json, ']');
}
