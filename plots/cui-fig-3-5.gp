load 'style.gp'
load 'pipeline.gp'
set title 'Speedup over naive'
variants = 'naive pipeline framework'
groups = workload_groups('pipeline_versions')
published_values = "('conv3d', NULL, 2, 1.45), ('conv3d', NULL, 3, 1.46), ('stencil', NULL, 2, 1.57), ('qcd', 12, " \
    . "2, 1.6), ('qcd', 36, 3, 1.54)"
@groups_x
set ylabel 'time of naive / time'
plot [] [0:] for [i = 1:3] workload_bars('pipeline_versions', speedup, word(variants, i)) \
         using (bar($1, i, 3)):2:3:4:(bar_width(3)) @measured_bars linestyle i title word(variants, i), \
     q('SELECT DISTINCT place, column3, column4 FROM ' . fastest('pipeline_versions') . ' JOIN (VALUES ' \
     . published_values \
         . ') ON benchmark = column1 AND size = coalesce(column2, size)') using (bar($1, $2, \
         3)):3:(bar_width(3)) @published_bars title 'thesis'
