/* trace.h: what a program does with its blocks, as a text file or in memory.
 *
 * The file, one event per line, words separated by single blanks:
 *
 *     trace 1 NAME SEED        first line that is no comment: format version, program, seed
 *     a ID ELEMENTS            allocate a block of that many doubles
 *     f ID                     release it
 *     r ID DEVICE              read it on that device: 0 the host, 1 the first GPU, ...
 *     u ID DEVICE              update it there
 *     w ID DEVICE              overwrite it there
 *     # ...                    a comment
 *
 * IDs are below TRACE_IDS_MAX and may be used again after the release. */
#ifndef PINNING_TRACE_H
#define PINNING_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <datamotion/status.h>

enum { TRACE_IDS_MAX = 1 << 24, TRACE_DEVICES_MAX = 16, TRACE_NAME_BYTES = 64 };

enum trace_kind { TRACE_ALLOCATE, TRACE_RELEASE, TRACE_READ, TRACE_UPDATE, TRACE_WRITE };

struct trace_event {
    uint8_t kind;   /* enum trace_kind */
    uint8_t device; /* of an access */
    uint32_t id;
    uint64_t elements; /* of an allocation */
};

struct trace {
    char name[TRACE_NAME_BYTES]; /* letters, digits, underscores */
    uint64_t seed;
    struct trace_event *events;
    size_t count, capacity;
    uint32_t ids; /* 1 + the largest ID */
};

/* Appends an event, which is not checked. DM_NO_MEMORY. */
enum dm_status trace_add(struct trace *trace, struct trace_event event);
void trace_free(struct trace *trace);

/* Reads a whole file. On error the trace is empty. DM_INVALID, with file name and line in the
 * sentence: unknown or malformed events, IDs that are live already or not live, a last line without
 * its end. DM_FAILED: the file cannot be read. DM_NO_MEMORY. */
enum dm_status trace_read(struct trace *trace, FILE *file, const char *file_name);

/* Writes the file; `comment` (may be NULL) becomes its second line. DM_FAILED: an output error. */
enum dm_status trace_write(const struct trace *trace, FILE *file, const char *comment);

/* What the trace asks for. */
struct trace_summary {
    size_t requests, releases, accesses;
    size_t size_classes; /* different sizes */
    size_t peak_live_blocks, peak_live_elements;
};
/* DM_NO_MEMORY. */
enum dm_status trace_summarise(const struct trace *trace, struct trace_summary *summary);

#endif
