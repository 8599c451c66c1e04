# pipeline.gp: what the figures of pipelined loops share. See README.md.
#
# Rows with nth_group, the place of their workload's bars; the groups' names; how many times faster than another
# version, from the view pipeline_speedups or blp_gain.
placed(rows) = '(SELECT *, dense_rank() OVER (ORDER BY benchmark, size) AS nth_group FROM ' . rows . ')'
workload_groups(rows) = fetch("SELECT '''' || benchmark || iif(count(*) OVER (PARTITION BY benchmark) > 1, char(10) " \
    . "|| dataset, '') || '''' FROM (SELECT DISTINCT benchmark, dataset, size FROM " . rows \
    . ') ORDER BY benchmark, size')
faster_bars(rows, where) = pick('nth_group, value, low, high', placed(rows), where)
