/* team.h: teams of images (Fortran 2018, 11.1.5, 11.6.9).
 *
 *     team_form(2, 0, &team)   collective over the current team: who gives the same number is in it
 *     team_enter(team)         sync of its images; now it is the current one
 *     team_leave()             frees what was allocated in it, sync, back to the parent
 *
 * Images have numbers in the initial team, by which this library names them everywhere, and an
 * index in each team, by which programs name them. A team is the same object on an image whenever
 * the same images form it again under the same number and parent, so a loop may form teams for
 * ever.
 *
 * On one node, images of a team meet at a counter of their own in the shared control part. What one
 * tells the others lies beside it; so agreement needs no MPI and survives an image that fails. With
 * several nodes it is done by messages (team_far.h), or with MPI as the conduit by MPI's collective
 * calls. */
#ifndef COARRAYS_CAF_TEAM_H
#define COARRAYS_CAF_TEAM_H

#include <mpi.h>

#include "collective_scratch.h"
#include "collective_short.h"
#include "control.h"

struct owned_segment;
struct meeting;

struct team {
    struct team *parent; /* NULL: the initial team */
    struct team *next;   /* in the list of all that this image knows */
    int number;          /* -1: the initial team */
    int index, images;
    int *member;   /* member[index]: the image's number */
    int *index_of; /* index_of[image]; 0: not in the team */
    /* Of the parent's images when the team was formed: the number of each one's team, its index in
     * it. NULL for the initial team. */
    int *sibling_number, *sibling_index;
    int *slot_number; /* slot_number[index]: of the slot that the image has for the team */
    /* slot[index], arrived[index]: of images of this node, else NULL */
    struct slot **slot;
    _Atomic uint64_t **arrived;
    bool *came; /* came[index]: to the last meeting */
    uint64_t told;
    int known_failures;
    int lost;                /* the image that the last DM_LOST named; 0: none */
    struct meeting *meeting; /* where its images are on several nodes, and not MPI's: team_far.h */
    uint64_t collectives;    /* begun by this image, of those that go by parts */
    struct shorts shorts;
    MPI_Comm all, on_node; /* where runtime.by_mpi: ranks index - 1, and those of this node */
    struct owned_segment *segments;
    struct scratch scratch;
};

/* The team of each image at present; the initial one until team_enter. */
extern struct team *current_team;

/* The initial team: first without what images share, which is added when control parts exist. */
enum dm_status team_start(void);
enum dm_status team_share(void);
void team_end(void);

/* new_index 0: in the order of the parent's indices. The images that have failed are in no team.
 * DM_INVALID if the number is not positive or the new indices are no permutation. */
enum dm_status team_form(int number, int new_index, struct team **team);
enum dm_status team_enter(struct team *team);
enum dm_status team_leave(void);

/* Sync of the current team, or of another one of which this image is a member. */
enum dm_status team_sync(struct team *team);

/* Whether it is one of this image's teams, and not any pointer. */
bool team_is_known(const void *team);
struct team *team_newest(void); /* then ->next */

/* The one for which this image has that slot; NULL: it has not formed it yet. */
struct team *team_of_slot(int number);

/* All images of the current team come; what each tells is then told(index), or NULL if it has
 * failed. The record is valid until the call after the next. Where not runtime.by_mpi. */
enum { TOLD_BYTES = 448 };
/* DM_LOST if not all have come, by then known to have stopped or failed. Where not runtime.by_mpi.
 */
enum dm_status team_meet(const char *statement);

enum dm_status team_tell(const void *record, size_t bytes);
const void *team_told(int index);

/* The image with that index. Where there is none, what error_no_image makes a sentence of. */
static inline int team_image(const struct team *team, int index)
{
    if (__builtin_expect((unsigned)index - 1u < (unsigned)team->images, 1))
        return team->member[index];
    return image_unknown(index);
}

/* A communicator of its images, for programs that call MPI, where the library needs none. */
enum dm_status team_communicator(struct team *team, MPI_Comm *ranks);

/* A new team of these images. */
struct team_plan {
    int number, images;
    int *member;
    int *sibling_number, *sibling_index;
    const int *slot; /* slot[index] */
};
enum dm_status team_create(const struct team_plan *plan, struct team **team);

#endif
