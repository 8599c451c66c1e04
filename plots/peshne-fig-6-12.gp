load 'style.gp'
set title 'Copy of a block to the GPU from pageable and pinned memory'
variants = 'pageable pinned'
experiment = 'pinning_copy'
@block_range
@elements_x
@seconds_y
set logscale y
set ylabel 'copy time'
plot for [i = 1:2] published('peshne_tab_6_5', 'block_elements', word(variants, i) . '_s') \
         with linespoints linestyle 10+i title 'thesis: ' . word(variants, i), \
     for [i = 1:2] series('pinning_copy', 'block_elements', "direction = 'h2d' AND variant = '" . word(variants, \
     i) . "'") \
         with yerrorlines linestyle i title word(variants, i)
