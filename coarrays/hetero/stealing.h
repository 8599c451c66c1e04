/* stealing.h: uneven work on images, left as it is, or balanced by images that finish early
 * (Fanfarillo 2016, 7.3.2.3 and 7.3.2.4).
 *
 * Each image owns a part: tasks with random data in a coarray. All tasks of an image cost the same,
 * those of another image more or less. No image is the boss: what is left of a part and how long
 * its tasks take are words in a coarray, which every image reads and changes.
 *
 *     stealing_create(&stealing, &problem);
 *     stealing_reset(stealing, 2);
 *     stealing_run(stealing, STEALING_PROCESS);
 *     stealing_check(stealing, &outcome);
 *     stealing_free(stealing);
 *
 * All functions are collective. Those that return a status fail with DM_NO_MEMORY, or as the
 * coarray call that failed; after that, the images no longer agree, and only stealing_free is left.
 */
#ifndef COARRAYS_HETERO_STEALING_H
#define COARRAYS_HETERO_STEALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

enum stealing_strategy {
    STEALING_NONE,    /* an image that has finished waits */
    STEALING_PROCESS, /* it takes tasks, with their data, from the slowest image */
    STEALING_THREAD,  /* it gives its threads to the slowest image and stops */
    STEALING_STRATEGIES
};

struct stealing_problem {
    int tasks;          /* of each image */
    size_t bytes;       /* of data per task, a multiple of 8 */
    int64_t operations; /* steps of arithmetic of a task, mean over the images */
    double skew;        /* steps of a task of the last image / of the first, >= 1 */
    uint64_t seed;
    bool check; /* compute what stealing_check needs */
};

/* Steps of each task of an image: they grow linearly from image 1 to the last. */
int64_t stealing_steps(const struct stealing_problem *problem, int image, int images);

struct stealing;
enum dm_status stealing_create(struct stealing **stealing, const struct stealing_problem *problem);
void stealing_free(struct stealing *stealing);

/* Makes all tasks undone; each image will start with that many OpenMP threads. */
enum dm_status stealing_reset(struct stealing *stealing, int threads);

/* Computes all tasks of all images; once after each reset. Threads are handed within a node only.
 * Returns when all images have finished. */
enum dm_status stealing_run(struct stealing *stealing, enum stealing_strategy strategy);

/* What the last run did. */
struct stealing_outcome {
    int64_t stolen;  /* tasks computed by another image than their owner, or threads handed */
    double lambda;   /* (most steps computed by an image / their mean over images - 1) * 100 */
    int threads_max; /* that computed a task together */
    long errors;     /* results that differ from a serial computation (if problem.check), plus
                        tasks that were not computed exactly once */
};
/* The same on all images. */
enum dm_status stealing_check(const struct stealing *stealing, struct stealing_outcome *outcome);

#endif
