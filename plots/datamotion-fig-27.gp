load 'style.gp'
set title 'Rounds of a convolution, the data changed by the host in between: where the time goes'
variants = 'naive um um-prefetch um-prefetch-all um-prefetch-map'
groups = variants
parts = "'to device' kernels 'to host' 'host updates' 'host reads' rest"
@groups_x
@linear_seconds_y
set ylabel 'time'
part(v, i) = q(sprintf("SELECT %d, total(mid) FROM unified_memory_parts WHERE variant = '%s' AND place <= %d HAVING " \
    . 'count(*) > 0', place_in(variants, v), v, i))
plot for [i = 6:1:-1] for [v in variants] part(v, i) using 1:2:(0.6) with boxes linestyle i \
    title v eq 'naive' ? word(parts, i) : ''
