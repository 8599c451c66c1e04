load 'style.gp'
load 'prefetch.gp'
@two_panels
variants = 'prefetch no-prefetch'
longest = fetch('SELECT max(index_length) FROM prefetch_wait_length')
high = fetch("SELECT 1.1e6 * max(max(first_wait_s), max(mean_wait_s)) FROM prefetch_wait_length_median")
set ylabel 'wait (µs)'
set title 'First iteration, ' . network('prefetch_wait_length')
set xlabel 'index length (segments)'
plot [0:*] [0:high] for [i = 1:2] waits('lengths', 'length', 'first', \
         of_variant(word(variants, i))) with yerrorlines linestyle i title word(variants, i)
set title 'Each iteration, index length ' . longest
unset ylabel; set xlabel 'iteration'
plot [0:*] [0:high] for [i = 1:2] metric('prefetch_wait_length', 'iteration', '1e6 * mean_wait_s', \
    "iteration > 0 AND variant = '" \
         . word(variants, i) . "' AND index_length = " . longest) with yerrorlines linestyle i notitle
