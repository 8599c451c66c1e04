load 'style.gp'
load 'hetero.gp'
set title 'One thread per option on the CPU (ring: as many options as threads)'
counts = option_threads('mo-cpu')
set logscale x 2
@values_y
set xlabel 'queued options'
plot for [i = 1:words(counts)] option_rates("variant = 'mo-cpu' AND threads = " . word(counts, i)) \
         with yerrorlines linestyle i title threads_title(word(counts, i)), \
     option_rates("variant = 'mo-cpu' AND threads = options") with points linestyle 17 pointtype 6 pointsize 1.6 \
     title ''
