#include "openmpi.h"

#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/harness/exit.h"

bool openmpi_choose_component(void)
{
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION <= 4
    const char *all = getenv("OMPI_COMM_WORLD_SIZE");
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (getenv("OMPI_MCA_osc") || !all || !here || strcmp(all, here) != 0)
        return false;
    check_errno(setenv("OMPI_MCA_osc", "sm,ucx", 0) == 0);
    return true;
#else
    return false;
#endif
}
