load 'style.gp'
set title 'Prefetch hit ratio by length of the index range, ' . network('prefetch_wait_length')
variants = 'prefetch no-prefetch'
set xlabel 'index length (segments)'
set ylabel 'accesses without blocking / all accesses'
plot [0:*] [0:1] for [i = 1:2] metric('prefetch_wait_length', 'index_length', 'hit_ratio', \
         "iteration = 0 AND variant = '" . word(variants, i) . "'") with yerrorlines linestyle i title word(variants, i)
