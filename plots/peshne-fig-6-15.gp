load 'style.gp'
set title 'Release of a block of pageable and pinned memory'
variants = 'pageable pinned hostalloc registered'
set xlabel 'block size (elements of 8 bytes)'
@seconds_y
set logscale y
set ylabel 'release time'
thesis_sizes = 'block_elements IN (SELECT block_elements FROM peshne_tab_6_7)'
plot for [i = 1:2] published('peshne_tab_6_7', 'block_elements', word(variants, i) . '_free_s') \
         with linespoints linestyle 10+i title 'thesis: ' . word(variants, i), \
     for [i = 1:4] series('pinning_alloc', 'block_elements', thesis_sizes \
         . " AND operation = 'free' AND variant = '" . word(variants, i) . "'") \
         with yerrorlines linestyle i title word(variants, i)
