/* random_memory.c: random calls on memory, streams and events. */
#include "late_driver.h"
#include "random_program.h"

struct range {
    CUdeviceptr address;
    size_t bytes;
};

/* Of a buffer; begin and end are multiples of `unit`. */
static struct range range_in(struct random_program *program, int buffer, size_t unit)
{
    size_t units = program->bytes[buffer] / unit;
    size_t begin = program_below(program, 2) ? program_below(program, units) : 0;
    size_t count =
        program_below(program, 2) ? program_below(program, units - begin) + 1 : units - begin;
    return (struct range){program->buffer[buffer] + begin * unit, count * unit};
}

static struct range any_range(struct random_program *program)
{
    size_t unit = program_below(program, 3) ? 4 : 1;
    return range_in(program, (int)program_below(program, BUFFERS), unit);
}

static unsigned char *arena_place(struct random_program *program, size_t bytes)
{
    return program->arena + program_below(program, ARENA_BYTES - bytes + 1);
}

static void from_host(struct random_program *program)
{
    struct range range = any_range(program);
    unsigned char *source = arena_place(program, range.bytes);
    CUstream stream = program->stream[program->current];
    switch (program_below(program, 3)) {
    case 0:
        CALL(cuMemcpyHtoD(range.address, source, range.bytes));
        break;
    case 1:
        CALL(cuMemcpyAsync(range.address, (CUdeviceptr)source, range.bytes, stream));
        break;
    default:
        CALL(cuMemcpyHtoDAsync(range.address, source, range.bytes, stream));
    }
}

static void to_host(struct random_program *program)
{
    struct range range = any_range(program);
    unsigned char *target = arena_place(program, range.bytes);
    CUstream stream = program->stream[program->current];
    switch (program_below(program, 3)) {
    case 0:
        CALL(cuMemcpyDtoH(target, range.address, range.bytes));
        break;
    case 1:
        CALL(cuMemcpyAsync((CUdeviceptr)target, range.address, range.bytes, stream));
        break;
    default:
        CALL(cuMemcpyDtoHAsync(target, range.address, range.bytes, stream));
    }
}

static void between(struct random_program *program)
{
    int from = (int)program_below(program, BUFFERS);
    int to = (from + 1 + (int)program_below(program, BUFFERS - 1)) % BUFFERS;
    struct range source = range_in(program, from, 1), target = range_in(program, to, 1);
    size_t bytes = source.bytes < target.bytes ? source.bytes : target.bytes;
    CUstream stream = program->stream[program->current];
    CUcontext context;
    CALL(cuCtxGetCurrent(&context));
    switch (program_below(program, 5)) {
    case 0:
        CALL(cuMemcpyDtoD(target.address, source.address, bytes));
        break;
    case 1:
        CALL(cuMemcpyAsync(target.address, source.address, bytes, stream));
        break;
    case 2:
        CALL(cuMemcpyPeerAsync(target.address, context, source.address, context, bytes, stream));
        break;
    default:
        CALL(cuMemcpyDtoDAsync(target.address, source.address, bytes, stream));
    }
}

static void fill(struct random_program *program)
{
    static const size_t sizes[] = {1, 2, 4};
    size_t size = sizes[program_below(program, 3)];
    struct range range = range_in(program, (int)program_below(program, BUFFERS), size);
    unsigned value = (unsigned)program_below(program, 0x3f) * 0x01010101u;
    CUstream stream = program->stream[program->current];
    size_t count = range.bytes / size;
    bool waits = program_below(program, 2);
    if (size == 1)
        CALL(waits ? cuMemsetD8(range.address, (unsigned char)value, count)
                   : cuMemsetD8Async(range.address, (unsigned char)value, count, stream));
    else if (size == 2)
        CALL(waits ? cuMemsetD16(range.address, (unsigned short)value, count)
                   : cuMemsetD16Async(range.address, (unsigned short)value, count, stream));
    else
        CALL(waits ? cuMemsetD32(range.address, value, count)
                   : cuMemsetD32Async(range.address, value, count, stream));
}

