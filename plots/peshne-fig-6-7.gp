load 'style.gp'
load 'prefetch.gp'
set title 'Wait of the first iteration by blocks to prefetch, ' . network('prefetch_wait_blocks')
lengths = fetch('SELECT DISTINCT index_length FROM prefetch_wait_blocks_median ORDER BY 1')
set xlabel 'blocks to prefetch (0: no prefetching)'
set ylabel 'wait of the first iteration (µs)'
plot [-0.5:*] [0:*] for [i = 1:words(lengths)] waits('all_blocks', 'blocks', 'first', 'length = ' \
         . word(lengths, i)) with yerrorlines linestyle i title 'index length ' \
         . word(lengths, i)
