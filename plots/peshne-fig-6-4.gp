load 'style.gp'
load 'prefetch.gp'
set title 'Wait of the first iteration by block size, ' . network('prefetch_wait_size')
variants = 'prefetch no-prefetch'
set xlabel 'block size (elements of 8 bytes)'
set ylabel 'wait of the first iteration (µs)'
plot [0:*] [0:*] for [i = 1:2] waits('sizes', 'elements', 'first', of_variant(word(variants, i))) with yerrorlines \
    linestyle i title word(variants, i)
