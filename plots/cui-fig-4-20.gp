load 'style.gp'
set title 'Device memory of loops whose data does not fit'
variants = 'um-prefetch blp-buffer'
rows = "(SELECT *, benchmark = 'atax' AS second, 1e-9 * footprint_bytes AS whole, 1e-9 * own_bytes AS bytes FROM " \
    . "blp_beyond)"
groups = "'2D convolution' ATAX"
@groups_x
set format y '%g GB'
set ylabel 'device memory'
memory(v, column) = q("SELECT 1 + second, " . column . " FROM " . rows . " WHERE variant = '" . v . "'")
kept = sprintf('bytes * iif(second, %g, %g)', 1 - thesis('cui-c-203', 1), 1 - thesis('cui-c-202', 1))
plot [] [0:] memory('blp-buffer', 'whole') using (bar($1, 1, 3)):2:(bar_width(3)) with boxes linestyle 9 \
    title 'size of the data', \
     for [i = 1:2] memory(word(variants, i), 'bytes') using (bar($1, i+1, 3)):2:(bar_width(3)) with boxes \
     linestyle 3-i title word(variants, i), \
     memory('um-prefetch', kept) using (bar($1, 3, 3)):2:(1.1*bar_width(3)) @published_bars title 'thesis: share of um'
