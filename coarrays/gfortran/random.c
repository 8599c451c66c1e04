/* random.c: RANDOM_INIT. libgfortran's own gives all images the same seed when it is repeatable,
 * also with IMAGE_DISTINCT=.TRUE.; then each image changes its seed by its number here. When it is
 * not repeatable, each has one of its own, also with IMAGE_DISTINCT=.FALSE.; then all make the seed
 * of what they have in common. */
#include "random.h"

#include <stdint.h>
#include <time.h>
#include <mpi.h>

#include "abi.h"
#include "status.h"

/* libgfortran's RANDOM_INIT and RANDOM_SEED. A C program that uses this library has none. */
void _gfortran_random_init(int repeatable, int image_distinct, int hidden) __attribute__((weak));
void _gfortran_random_seed_i4(int *size, struct descriptor *put, struct descriptor *get)
    __attribute__((weak));

enum { SEED_MAX = 256 };

/* One step of SplitMix64: neighbouring numbers become unlike. */
static uint32_t scramble(uint64_t number)
{
    number *= 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return (uint32_t)(number >> 32);
}

/* Of all images, from the start of the run on. */
static uint64_t common_secret;

void random_start(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    common_secret = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    MPI_Bcast(&common_secret, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

/* Changes the seed by a key, or makes it of the key alone. */
static void mix_seed(uint64_t key, bool alone)
{
    int size = 0, seed[SEED_MAX];
    _gfortran_random_seed_i4(&size, NULL, NULL);
    if (size < 1 || size > SEED_MAX)
        status_fatal("RANDOM_INIT: a seed of %d numbers is not supported", size);
    union {
        struct descriptor descriptor;
        char room[sizeof(struct descriptor) + sizeof(struct dimension)];
    } array = {
        .descriptor = {.base = seed,
                       .type = {.element_bytes = sizeof(int), .rank = 1, .type = TYPE_INTEGER},
                       .span = sizeof(int)}};
    array.descriptor.dimension[0] = (struct dimension){.stride = 1, .lower = 1, .upper = size};
    _gfortran_random_seed_i4(NULL, NULL, &array.descriptor);
    for (int i = 0; i < size; i++)
        seed[i] = (alone ? 0 : seed[i]) ^ (int)scramble(key + (uint64_t)i);
    _gfortran_random_seed_i4(NULL, &array.descriptor, NULL);
}

/* libgfortran's own ends the program on other images than 1 unless it is repeatable: so each image
 * says that it is 1, and what depends on the image is done here. */
void _gfortran_caf_random_init(bool repeatable, bool image_distinct)
{
    static uint64_t calls;
    if (!_gfortran_random_init || !_gfortran_random_seed_i4)
        status_fatal("RANDOM_INIT: the GNU Fortran library is not there");
    _gfortran_random_init(repeatable, image_distinct, 1);
    if (repeatable && image_distinct)
        mix_seed((uint64_t)caf_this_image() << 32, false);
    else if (!repeatable && !image_distinct)
        mix_seed(common_secret + (++calls << 32), true);
}
