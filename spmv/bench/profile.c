#include "profile.h"

#include "common/harness/program.h"

#include "reference.h"

void spmv_note_profile(const struct run *run, const char *name, const struct spmv_coo *coo)
{
    struct sparse_profile profile = sparse_coo_profile(coo);
    program_note(run,
                 "%s: %lld x %lld, %lld entries, %lld duplicates added up; rows of %lld to %lld "
                 "entries, mean %.4g, standard deviation %.4g, %lld empty",
                 name, (long long)coo->rows, (long long)coo->columns, (long long)coo->entries,
                 (long long)coo->duplicates, (long long)profile.shortest,
                 (long long)profile.longest, profile.mean, profile.deviation,
                 (long long)profile.empty_rows);
}
