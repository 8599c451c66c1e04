load 'style.gp'
load 'prefetch.gp'
set title 'Prefetch hit ratio by length of the index range, ' . network('prefetch_wait_length')
variants = 'prefetch no-prefetch'
set xlabel 'index length (segments)'
set ylabel 'accesses without blocking / all accesses'
plot [0:*] [0:1] for [i = 1:2] hits('lengths', 'length', of_variant(word(variants, i))) with yerrorlines linestyle i \
    title word(variants, i)
