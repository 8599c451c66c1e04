load 'style.gp'
set title 'Mean wait for a block by block size, ' . network('prefetch_wait_size')
variants = 'prefetch no-prefetch'
set xlabel 'block size (elements of 8 bytes)'
set ylabel 'mean wait per iteration (µs)'
plot [0:*] [0:*] for [i = 1:2] metric('prefetch_wait_size', 'block_elements', '1e6 * mean_wait_s', \
    "iteration = 0 AND variant = '" \
         . word(variants, i) . "'") with yerrorlines linestyle i title word(variants, i)
