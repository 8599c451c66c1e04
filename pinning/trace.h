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
 * IDs are below TRACE_MOST_IDS and may be used again after the release. */
#ifndef PINNING_TRACE_H
#define PINNING_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TRACE_MOST_IDS = 1 << 24, TRACE_MOST_DEVICES = 16, TRACE_NAME_BYTES = 64 };

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

/* Appends; false if there is no memory. The event is not checked. */
bool trace_add(struct trace *trace, struct trace_event event);
void trace_free(struct trace *trace);

/* Reads a whole file. On false, `error` holds a sentence with file name and line, and the trace is
 * empty: unknown or malformed events, IDs that are live already or not live, and a last line
 * without its end are errors. */
bool trace_read(struct trace *trace, FILE *file, const char *file_name, char *error,
                size_t error_bytes);

/* Writes the file; `comment` (may be NULL) becomes its second line. False on an output error. */
bool trace_write(const struct trace *trace, FILE *file, const char *comment);

/* What the trace asks for. */
struct trace_summary {
    size_t requests, releases, accesses;
    size_t size_classes; /* different sizes */
    size_t peak_live_blocks, peak_live_elements;
};
/* False if there is no memory. */
bool trace_summarise(const struct trace *trace, struct trace_summary *summary);

#endif
