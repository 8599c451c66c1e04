load 'style.gp'
load 'prefetch.gp'
set title 'Wait of the first and of all iterations by block size, ' . network('prefetch_wait_size')
variants = 'prefetch prefetch no-prefetch no-prefetch'
quantities = 'first mean first mean'
titles = "'prefetch, first' 'prefetch, mean' 'no-prefetch, first' 'no-prefetch, mean'"
set xlabel 'block size (elements of 8 bytes)'
set ylabel 'wait per iteration (µs)'
plot [0:*] [0:*] for [i = 1:4] waits('sizes', 'elements', word(quantities, i), \
         of_variant(word(variants, i))) with yerrorlines linestyle i title word(titles, i)
