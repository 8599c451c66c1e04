load 'style.gp'
load 'blp.gp'
set title 'Panels of a matrix to the device by copy blocks'
experiment = 'blp_bandwidth_tiles'
set xlabel 'copy blocks'
@bandwidth_y
in(variant) = "direction = 'in' AND variant = '" . variant . "'"
limit = best_rate(experiment, in('memcpy2d'))
plot [0:*] [0:*] for [i = 1:2] rates(experiment, 'blocks', in('direct-chunk') . ' AND bits = ' \
    . word('32 128', i)) \
         with yerrorlines linestyle i title 'panels, ' . word('32 128', i) . ' bits per access', \
     rates(experiment, 'blocks', in('direct') . ' AND bits = 128') with yerrorlines linestyle 3 \
     title 'contiguous, 128 bits', \
     limit linestyle 8 title 'cudaMemcpy2D', published_knee(thesis('cui-c-138', 1), limit) with lines linestyle 11 \
     title 'thesis, NVLink2: knee'
