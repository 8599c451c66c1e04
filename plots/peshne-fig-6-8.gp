load 'style.gp'
set title 'Mean wait for a block by blocks to prefetch, ' . network('prefetch_wait_blocks')
lengths = fetch('SELECT DISTINCT index_length FROM prefetch_wait_blocks_median ORDER BY 1')
set xlabel 'blocks to prefetch (0: no prefetching)'
set ylabel 'mean wait per iteration (µs)'
plot [-0.5:*] [0:*] for [i = 1:words(lengths)] metric('prefetch_wait_blocks', 'prefetch_blocks', '1e6 * mean_wait_s', \
         'iteration = 0 AND index_length = ' . word(lengths, i)) with yerrorlines linestyle i title 'index length ' \
         . word(lengths, i)
