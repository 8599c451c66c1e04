load 'style.gp'
load 'prefetch.gp'
set title 'Mean wait for a block by block size, ' . network('prefetch_wait_size')
variants = 'prefetch no-prefetch'
set xlabel 'block size (elements of 8 bytes)'
set ylabel 'mean wait per iteration (µs)'
plot [0:*] [0:*] for [i = 1:2] waits('sizes', 'elements', 'mean', of_variant(word(variants, i))) with yerrorlines \
    linestyle i title word(variants, i)
