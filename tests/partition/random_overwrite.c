/* random_overwrite.c: writes to a buffer that other devices may still have to read. */
#include "random_program.h"

void program_overwrite(struct random_program *program)
{
    if (program_below(program, 2))
        program_scale_in_place(program, (int)program_below(program, BUFFERS));
    if (program_below(program, 2))
        CALL(cuCtxSynchronize());
    program_launch(program);
    int read = program->read, written = program->written;
    CUstream stream = program->stream[program->current];
    if (read < 0 || written < 0 || read == written)
        return;
    CUdeviceptr to = program->buffer[read];
    size_t bytes = program->bytes[read];
    CUDA_MEMCPY2D rows = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = program->places,
                          .srcPitch = 8,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = to,
                          .dstPitch = 8,
                          .WidthInBytes = 7,
                          .Height = bytes < 4000 ? bytes / 8 : 500};
    CALL(cuMemsetD8Async(program->buffer[written], (unsigned char)program_below(program, 0x3f),
                         program->bytes[written], stream));
    switch (program_below(program, 6)) {
    case 0:
        CALL(cuMemcpyHtoDAsync(to, program->arena, bytes, stream));
        break;
    case 1:
        CALL(cuMemsetD8Async(to, 7, bytes, stream));
        break;
    case 2:
        CALL(cuMemcpyDtoDAsync(to, program->places, bytes < 4000 ? bytes : 4000, stream));
        break;
    case 3:
        CALL(cuMemcpy2DAsync(&rows, stream));
        break;
    case 4:
        program_scale_in_place(program, read);
        break;
    default:
        CALL(cuMemcpyHtoDAsync(to, program->arena, bytes < 200 ? bytes : 200, stream));
    }
    program->read = read;
    program->again = true;
    program_launch(program);
    program->again = false;
}
