load 'style.gp'
load 'pipeline.gp'
set title fetch("SELECT iif(count(used_bytes), 'Device memory in use', 'Device memory of the arrays') FROM " \
    . "pipeline_versions_median")
variants = 'naive pipeline framework'
groups = workload_groups('pipeline_versions')
whole = 1e3 * thesis('cui-c-047', 1); own = sprintf('%g', thesis('cui-c-048', 1))
published_values = sprintf("('conv3d', 1, %g), ('conv3d', 2, %g), ('conv3d', 3, %g)", whole, whole, real(own))
@points_x
set logscale y
set ylabel 'device memory (MB)'
plot [] [decade_below(fetch('SELECT min(' . own . ', min(1e-6 * coalesce(used_bytes, device_bytes))) FROM ' \
    . 'pipeline_versions_median') + 0):] for [i = 1:3] \
         workload_bars('pipeline_versions', '1e-6 * coalesce(b.used_bytes, b.device_bytes)', word(variants, \
         i)) using (bar($1, i, 3)):2 with points linestyle i pointsize 1.2 title word(variants, i), \
     q('SELECT DISTINCT place, column2, column3 FROM ' . fastest('pipeline_versions') . ' JOIN (VALUES ' \
     . published_values \
     . ') ON benchmark = column1') using (bar($1, $2, 3)):3 @published_points title 'thesis (other size)'
