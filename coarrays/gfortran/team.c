/* team.c: teams are not supported; a program that uses one is told so. */
#include "abi.h"
#include "status.h"

static void refuse(const char *statement) __attribute__((noreturn));
static void refuse(const char *statement)
{
    status_fatal("%s: teams are not supported", statement);
}

void _gfortran_caf_form_team(int number, void **team, int new_index)
{
    (void)number, (void)team, (void)new_index;
    refuse("FORM TEAM");
}

void _gfortran_caf_change_team(void **team, int unused)
{
    (void)team, (void)unused;
    refuse("CHANGE TEAM");
}

void _gfortran_caf_end_team(void **team)
{
    (void)team;
    refuse("END TEAM");
}

void _gfortran_caf_sync_team(void **team, int unused)
{
    (void)team, (void)unused;
    refuse("SYNC TEAM");
}

/* Without CHANGE TEAM the current team is the initial one, and its number is -1 (Fortran 2018,
 * 16.9.189). */
int _gfortran_caf_team_number(void *team)
{
    if (team)
        refuse("TEAM_NUMBER");
    return -1;
}

void *_gfortran_caf_get_team(int *level)
{
    (void)level;
    refuse("GET_TEAM");
}
