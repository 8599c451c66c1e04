#include "course.h"

#include "common/statistics.h"

void course_trials(const double *course, size_t searches, size_t samples, double share,
                   double *trials, size_t *unmet)
{
    *unmet = 0;
    for (size_t s = 0; s < searches; s++) {
        size_t trial = 0;
        while (trial < samples && course[s * samples + trial] < share)
            trial++;
        *unmet += trial == samples;
        trials[s] = (double)(trial < samples ? trial + 1 : samples);
    }
    statistics_sort(trials, searches);
}
