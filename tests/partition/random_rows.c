/* random_rows.c: random copies and fills of rows. */
#include "random_program.h"

struct rows {
    size_t width, height, pitch;
};

/* Rows that fit into that many bytes, with this width and height at most. */
static void choose_pitch(struct random_program *program, struct rows *rows, size_t bytes)
{
    size_t most = rows->height > 1 ? (bytes - rows->width) / (rows->height - 1) : bytes;
    rows->pitch = rows->width + program_below(program, most - rows->width + 1);
    rows->pitch -= rows->pitch > rows->width + 3 ? rows->pitch % 4 : 0;
    if (rows->pitch < rows->width)
        rows->pitch = rows->width;
}

static struct rows choose_rows(struct random_program *program, size_t bytes)
{
    struct rows rows = {.height = 1 + program_below(program, bytes < 12 ? bytes : 12)};
    rows.width = 1 + program_below(program, bytes / rows.height);
    return rows;
}

void program_copy_rows(struct random_program *program)
{
    int from = (int)program_below(program, BUFFERS + 1), to = (int)program_below(program, BUFFERS);
    bool to_arena = program_below(program, 3) == 0 && from < BUFFERS;
    if (from == to)
        to = (to + 1) % BUFFERS;
    size_t source_bytes = from < BUFFERS ? program->bytes[from] : ARENA_BYTES;
    size_t target_bytes = to_arena ? ARENA_BYTES : program->bytes[to];
    struct rows source =
        choose_rows(program, source_bytes < target_bytes ? source_bytes : target_bytes);
    struct rows target = source;
    choose_pitch(program, &source, source_bytes);
    choose_pitch(program, &target, target_bytes);
    CUDA_MEMCPY2D copy = {.srcMemoryType =
                              from < BUFFERS ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
                          .srcDevice = from < BUFFERS ? program->buffer[from] : 0,
                          .srcHost = program->arena,
                          .srcPitch = source.pitch,
                          .dstMemoryType = to_arena ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
                          .dstDevice = program->buffer[to],
                          .dstHost = program->arena,
                          .dstPitch = target.pitch,
                          .WidthInBytes = source.width,
                          .Height = source.height};
    switch (program_below(program, 3)) {
    case 0:
        CALL(cuMemcpy2D(&copy));
        break;
    case 1:
        CALL(cuMemcpy2DUnaligned(&copy));
        break;
    default:
        CALL(cuMemcpy2DAsync(&copy, program->stream[program->current]));
    }
}

void program_fill_rows(struct random_program *program)
{
    int buffer = (int)program_below(program, BUFFERS);
    struct rows rows = choose_rows(program, program->bytes[buffer]);
    choose_pitch(program, &rows, program->bytes[buffer]);
    CUdeviceptr to = program->buffer[buffer];
    unsigned char value = (unsigned char)program_below(program, 0x3f);
    CUstream stream = program->stream[program->current];
    bool waits = program_below(program, 2);
    if (rows.width % 2 == 0 && rows.pitch % 2 == 0)
        CALL(waits
                 ? cuMemsetD2D16(to, rows.pitch, value, rows.width / 2, rows.height)
                 : cuMemsetD2D16Async(to, rows.pitch, value, rows.width / 2, rows.height, stream));
    else
        CALL(waits ? cuMemsetD2D8(to, rows.pitch, value, rows.width, rows.height)
                   : cuMemsetD2D8Async(to, rows.pitch, value, rows.width, rows.height, stream));
}
