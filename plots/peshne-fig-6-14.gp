load 'style.gp'
set title 'Allocation of a block in pageable and pinned memory'
variants = 'pageable pinned hostalloc registered'
set xlabel 'block size (elements of 8 bytes)'
@seconds_y
set logscale y
set ylabel 'allocation time'
thesis_sizes = 'block_elements IN (SELECT block_elements FROM peshne_tab_6_6)'
plot for [i = 1:2] published('peshne_tab_6_6', 'block_elements', word(variants, i) . '_alloc_s') \
         with linespoints linestyle 10+i title 'thesis: ' . word(variants, i), \
     for [i = 1:4] series('pinning_alloc', 'block_elements', thesis_sizes \
         . " AND operation = 'allocate' AND variant = '" . word(variants, i) . "'") \
         with yerrorlines linestyle i title word(variants, i)
