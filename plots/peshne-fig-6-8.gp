load 'style.gp'
load 'prefetch.gp'
set title 'Mean wait for a block by blocks to prefetch, ' . network('prefetch_wait_blocks')
lengths = fetch('SELECT DISTINCT index_length FROM prefetch_wait_blocks_median ORDER BY 1')
set xlabel 'blocks to prefetch (0: no prefetching)'
set ylabel 'mean wait per iteration (µs)'
plot [-0.5:*] [0:*] for [i = 1:words(lengths)] waits('all_blocks', 'blocks', 'mean', 'length = ' \
         . word(lengths, i)) with yerrorlines linestyle i title 'index length ' \
         . word(lengths, i)
