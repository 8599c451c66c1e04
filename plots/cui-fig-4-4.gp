load 'style.gp'
set title 'An array copied to the device in chunks'
experiment = 'blp_bandwidth_chunks'
variants = 'memcpy memcpy2d direct direct-chunk'
titles = "'cudaMemcpy' 'cudaMemcpy2D' 'direct access' 'direct access, panels of a matrix'"
set logscale x 2
set xlabel 'chunks'
@bandwidth_y
set logscale y
plot for [i = 1:4] bandwidths(experiment, 'chunks', "direction = 'in' AND variant = '" . word(variants, i) . "'") \
         with yerrorlines linestyle i title word(titles, i), \
     q('VALUES (1, 60), (1024, 0.6)') with linespoints linestyle 11 title 'thesis, NVLink2: cudaMemcpy'
