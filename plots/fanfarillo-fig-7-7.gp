load 'style.gp'
load 'hetero.gp'
@two_panels
# fanfarillo-fig-7-8 sets another variant and limit.
if (!exists('v')) { v = 'mo-cpu'; limit = 'min(options, threads)' }
counts = option_threads(v)
of_threads(i) = "variant = '" . v . "' AND threads = " . word(counts, i)
set logscale xy 2; set xlabel 'queued options'; set ylabel 'busy threads'; set title v . ': threads with an option'
plot for [i = 1:words(counts)] option_values(limit, of_threads(i)) with lines linestyle 8 title i > 1 ? '' : 'limit', \
     for [i = 1:words(counts)] option_values('busy_threads', of_threads(i)) with points linestyle i \
         title threads_title(word(counts, i))
unset ylabel; set title '10^9 random values per second'
plot for [i = 1:words(counts)] option_rates(of_threads(i)) with yerrorlines linestyle i title ''
