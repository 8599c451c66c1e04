/* prefetch_run.c: a SIAL program on workers and a server, with a super instruction of its own.
 *
 * Build: mpicc -std=c11 prefetch_run.c $(pkg-config --cflags --libs datamotion-prefetch) -o squares
 * Run: mpirun -np 3 --oversubscribe ./squares
 * Prints: the sum of 64 squares is 89440; worker 0 requested * blocks ahead */
#include <datamotion/prefetch.h>

#include <stdio.h>
#include <string.h>

static const char text[] =
    "sial squares\n"
    "aoindex i = 1:64\ndistributed a[i]\ntemp t[i]\nscalar mine\nscalar all\n"
    "special number_block wr\n"
    "pardo i\n  execute number_block t[i] i\n  put a[i] = t[i]\nendpardo i\nsip_barrier\n"
    "pardo i\n  get a[i]\n  mine += a[i] * a[i]\nendpardo i\n"
    "collective all += mine\nendsial squares\n";

/* A block has one element here, which becomes its number. */
static enum dm_status number_block(struct prefetch_argument *arguments, int count,
                                   struct prefetch_context *context)
{
    (void)context;
    if (count != 2 || arguments[0].kind != PREFETCH_ARGUMENT_BLOCK)
        return dm_fail(DM_INVALID, "expected a block and its number");
    arguments[0].block.data[0] = arguments[1].number;
    return DM_OK;
}

static void check(enum dm_status status)
{
    if (status == DM_OK)
        return;
    fprintf(stderr, "%s\n", dm_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    const struct prefetch_instruction own = {"number_block", "wr", "numbers it", number_block};
    struct prefetch_config config = {.prefetch = 4};
    struct prefetch_program *program;
    struct prefetch_result result;
    double sum;
    MPI_Init(&argc, &argv);
    config.world = MPI_COMM_WORLD;
    config.segment[PREFETCH_INDEX_AO] = 1;
    check(prefetch_register(&own));
    check(prefetch_compile_text(&program, "squares", text, strlen(text), NULL, 0));
    check(prefetch_run(program, &config, &result));
    if (result.worker == 0) {
        check(prefetch_scalar(program, &result, "all", &sum));
        printf("the sum of 64 squares is %g; worker 0 requested %llu blocks ahead\n", sum,
               (unsigned long long)result.counters.prefetches);
    }
    prefetch_result_free(&result);
    prefetch_free(program);
    MPI_Finalize();
    return 0;
}
