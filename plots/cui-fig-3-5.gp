load 'style.gp'
load 'pipeline.gp'
set title 'Speedup over naive'
variants = 'naive pipeline framework'
groups = workload_groups('pipeline_fastest')
numbers = "('conv3d', NULL, 2, 'cui-c-043'), ('conv3d', NULL, 3, 'cui-c-044'), ('stencil', NULL, 2, 'cui-c-063'), " \
    . "('qcd', 12, 2, 'cui-c-034'), ('qcd', 36, 3, 'cui-c-081')"
@groups_x
set ylabel 'time of naive / time'
plot [] [0:] for [i = 1:3] faster_bars('pipeline_speedups', "pair = 'naive / " . word(variants, i) . "'") \
         using (bar($1, i, 3)):2:3:4:(bar_width(3)) @measured_bars linestyle i title word(variants, i), \
     q('SELECT DISTINCT nth_group, column3, CAST(thesis_value AS REAL) FROM ' . placed('pipeline_fastest') \
     . ' JOIN (VALUES ' \
         . numbers . ') ON benchmark = column1 AND size = coalesce(column2, size) JOIN claims ON id = column4') \
         using (bar($1, $2, 3)):3:(bar_width(3)) @published_bars title 'thesis'
