load 'style.gp'
load 'blp.gp'
set title 'An array copied to the device in chunks'
experiment = 'blp_bandwidth_chunks'
variants = 'memcpy memcpy2d direct direct-chunk'
titles = "'cudaMemcpy' 'cudaMemcpy2D' 'direct access' 'direct access, panels of a matrix'"
set logscale x 2
set xlabel 'chunks'
@bandwidth_y
set logscale y
peak = thesis('cui-c-128', 1)
plot for [i = 1:4] rates(experiment, 'chunks', "direction = 'in' AND variant = '" . word(variants, i) . "'") \
         with yerrorlines linestyle i title word(titles, i), \
     q(sprintf('VALUES (1, %g), (%g, %g)', peak, stated('cui-c-129', 1), peak * (1 - thesis('cui-c-129', 1)))) with \
     linespoints \
     linestyle 11 title 'thesis, NVLink2: cudaMemcpy'
