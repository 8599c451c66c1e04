/* Traces: the strict reader, writing and reading back, the synthetic block programs. */
#include <stdlib.h>
#include <string.h>

#include "pinning/block_programs.h"
#include "tests/unit/test_status.h"

static enum dm_status read_text(const char *text, size_t bytes, struct trace *trace)
{
    FILE *file = bytes ? fmemopen((void *)text, bytes, "r") : fopen("/dev/null", "r");
    enum dm_status status = trace_read(trace, file, "test");
    fclose(file);
    return status;
}

static void a_good_file_is_read(void)
{
    static const char text[] =
        "# a comment\ntrace 1 small_1 42\n# another\na 0 10\na 5 1099511627776\n"
        "w 0 0\nr 0 1\nu 5 15\nf 0\na 0 3\n";
    struct trace trace;
    struct trace_summary summary;
    expect_ok(read_text(text, sizeof text - 1, &trace));
    expect(strcmp(trace.name, "small_1") == 0 && trace.seed == 42 && trace.count == 7);
    expect(trace.ids == 6 && trace.events[1].elements == (uint64_t)1 << 40);
    expect(trace.events[4].kind == TRACE_UPDATE && trace.events[4].device == 15);
    expect_ok(trace_summarise(&trace, &summary));
    expect(summary.requests == 3 && summary.releases == 1 && summary.accesses == 3);
    expect(summary.size_classes == 3 && summary.peak_live_blocks == 2);
    expect(summary.peak_live_elements == ((size_t)1 << 40) + 10);
    trace_free(&trace);
}

static void bad_files_are_refused_with_the_line(void)
{
#define HEAD "trace 1 x 1\n"
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "test:1: the file holds no trace"},
        {"# only a comment\n", "test:2: the file holds no trace"},
        {"a 0 1\n", "test:1: a trace begins"},
        {"trace 1 x\n", "test:1: a trace begins"},
        {"trace 2 x 1\n", "test:1: format version 2"},
        {"trace 1 a-b 1\n", "test:1: a name has"},
        {"trace 1 x -1\n", "test:1: the seed"},
        {"trace 1 x 18446744073709551616\n", "test:1: the seed"},
        {HEAD "\n", "test:2: one to four words"},
        {HEAD "a  0 1\n", "test:2: one to four words"},
        {HEAD "a 0 1 \n", "test:2: one to four words"},
        {HEAD "a 0 1 2 3\n", "test:2: one to four words"},
        {HEAD "a 0 1\r\n", "test:2: 1\r is not a number"},
        {HEAD "a 0 1 2\n", "test:2: a has two numbers: ID ELEMENTS"},
        {HEAD "a 0\n", "test:2: a has two numbers"},
        {HEAD "f\n", "test:2: f has one number"},
        {HEAD "a 0 1\nf 0 0\n", "test:3: f has one number"},
        {HEAD "a 0 1\nr 0\n", "test:3: r has two numbers: ID DEVICE"},
        {HEAD "x 0 1\n", "test:2: unknown event x"},
        {HEAD "aa 0 1\n", "test:2: unknown event aa"},
        {HEAD "a 0 0\n", "test:2: 0 is not a number of elements"},
        {HEAD "a 0 -1\n", "test:2: -1 is not a number of elements"},
        {HEAD "a 0 1099511627777\n", "test:2: 1099511627777 is not a number of elements"},
        {HEAD "a 0 99999999999999999999999\n", "is not a number of elements"},
        {HEAD "a 16777216 1\n", "test:2: 16777216 is not an ID"},
        {HEAD "a x 1\n", "test:2: x is not an ID"},
        {HEAD "f 0\n", "test:2: block 0 is not allocated"},
        {HEAD "r 0 0\n", "test:2: block 0 is not allocated"},
        {HEAD "a 0 1\n\na 0 1\n", "test:3: one to four words"},
        {HEAD "a 0 1\na 0 1\n", "test:3: block 0 is allocated already"},
        {HEAD "a 0 1\nf 0\nw 0 0\n", "test:4: block 0 is not allocated"},
        {HEAD "a 0 1\nr 0 16\n", "test:3: 16 is not a device"},
        {HEAD "a 0 1", "test:2: the last line has no end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace trace;
        expect_error(read_text(cases[i].text, strlen(cases[i].text), &trace), DM_INVALID,
                     cases[i].error);
        expect(trace.events == NULL && trace.count == 0);
    }
}

