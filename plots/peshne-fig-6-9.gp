load 'style.gp'
load 'prefetch.gp'
set title 'Prefetch hit ratio by blocks to prefetch, ' . network('prefetch_wait_blocks')
lengths = fetch('SELECT DISTINCT index_length FROM prefetch_wait_blocks_median ORDER BY 1')
set xlabel 'blocks to prefetch (0: no prefetching)'
set ylabel 'accesses without blocking / all accesses'
plot [-0.5:*] [0:1] for [i = 1:words(lengths)] hits('all_blocks', 'blocks', 'length = ' . word(lengths, i)) with \
    yerrorlines linestyle i title 'index length ' \
         . word(lengths, i)
