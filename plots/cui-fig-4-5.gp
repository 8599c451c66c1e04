load 'style.gp'
load 'blp.gp'
set title 'Direct access by copy blocks'
experiment = 'blp_bandwidth_threads'
set logscale x 2
set xlabel 'copy threads'
@bandwidth_y
limit = best_rate(experiment, "variant = 'memcpy' AND direction = 'in'")
plot [] [0:*] for [i = 1:2] rates(experiment, 'threads', "variant = 'direct' AND direction = 'in' AND " \
    . "bits = " . word('32 128', i)) \
         with yerrorlines linestyle i title word('32 128', i) . ' bits per access', \
     limit linestyle 8 title 'cudaMemcpy', published_knee(1024 * thesis('cui-c-135', 1), limit) with lines \
     linestyle 11 \
     title 'thesis, NVLink2: knee of 128 bits'