static void odd_bytes_are_refused(void)
{
    static const char zero[] = HEAD "a 0\0 1\n";
    struct trace trace;
    char longest[600];
    expect_error(read_text(zero, sizeof zero - 1, &trace), DM_INVALID, "test:2: there is a zero");
    memset(longest, '1', sizeof longest);
    expect_error(read_text(longest, sizeof longest, &trace), DM_INVALID, "longer than");
    unsigned char noise[512];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)(i * 167 + 13);
    expect(read_text((char *)noise, sizeof noise, &trace) == DM_INVALID);
}

/* A good file with one byte changed or cut off is read or refused, never more than that. */
static void damaged_files_do_no_harm(void)
{
    static const char text[] = HEAD "a 0 10\nw 0 0\nr 0 1\na 1 20\nf 0\nu 1 1\nf 1\n";
    char copy[sizeof text];
    struct trace trace;
    for (size_t at = 0; at < sizeof text - 1; at++) {
        for (int value = 0; value < 256; value += 5) {
            memcpy(copy, text, sizeof text);
            copy[at] = (char)value;
            if (read_text(copy, sizeof text - 1, &trace) == DM_OK)
                trace_free(&trace);
            else
                expect(*dm_message());
        }
        if (read_text(text, at, &trace) == DM_OK)
            trace_free(&trace);
    }
}

static bool same_events(const struct trace *a, const struct trace *b)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct trace_event *x = &a->events[i], *y = &b->events[i];
        if (x->kind != y->kind || x->id != y->id || x->device != y->device ||
            x->elements != y->elements)
            return false;
    }
    return a->count == b->count;
}

static void what_is_written_can_be_read(void)
{
    struct trace made, read;
    char *text;
    size_t bytes;
    const struct block_program *program = block_program_find("rccsd_rhf");
    expect(program != NULL);
    expect_ok(block_program_trace(program, 3, &made));
    FILE *file = open_memstream(&text, &bytes);
    expect_ok(trace_write(&made, file, "a comment"));
    fclose(file);
    expect_ok(read_text(text, bytes, &read));
    expect(read.ids == made.ids && read.seed == made.seed);
    expect(same_events(&made, &read));
    free(text);
    trace_free(&made);
    trace_free(&read);
}

static void block_programs_make_their_requests(void)
{
    static const size_t requests[] = {7975 + 214, 8028 + 229, 12859 + 1435, 14899 + 3012,
                                      15822 + 3696};
    size_t count = 0;
    for (const struct block_program *p = block_programs; p->name; p++, count++) {
        struct trace one, same, other;
        struct trace_summary summary;
        expect_ok(block_program_trace(p, 1, &one));
        expect_ok(block_program_trace(p, 1, &same));
        expect_ok(block_program_trace(p, 2, &other));
        expect_ok(trace_summarise(&one, &summary));
        expect(summary.requests == requests[count] && summary.releases == summary.requests);
        expect(same_events(&one, &same));
        expect(!same_events(&one, &other) ||
               strncmp(p->name, "rccsdpt", 7) == 0); /* these send nothing */
        trace_free(&one);
        trace_free(&same);
        trace_free(&other);
    }
    expect(count == 5 && block_program_find("nothing") == NULL);
}

static void the_random_trace_has_its_sizes(void)
{
    struct trace trace;
    struct trace_summary summary;
    expect_ok(random_trace(5000, 64, 9, &trace));
    expect_ok(trace_summarise(&trace, &summary));
    expect(summary.requests == 5000 && summary.releases == 5000 && summary.peak_live_blocks == 64);
    for (size_t i = 0; i < trace.count; i++)
        if (trace.events[i].kind == TRACE_ALLOCATE)
            expect(trace.events[i].elements >= 512 && trace.events[i].elements <= 8 << 20);
    trace_free(&trace);
}

int main(void)
{
    run_test(a_good_file_is_read);
    run_test(bad_files_are_refused_with_the_line);
    run_test(odd_bytes_are_refused);
    run_test(damaged_files_do_no_harm);
    run_test(what_is_written_can_be_read);
    run_test(block_programs_make_their_requests);
    run_test(the_random_trace_has_its_sizes);
    return end_tests();
}
