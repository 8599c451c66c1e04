# unified_memory.gp: what the figures of managed memory share. See README.md.
#
# Bars of the versions of a loop, in groups by the column x of the rows that `where` names: names of the groups (x as a
# number in printf's format).
unified_rows(rows, x, where) = sprintf('(SELECT *, dense_rank() OVER (ORDER BY %s) AS place FROM %s WHERE %s)', x, \
    rows, where)
unified_groups(experiment, x, where, format) = fetch(sprintf("SELECT DISTINCT '''' || printf('%s', %s) || '''' FROM ", \
    format, x) . unified_rows(experiment . '_median', x, where) . ' ORDER BY place')
# The time of a version / that of framework, by the share of the device memory that the data take.
beside_framework(experiment, where, v) = pick('place, value, low, high', \
    unified_rows(of(experiment, 'unified_memory_ratios'), 'share', where), "pair = '" . v . " / framework'")
