load 'style.gp'
load 'pipeline.gp'
set title fetch("SELECT 'Device memory ' || iif(count(context), 'in use', 'of the arrays') FROM pipeline_memory") \
    . ': smallest chunks, two streams'
variants = 'naive pipeline framework'
groups = workload_groups('pipeline_fastest')
whole = 1e3 * thesis('cui-c-047', 1); own = sprintf('%g', thesis('cui-c-048', 1))
published_values = sprintf("('conv3d', 1, %g), ('conv3d', 2, %g), ('conv3d', 3, %g)", whole, whole, real(own))
@points_x
set logscale y
set ylabel 'device memory (MB)'
plot [] [decade_below(fetch('SELECT min(' . own . ', 1e-6 * min(used)) FROM pipeline_memory') + 0):] for [i = 1:3] \
         pick('nth_group, 1e-6 * used', placed('pipeline_memory'), "variant = '" . word(variants, i) . "'") \
         using (bar($1, i, 3)):2 with points linestyle i pointsize 1.2 title word(variants, i), \
     q('SELECT DISTINCT nth_group, column2, column3 FROM ' . placed('pipeline_memory') . ' JOIN (VALUES ' \
     . published_values \
     . ') ON benchmark = column1') using (bar($1, $2, 3)):3 @published_points title 'thesis (other size)'
