# pipeline.gp: what the figures of pipelined loops share. See README.md.
#
# The fastest configuration of each variant and workload of an experiment, with the place of the workload's group of
# bars; the groups' names; and the workloads' bars of a variant: place, an expression of a row b and the naive row n.
fastest(experiment) = '(SELECT *, dense_rank() OVER (ORDER BY benchmark, size) AS place FROM (SELECT *, row_number() ' \
    . 'OVER (PARTITION BY benchmark, size, variant ORDER BY time_s) AS nth FROM ' . experiment \
    . '_median) WHERE nth = 1)'
workload_groups(experiment) = fetch("SELECT '''' || benchmark || iif(count(*) OVER (PARTITION BY benchmark) > 1, " \
    . "char(10) || dataset, '') || '''' FROM (SELECT DISTINCT benchmark, dataset, size FROM " . experiment \
    . '_median) ORDER BY benchmark, size')
# A value of the rows of a variant beside those of another one, over x.
beside(rows, x, value, v, other, where) = pick('b.' . x . ', ' . value, rows . ' AS b JOIN ' . rows \
    . ' AS n USING (benchmark, size)', sprintf("b.variant = '%s' AND n.variant = '%s' AND ", v, other) . where)
workload_bars(experiment, value, v) = beside(fastest(experiment), 'place', value, v, 'naive', 'true')
# Columns x, speedup over naive, low and high of a variant.
speedups(experiment, x, where, v) = beside(experiment . '_median', x, speedup, v, 'naive', where)
