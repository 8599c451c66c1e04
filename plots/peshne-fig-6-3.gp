load 'style.gp'
load 'prefetch.gp'
set title 'Mean wait for a block by length of the index range, ' . network('prefetch_wait_length')
variants = 'prefetch no-prefetch'
set xlabel 'index length (segments)'
set ylabel 'mean wait per iteration (µs)'
plot [0:*] [0:*] for [i = 1:2] waits('lengths', 'length', 'mean', of_variant(word(variants, i))) with yerrorlines \
    linestyle i title word(variants, i)