/* The same bytes again, maybe at the same address. What the new buffer holds is set at once.
 * Returns which one it is. */
static int allocate_again(struct random_program *program)
{
    int buffer = (int)program_below(program, BUFFERS);
    CALL(cuCtxSynchronize());
    CALL(cuMemFree(program->buffer[buffer]));
    CALL(cuMemAlloc(&program->buffer[buffer], program->bytes[buffer]));
    CALL(cuMemsetD8(program->buffer[buffer], (unsigned char)program_below(program, 0x3f),
                    program->bytes[buffer]));
    return buffer;
}

static void free_and_allocate(struct random_program *program)
{
    allocate_again(program);
}

/* What a launch wrote, with some bytes from the host in between, to the arena and from there at
 * once to a buffer that nothing has used before. */
static void through_arena(struct random_program *program)
{
    int to = allocate_again(program);
    program_launch(program);
    int from = program->written < 0 ? to : program->written;
    size_t bytes =
        program->bytes[from] < program->bytes[to] ? program->bytes[from] : program->bytes[to];
    struct range range = range_in(program, from, 1);
    CUstream stream = program->stream[program->current];
    unsigned char *page = arena_place(program, bytes);
    CALL(cuMemcpyHtoDAsync(range.address, arena_place(program, range.bytes), range.bytes, stream));
    CALL(cuMemcpyDtoHAsync(page, program->buffer[from], bytes, stream));
    CALL(cuMemcpyHtoDAsync(program->buffer[to], page, bytes, stream));
}

static void add_one(void *data)
{
    const struct host_task *task = data;
    for (size_t i = 0; i < task->count; i++)
        task->bytes[i]++;
}

/* What it writes is copied at once. */
static void call_host(struct random_program *program)
{
    struct host_task *task = &program->tasks[program->task_count++];
    task->count = 1 + program_below(program, 4000);
    task->bytes = arena_place(program, task->count);
    if (program_below(program, 2))
        CALL(cuCtxSynchronize());
    CALL(cuLaunchHostFunc(program->stream[program->current], add_one, task));
    int buffer = (int)program_below(program, BUFFERS);
    size_t bytes = task->count < program->bytes[buffer] ? task->count : program->bytes[buffer];
    CALL(cuMemcpyHtoDAsync(program->buffer[buffer], task->bytes, bytes,
                           program->stream[program->current]));
}

/* Then the host may touch the arena. */
static void wait(struct random_program *program)
{
    CUstream stream = program->stream[program->current];
    switch (program_below(program, 3)) {
    case 0:
        CALL(cuCtxSynchronize());
        break;
    case 1:
        CALL(cuStreamSynchronize(stream));
        break;
    default:
        CALL(cuEventRecord(program->event, stream));
        late_driver_reach(program->event);
        CALL(cuEventSynchronize(program->event));
    }
    add_one(&(struct host_task){arena_place(program, 100), 100});
}

static void change_stream(struct random_program *program)
{
    CALL(cuEventRecord(program->event, program->stream[program->current]));
    program->current = !program->current;
    CALL(cuStreamWaitEvent(program->stream[program->current], program->event, 0));
}

static void set_coefficients(struct random_program *program)
{
    size_t begin = 4 * program_below(program, 25), bytes = 100 - begin;
    unsigned char *source = arena_place(program, bytes);
    CALL(cuMemcpyHtoDAsync(program->coefficients + begin, source, bytes,
                           program->stream[program->current]));
}

void program_memory_call(struct random_program *program)
{
    static void (*const calls[])(struct random_program *) = {
        from_host,     from_host,         to_host,           to_host,      between,
        fill,          program_copy_rows, free_and_allocate, call_host,    wait,
        change_stream, set_coefficients,  program_fill_rows, through_arena};
    calls[program_below(program, sizeof calls / sizeof *calls)](program);
}
