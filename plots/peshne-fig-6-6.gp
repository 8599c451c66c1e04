load 'style.gp'
set title 'Wait of the first and of all iterations by block size, ' . network('prefetch_wait_size')
variants = 'prefetch prefetch no-prefetch no-prefetch'
columns = 'first_wait_s mean_wait_s first_wait_s mean_wait_s'
titles = "'prefetch, first' 'prefetch, mean' 'no-prefetch, first' 'no-prefetch, mean'"
set xlabel 'block size (elements of 8 bytes)'
set ylabel 'wait per iteration (µs)'
plot [0:*] [0:*] for [i = 1:4] metric('prefetch_wait_size', 'block_elements', '1e6 * ' . word(columns, i), \
         "iteration = 0 AND variant = '" . word(variants, i) . "'") with yerrorlines linestyle i title word(titles, i)
