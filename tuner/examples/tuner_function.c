/* tuner_function.c: the best tile of a matrix transposition: two integer parameters of a C
 * function.
 *
 * Build: cc -std=c11 -O2 tuner_function.c $(pkg-config --cflags --libs datamotion-tuner) -o tuner
 * Run: ./tuner
 * Prints: 40 of 638 tiles tried, best x=* y=*: * us */
#include <datamotion/tuner.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { N = 512 };
float from[N][N], to[N][N];

static void transpose(long tile_x, long tile_y)
{
    for (long y = 0; y < N; y += tile_y)
        for (long x = 0; x < N; x += tile_x)
            for (long i = y; i < y + tile_y && i < N; i++)
                for (long j = x; j < x + tile_x && j < N; j++)
                    to[j][i] = from[i][j];
}

/* How good a configuration is: here its time, but any number that shall be small will do. */
static enum dm_status measure(void *space, size_t configuration, struct tuner_trial *trial)
{
    struct timespec begin, end;
    timespec_get(&begin, TIME_UTC);
    transpose(tuner_space_value(space, configuration, 0),
              tuner_space_value(space, configuration, 1));
    timespec_get(&end, TIME_UTC);
    trial->time_s = difftime(end.tv_sec, begin.tv_sec) + 1e-9 * (end.tv_nsec - begin.tv_nsec);
    return DM_OK;
}

int main(void)
{
    const char *text = "integer x 4 512 4\n"
                       "power2  y 1 512\n"
                       "require x * y <= 4096\n";
    struct tuner_search_options options = {
        .trials_max = 40, .model = tuner_model_kind_of("forest"), .samples = 5, .seed = 1};
    struct tuner_space *space;
    struct tuner_search *search = NULL;
    char best[64];

    enum dm_status status = tuner_space_read(&space, text, strlen(text), "tiles");
    options.space = space;
    options.objective = (struct tuner_objective){measure, space};
    if (status == DM_OK)
        status = tuner_search_open(&search, &options);
    if (status == DM_OK)
        status = tuner_search_run(search, tuner_strategy_of("guided"));
    if (status != DM_OK) {
        fprintf(stderr, "%s\n", dm_message());
        return 1;
    }
    const struct tuner_progress *progress = tuner_search_progress(search);
    tuner_space_describe(space, progress->best, best, sizeof best);
    printf("%zu of %zu tiles tried, best %s: %.0f us\n", progress->trials, tuner_space_size(space),
           best, 1e6 * progress->best_trial.time_s);
    tuner_search_close(search);
    tuner_space_free(space);
    return 0;
}
