#include "team.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "segments.h"
#include "sync.h"
#include "team_far.h"
#include "wait.h"

struct team *current_team;

static struct team *teams; /* all, the newest first */

bool team_is_known(const void *team)
{
    for (const struct team *known = teams; known; known = known->next)
        if (known == team)
            return true;
    return false;
}

struct team *team_newest(void)
{
    return teams;
}

struct team *team_of_slot(int number)
{
    for (struct team *team = teams; team; team = team->next)
        if (team->slot_number[team->index] == number)
            return team;
    return NULL;
}

/* ---- objects ---- */

static void destroy(struct team *team)
{
    free(team->member);
    free(team->index_of);
    free(team->sibling_number);
    free(team->sibling_index);
    free(team->slot_number);
    free(team->slot);
    free(team->arrived);
    free(team->came);
    free(team->shorts.done);
    meeting_destroy(team->meeting);
    free(team);
}

static struct team *create(int images)
{
    size_t count = (size_t)images + 1;
    struct team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->images = images;
    team->all = team->on_node = MPI_COMM_NULL;
    team->member = calloc(count, sizeof *team->member);
    team->index_of = calloc((size_t)runtime.images + 1, sizeof *team->index_of);
    team->slot_number = calloc(count, sizeof *team->slot_number);
    team->arrived = calloc(count, sizeof *team->arrived);
    team->came = calloc(count, sizeof *team->came);
    team->shorts.done = calloc(count, sizeof *team->shorts.done);
    if (team->member && team->index_of && team->slot_number && team->arrived && team->came &&
        team->shorts.done)
        return team;
    destroy(team);
    return NULL;
}

static enum dm_status set_members(struct team *team, const int *member, const int *slot)
{
    for (int i = 1; i <= team->images; i++) {
        team->member[i] = member ? member[i] : i;
        team->slot_number[i] = slot ? slot[i] : 0;
        team->index_of[team->member[i]] = i;
        team->came[i] = true;
    }
    team->index = team->index_of[runtime.image];
    team->next = teams;
    teams = team;
    return DM_OK;
}

/* The counters at which the members on this node meet. */
static enum dm_status set_slots(struct team *team)
{
    struct slot **slots = calloc((size_t)team->images + 1, sizeof(struct slot *));
    if (!slots)
        return error_no_memory(((size_t)team->images + 1) * sizeof(struct slot *));
    for (int i = 1; i <= team->images; i++)
        if (caf_is_near(team->member[i])) {
            slots[i] = slot_of(team->member[i], team->slot_number[i]);
            team->arrived[i] = &slots[i]->arrived;
        }
    team->slot = slots;
    bool is_near = true;
    for (int i = 1; i <= team->images; i++)
        is_near = is_near && caf_is_near(team->member[i]);
    return is_near || runtime.by_mpi ? DM_OK : meeting_create(team);
}

static enum dm_status set_communicators(struct team *team)
{
    struct team *parent = team->parent;
    TRY_MPI(MPI_Comm_split(parent->all, team->number, team->index, &team->all));
    TRY_MPI(MPI_Comm_set_errhandler(team->all, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Comm_split(team->all, runtime.node, team->index, &team->on_node));
    TRY_MPI(MPI_Comm_set_errhandler(team->on_node, MPI_ERRORS_RETURN));
    return DM_OK;
}

enum dm_status team_create(const struct team_plan *plan, struct team **created)
{
    struct team *team = create(plan->images);
    if (!team)
        return dm_fail(DM_NO_MEMORY, "FORM TEAM: no memory on image %d", runtime.image);
    team->parent = current_team;
    team->number = plan->number;
    team->sibling_number = plan->sibling_number;
    team->sibling_index = plan->sibling_index;
    TRY(set_members(team, plan->member, plan->slot));
    TRY(set_slots(team));
    if (runtime.by_mpi)
        TRY(set_communicators(team));
    *created = team;
    return DM_OK;
}

enum dm_status team_start(void)
{
    teams = NULL;
    current_team = create(runtime.images);
    if (!current_team)
        return dm_fail(DM_NO_MEMORY, "no memory on image %d", runtime.image);
    current_team->number = -1;
    current_team->all = runtime.all;
    current_team->on_node = runtime.on_node;
    return set_members(current_team, NULL, NULL);
}

enum dm_status team_share(void)
{
    TRY(set_slots(current_team));
    for (int i = 1; i <= runtime.images; i++)
        if (caf_is_near(i))
            current_team->arrived[i] = &control_of(i)->arrived;
    atomic_store(&control_of(runtime.image)->slots, 1);
    return DM_OK;
}

void team_end(void)
{
    while (teams) {
        struct team *team = teams;
        teams = team->next;
        if (team->parent && team->on_node != MPI_COMM_NULL)
            MPI_Comm_free(&team->on_node);
        if (team->parent && team->all != MPI_COMM_NULL)
            MPI_Comm_free(&team->all);
        destroy(team);
    }
    current_team = NULL;
}

/* ---- current ---- */

enum dm_status team_enter(struct team *team)
{
    if (team->parent != current_team)
        return invalid(CAF_BAD_ARGUMENT,
                       "CHANGE TEAM: team %d was not formed by the current team, %d", team->number,
                       current_team->number);
    current_team = team;
    enum dm_status status = team_sync(team);
    caf_statement = "CHANGE TEAM";
    return status;
}

enum dm_status team_leave(void)
{
    struct team *team = current_team;
    if (!team->parent)
        return invalid(CAF_BAD_ARGUMENT, "END TEAM: the current team is the initial one");
    enum dm_status status = caf_sync_all();
    if (status == DM_OK || is_failed_image(status)) {
        enum dm_status freed = segments_give_all(team);
        status = freed != DM_OK ? freed : status;
    }
    current_team = team->parent;
    caf_statement = "END TEAM";
    return status;
}

enum dm_status team_sync(struct team *team)
{
    struct team *current = current_team;
    current_team = team;
    enum dm_status status = caf_sync_all();
    current_team = current;
    return status;
}

/* Its members call this together. */
enum dm_status team_communicator(struct team *team, MPI_Comm *ranks)
{
    MPI_Group all, members;
    int *rank = calloc((size_t)team->images, sizeof *rank);
    if (!rank)
        return error_no_memory((size_t)team->images * sizeof *rank);
    for (int i = 0; i < team->images; i++)
        rank[i] = team->member[i + 1] - 1;
    MPI_Comm_group(runtime.all, &all);
    MPI_Group_incl(all, team->images, rank, &members);
    enum dm_status status =
        status_of_mpi(MPI_Comm_create_group(runtime.all, members, team->number, &team->all));
    MPI_Group_free(&members);
    MPI_Group_free(&all);
    free(rank);
    *ranks = team->all;
    return status;
}
