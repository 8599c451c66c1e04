# unified_memory.gp: what the figures of managed memory share. See README.md.
#
# Bars of the versions of a loop, in groups by the column x of the rows that `where` names: names of the groups (x as a
# number in printf's format), and x, value, low and high of a version. A value is an expression of the time %s, in rows
# that also have base_s, the time of framework in the same group.
unified_rows(experiment, x, where) = sprintf("(SELECT *, dense_rank() OVER (ORDER BY %s) AS place, max(time_s) " \
    . "FILTER (WHERE variant = 'framework') OVER (PARTITION BY %s) AS base_s FROM %s_median WHERE %s)", x, x, \
    experiment, where)
unified_groups(experiment, x, where, format) = fetch(sprintf("SELECT DISTINCT '''' || printf('%s', %s) || '''' FROM ", \
    format, x) . unified_rows(experiment, x, where) . ' ORDER BY place')
unified_bars(experiment, x, where, value, v) = pick('place, ' . timed(value), unified_rows(experiment, x, where), \
    "variant = '" . v . "' AND time_s > 0")
