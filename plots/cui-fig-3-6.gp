load 'style.gp'
load 'pipeline.gp'
set title fetch("SELECT iif(count(used_bytes), 'Device memory in use', 'Device memory of the arrays') FROM " \
    . "pipeline_versions_median")
variants = 'naive pipeline framework'
groups = workload_groups('pipeline_versions')
published_values = "('conv3d', NULL, 1, 3500), ('conv3d', NULL, 2, 3500), ('conv3d', NULL, 3, 93)"
@groups_x
set logscale y
set ylabel 'device memory (MB)'
plot [] [decade_below(fetch('SELECT min(93, min(1e-6 * coalesce(used_bytes, device_bytes))) FROM ' \
    . 'pipeline_versions_median') + 0):] for [i = 1:3] \
         workload_bars('pipeline_versions', '1e-6 * coalesce(b.used_bytes, b.device_bytes)', word(variants, \
         i)) using (bar($1, i, 3)):2:(bar_width(3)) with boxes linestyle i title word(variants, i), \
     q('SELECT DISTINCT place, column3, column4 FROM ' . fastest('pipeline_versions') . ' JOIN (VALUES ' \
     . published_values \
         . ') ON benchmark = column1 AND size = coalesce(column2, size)') using (bar($1, $2, \
         3)):3:(bar_width(3)) @published_bars title 'thesis (other size)'
